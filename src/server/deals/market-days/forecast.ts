import type { Context } from '#server/context/context.ts';
import { inTransaction } from '#server/database/client.ts';
import { numbered } from './rules.ts';
import { readOffered } from './running.ts';
import * as store from './runs-store.ts';
import { solveInChild } from './solver-process.ts';

/** Works out what would change hands if market day were now, for the announcement. */
export async function forecastMarketDay(ctx: Context, signal: AbortSignal): Promise<void> {
  const run = await store.findOpenRun(ctx.db);
  if (!run || run.state === 'trading' || !ctx.config.marketDay.isOn) return;
  const now = ctx.clock();
  // Whoever agrees in the last half hour takes part tomorrow: the forecast is for everybody who has agreed.
  const offered = await inTransaction(ctx.db, (trx) => readOffered(trx, ctx, run, now));
  const { graph } = numbered(offered, (ids) => ids);
  if (graph.takes.length === 0) return store.putForecast(ctx.db, run.day, { forecast: [], at: now });
  const { trades } = await solveInChild(graph, run.seed, signal);
  await store.putForecast(ctx.db, run.day, { forecast: trades.map(({ takes }) => takes), at: now });
}
