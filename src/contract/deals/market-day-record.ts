import { t } from '@lingui/core/macro';
import {
  checkCertificate,
  type MarketDayCertificate,
  type MarketDayGraph,
} from './market-day-certificate.ts';

/** What is published of a market day: the rounds in which it was solved, each with what came of its rings. */
export interface MarketDayRecord {
  readonly day: string;
  /** In hex. Its hash was published the day before. */
  readonly seed: string;
  readonly rounds: readonly (Omit<MarketDayCertificate, 'seed'> & {
    /** The places of the trades of each ring, and whether they came about. */
    readonly rings: readonly { readonly trades: readonly number[]; readonly isTraded: boolean }[];
  })[];
}

/**
 * Checks what is published of a market day: each round is the best that was possible in it, and a round has only what the one
 * before it has left.
 * @returns what is wrong, in words; empty: nothing
 */
export function checkRecord({ seed, rounds }: MarketDayRecord): string[] {
  const faults = rounds.flatMap((round) => checkCertificate({ ...round, seed }));
  for (const [index, round] of rounds.entries()) {
    const places = round.rings.flatMap(({ trades }) => trades);
    if (places.length !== round.trades.length || new Set(places).size !== places.length)
      faults.push(t`The trades of a round are not those of its rings.`);
    const next = rounds[index + 1];
    if (next && !isRestOf(next.graph, round))
      faults.push(t`A round has what the one before it has not left.`);
  }
  return faults;
}

/** Whether a graph has only coupons, wishes and ends of the one before, and none that was traded. */
function isRestOf(graph: MarketDayGraph, before: MarketDayRecord['rounds'][number]): boolean {
  const traded = before.rings
    .filter(({ isTraded }) => isTraded)
    .flatMap(({ trades }) => trades.flatMap((place) => before.trades[place] ?? []));
  const gone = new Set(traded.map(({ takes }) => takes));
  const keysOf = (rows: readonly object[]) =>
    new Set(rows.map((row) => JSON.stringify(Object.entries(row).sort())));
  const isIn = (rows: readonly object[], all: ReadonlySet<string>) =>
    rows.every((row) => all.has(JSON.stringify(Object.entries(row).sort())));
  const timesLeft = new Map(before.graph.wishes.map(({ number, times }) => [number, times]));
  for (const { wish } of traded) timesLeft.set(wish, (timesLeft.get(wish) ?? 0) - 1);
  return (
    isIn(graph.coupons, keysOf(before.graph.coupons)) &&
    isIn(graph.takes, keysOf(before.graph.takes)) &&
    isIn(graph.gives, keysOf(before.graph.gives)) &&
    graph.coupons.every(({ number }) => !gone.has(number)) &&
    graph.wishes.every(({ number, times }) => times === timesLeft.get(number))
  );
}
