import * as fc from 'fast-check';
import type { Act } from './acts.ts';
import { acceptBid, bid, buy, counterBid, rejectBid, withdrawBid } from './bids.ts';
import { edit, list, opening, remove } from './coupons.ts';
import { accept, cancel, complete, reject } from './exchanges.ts';
import { answerLegClaim, claimLeg, decideLegClaim, withdrawLegClaim } from './leg-claims.ts';
import { block, dropWant, find, openingWants, unblock, want } from './matches.ts';
import { counter, propose, revise } from './offers.ts';
import { pay, startPayment } from './payments.ts';
import { ban, leave, reinstate, signIn, suspend } from './people.ts';
import { claim, confirm, decide, withdrawClaim } from './protection.ts';
import { cancelRing, completeRing, consent, decline, proposeRing } from './rings.ts';
import { expire, reconcile, wait } from './time.ts';

const often = <T>(weight: number, arbitrary: fc.Arbitrary<T>) => ({ weight, arbitrary });

/** What a run is made of: what is there first, what happens alone or at once, and how many commands there are at most. */
export interface Mix {
  readonly opening: readonly Act[];
  readonly alone: fc.Arbitrary<Act>;
  readonly atOnce: fc.Arbitrary<Act>;
  readonly length: number;
}

/** The same alone and at once; alone there are more coupons, and time passes, which stands still for calls at once. */
const mix = (
  atOnce: fc.Arbitrary<Act>,
  others: { weight: number; arbitrary: fc.Arbitrary<Act> }[] = [],
): Mix => ({
  opening: [...opening, ...openingWants],
  atOnce,
  alone: fc.oneof(often(80, atOnce), often(10, list), often(5, wait), often(5, reconcile), ...others),
  length: 80,
});

export const everything = mix(
  fc.oneof(
    often(4, list),
    often(6, edit),
    often(3, remove),
    often(16, propose),
    often(8, revise),
    often(12, counter),
    often(16, accept),
    often(4, reject),
    often(8, cancel),
    often(14, complete),
    often(8, claimLeg),
    often(5, answerLegClaim),
    often(2, withdrawLegClaim),
    often(5, decideLegClaim),
    often(18, bid),
    often(6, buy),
    often(8, counterBid),
    often(18, acceptBid),
    often(4, rejectBid),
    often(4, withdrawBid),
    often(3, startPayment),
    often(18, pay),
    often(5, confirm),
    often(10, claim),
    often(3, withdrawClaim),
    often(10, decide),
    often(2, ban),
    often(1, suspend),
    often(1, leave),
    often(4, reinstate),
    often(5, signIn),
    often(4, expire),
    often(6, want),
    often(2, dropWant),
  ),
  [often(5, find), often(3, block), often(3, unblock)],
);

/** Sales, and what becomes of them when somebody is banned. */
export const sales = mix(
  fc.oneof(
    often(10, bid),
    often(6, buy),
    often(4, counterBid),
    often(14, acceptBid),
    often(2, startPayment),
    often(16, pay),
    often(3, confirm),
    often(12, claim),
    often(2, withdrawClaim),
    often(12, decide),
    often(4, edit),
    often(4, ban),
    often(6, reinstate),
    often(6, signIn),
  ),
);

/** Rings over coupons that are asked for, bid on, edited, deleted and hidden elsewhere. */
export const rings = mix(
  fc.oneof(
    often(4, list),
    often(3, edit),
    often(2, remove),
    often(20, proposeRing),
    often(50, consent),
    often(4, decline),
    often(3, cancelRing),
    often(22, completeRing),
    often(5, propose),
    often(5, accept),
    often(3, complete),
    often(5, bid),
    often(4, acceptBid),
    often(3, startPayment),
    often(25, pay),
    often(2, ban),
    often(1, leave),
    often(4, reinstate),
    often(6, signIn),
    often(4, expire),
  ),
  [often(4, find), often(3, block), often(4, unblock)],
);

/** Swaps and rings that are paid for besides, and what becomes of the money when they end. */
export const prices = mix(
  fc.oneof(
    often(14, propose),
    often(4, revise),
    often(6, counter),
    often(22, accept),
    often(4, cancel),
    often(3, complete),
    often(14, proposeRing),
    often(34, consent),
    often(2, cancelRing),
    often(2, completeRing),
    often(4, startPayment),
    often(40, pay),
    often(10, claimLeg),
    often(6, answerLegClaim),
    often(2, withdrawLegClaim),
    often(8, decideLegClaim),
    often(1, confirm),
    often(1, claim),
    often(3, bid),
    often(3, acceptBid),
    often(2, ban),
    often(1, leave),
    often(4, reinstate),
    often(4, signIn),
    often(3, expire),
  ),
  [often(6, reconcile)],
);

/** Deals in the moment of a goodbye. */
export const goodbyes = mix(
  fc.oneof(
    often(6, list),
    often(2, edit),
    often(4, propose),
    often(2, accept),
    often(6, bid),
    often(4, ban),
    often(2, leave),
    often(6, reinstate),
    often(6, signIn),
  ),
);
