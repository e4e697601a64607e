import type { MarketDayGraph } from '#contract/deals/market-day-certificate.ts';
import type { MarketDayRecord } from '#contract/deals/market-day-record.ts';
import { sha256 } from '#server/core/crypto.ts';
import type { Solution } from './rules.ts';

/** What is published of a seed before its day: SHA-256 of the text that is published afterwards. */
export const commitmentOf = (seed: string): string => sha256(seed);

/** A day as it is published, in one text: its hash is in the daily root. Its rounds are certificates with what came of their rings. */
export function certificateText(
  { day, seed }: { readonly day: string; readonly seed: string },
  rounds: readonly {
    readonly round: number;
    readonly graph: MarketDayGraph;
    readonly solution: Solution | null;
  }[],
  rings: readonly {
    readonly round: number;
    readonly trades: readonly number[];
    readonly outcome: 'traded' | 'dropped' | null;
  }[],
): string {
  const published: MarketDayRecord = {
    ...{ day, seed },
    rounds: rounds.flatMap(({ round, graph, solution }) =>
      solution === null
        ? []
        : {
            ...{ graph, trades: solution.trades, duals: solution.duals },
            rings: rings
              .filter((ring) => ring.round === round)
              .map(({ trades, outcome }) => ({ trades, isTraded: outcome === 'traded' })),
          },
    ),
  };
  return JSON.stringify(published);
}
