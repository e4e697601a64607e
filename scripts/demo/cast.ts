import type { Actor } from '#server/domains/context.ts';
import type { DemoPerson } from './content.ts';
import type { PlannedBid, PlannedCoupon, PlannedSwap } from './plan.ts';
import type { Stage } from './stage.ts';

/** Something that somebody does at a time, or that a rule does. */
export interface Act {
  readonly daysAgo: number;
  perform(stage: Stage): Promise<unknown>;
}

/** What the acts so far have brought into the world. */
export interface Cast {
  readonly people: Map<DemoPerson, Actor>;
  readonly coupons: Map<PlannedCoupon, number>;
  readonly exchanges: Map<PlannedSwap, number>;
  readonly bids: Map<PlannedBid, number>;
}

/** Looks up what an earlier act has made. */
export function made<Key, Value>(map: ReadonlyMap<Key, Value>, key: Key): Value {
  const value = map.get(key);
  if (value === undefined) throw new Error('A demo act needs what no earlier act has made');
  return value;
}
