import * as fc from 'fast-check';
import type { Act } from '../market/acts/act.ts';
import { acceptBid, bid, buy, counterBid, rejectBid, withdrawBid } from '../market/acts/bids.ts';
import { edit, list, opening, remove } from '../market/acts/coupons.ts';
import { putUp } from '../market/acts/deposits.ts';
import { accept, cancel, complete, reject } from '../market/acts/exchanges.ts';
import { answerLegClaim, claimLeg, decideLegClaim, withdrawLegClaim } from '../market/acts/leg-claims.ts';
import { block, dropWant, openingWants, unblock, want } from '../market/acts/matches.ts';
import { counter, propose, revise } from '../market/acts/offers.ts';
import { pay, startPayment } from '../market/acts/payments.ts';
import { ban, leave, reinstate, signIn, suspend } from '../market/acts/people.ts';
import { answerClaim, claim, confirm, decide, withdrawClaim } from '../market/acts/protection.ts';
import { find, proposeRing } from './matches.ts';
import { expire, reconcile, wait } from './time.ts';

/** What a run is made of: what is there first, and what happens alone or at once. */
export interface Mix {
  readonly opening: readonly Act[];
  readonly alone: fc.Arbitrary<Act>;
  readonly atOnce: fc.Arbitrary<Act>;
}

/**
 * All trade; sales, and what becomes of them when somebody is banned; rings over coupons that are asked for, bid on, edited,
 * deleted and hidden elsewhere; swaps and rings that are paid for besides, and what becomes of the money when they end; deals
 * in the moment of a goodbye.
 */
export const MIXES = ['everything', 'sales', 'rings', 'prices', 'goodbyes'] as const;
export type MixName = (typeof MIXES)[number];

/** How often each act happens, alone or at once, in each of the mixes. */
const WEIGHTS: readonly (readonly [fc.Arbitrary<Act>, ...number[]])[] = [
  [list, 4, 0, 4, 0, 6],
  [edit, 6, 4, 3, 0, 2],
  [remove, 3, 0, 2, 0, 0],
  [propose, 16, 0, 5, 14, 4],
  [revise, 8, 0, 0, 4, 0],
  [counter, 12, 0, 0, 6, 0],
  [proposeRing, 0, 0, 20, 14, 0],
  [accept, 16, 0, 55, 56, 2],
  [putUp, 10, 0, 0, 8, 2],
  [reject, 4, 0, 4, 0, 0],
  [cancel, 8, 0, 3, 6, 0],
  [complete, 14, 0, 25, 5, 0],
  [claimLeg, 8, 0, 0, 10, 0],
  [answerLegClaim, 5, 0, 0, 6, 0],
  [withdrawLegClaim, 2, 0, 0, 2, 0],
  [decideLegClaim, 5, 0, 0, 8, 0],
  [bid, 18, 10, 5, 3, 6],
  [buy, 6, 6, 0, 0, 0],
  [counterBid, 8, 4, 0, 0, 0],
  [acceptBid, 18, 14, 4, 3, 0],
  [rejectBid, 4, 0, 0, 0, 0],
  [withdrawBid, 4, 0, 0, 0, 0],
  [startPayment, 3, 2, 3, 4, 0],
  [pay, 18, 16, 25, 40, 0],
  [confirm, 5, 3, 0, 1, 0],
  [claim, 10, 12, 0, 1, 0],
  [answerClaim, 5, 10, 0, 0, 0],
  [withdrawClaim, 3, 2, 0, 0, 0],
  [decide, 10, 12, 0, 0, 0],
  [ban, 2, 4, 2, 2, 4],
  [suspend, 1, 0, 0, 0, 0],
  [leave, 1, 0, 1, 1, 2],
  [reinstate, 4, 6, 4, 4, 6],
  [signIn, 5, 6, 6, 4, 6],
  [expire, 4, 0, 4, 3, 0],
  [want, 6, 0, 0, 0, 0],
  [dropWant, 2, 0, 0, 0, 0],
];

/** What happens alone besides: time stands still for calls at once. */
const ALONE: typeof WEIGHTS = [
  [list, 10, 10, 10, 10, 10],
  [wait, 5, 5, 5, 5, 5],
  [reconcile, 5, 5, 5, 11, 5],
  [find, 5, 0, 4, 0, 0],
  [block, 3, 0, 3, 0, 0],
  [unblock, 3, 0, 4, 0, 0],
];

/** One of these acts, as often as the table says of the mix. */
function oneOf(table: typeof WEIGHTS, mix: number, ...others: fc.WeightedArbitrary<Act>[]) {
  const given = table.map(([arbitrary, ...weights]) => ({ arbitrary, weight: weights[mix] ?? 0 }));
  return fc.oneof(...others, ...given.filter(({ weight }) => weight > 0));
}

export const mixOf = (name: MixName): Mix => {
  const mix = MIXES.indexOf(name);
  const atOnce = oneOf(WEIGHTS, mix);
  return {
    opening: [...opening, ...openingWants],
    atOnce,
    alone: oneOf(ALONE, mix, { arbitrary: atOnce, weight: 80 }),
  };
};
