import type { Currency } from '#contract/base/money.ts';
import type { DiscountType } from '#contract/coupons/choices.ts';
import type { ValidationSource } from '#contract/coupons/validation.ts';

/** The sources that are external services. */
export type ApiSource = Extract<ValidationSource, 'voucherify' | 'coupontools' | 'aklamio'>;

/** Why a provider refuses a code. `refused`: it gives no reason, or one that we do not know. */
export const REFUSALS = ['expired', 'disabled', 'used', 'not_active', 'not_found', 'refused'] as const;
export type Refusal = (typeof REFUSALS)[number];

/** What a code that exists depends on: the purchase, the customer, or other rules of the programme. */
export const CONDITIONS = ['order', 'customer', 'redemption'] as const;
export type Condition = (typeof CONDITIONS)[number];

/** The value of an offer, as its provider states it. */
export interface Worth {
  readonly hundredths: number;
  readonly discountType: DiscountType;
  /** The most that a percentage takes off, in hundredths. */
  readonly atMost?: number;
  /** The currency of the amounts. */
  readonly currency: Currency;
}

/** A provider's answer about a code. `unknown`: none; the code may belong to another merchant. */
export type Answer =
  | { readonly kind: 'valid'; readonly worth: Worth | null; readonly expiryDate: string | null }
  | { readonly kind: 'conditional'; readonly condition: Condition }
  | { readonly kind: 'invalid'; readonly refusal: Refusal }
  | { readonly kind: 'unknown' };

/** A code that is to be replaced when its coupon changes hands. */
export interface Replacement {
  readonly merchant: string;
  /** The code that everybody before has seen. */
  readonly code: string;
  /** The code that takes its place; chosen by us before the first call, so that a lost answer loses no code. */
  readonly newCode: string;
  /** The same in each call about this replacement, and in no other. */
  readonly key: string;
}

/** What came of a request for a new code. `refused`: nothing has changed, or it was undone at once. */
export type Reissued = { readonly kind: 'reissued'; readonly code: string } | { readonly kind: 'refused' };

/** What came of a request for the old code. `refused`: the old code cannot be made valid again. */
export type Restored = 'restored' | 'refused';

/** The calls of an account that can mint new codes. Both may be repeated: each ends in the same state. */
export interface Reissuing {
  /**
   * Retires a code and makes another one with the same worth valid. At no moment are both valid.
   * @throws NotReached when nobody knows whether it has happened
   */
  reissue(given: Replacement): Promise<Reissued>;
  /**
   * Undoes `reissue`, wherever it has stopped: the old code is valid, the new one is not.
   * @throws NotReached when nobody knows whether it has happened
   */
  restore(given: Replacement): Promise<Restored>;
}

/** One use of a code, as its programme has recorded it. */
export interface Redemption {
  readonly at: Date;
  /** In the programme's words; null where it does not tell. */
  readonly place: string | null;
}

/** How a code was used. Uses that were taken back are not counted. */
export interface Redemptions {
  /** How often; more than are told where the programme does not tell when each was. */
  readonly count: number;
  readonly told: readonly Redemption[];
}

/** An account with a provider. */
export interface Adapter {
  readonly source: ApiSource;
  /** Whether the account belongs to certain merchants, so that a code that it does not know does not exist. */
  readonly isMerchantBound: boolean;
  /** Whether its answer is about this merchant; an account may also hold codes of others. */
  readonly isAboutMerchant: boolean;
  /** Whether it may be asked about this merchant's codes. */
  serves(merchant: string): boolean;
  /**
   * Asks about a code, within the adapter's time limit.
   * @throws NotReached when there is no usable answer
   */
  ask(given: { readonly merchant: string; readonly code: string }): Promise<Answer>;
  /** Null: the account cannot mint new codes, or the operator has not allowed it. */
  readonly reissuing: Reissuing | null;
  /**
   * Asks how a code was used, within the adapter's time limit. Null: the account does not tell.
   * @throws NotReached when there is no usable answer
   */
  readonly redemptionsOf:
    | ((given: { readonly merchant: string; readonly code: string }) => Promise<Redemptions>)
    | null;
}

/** A provider gave no usable answer. The message is ours and does not contain the code. */
export class NotReached extends Error {
  override readonly name = 'NotReached';
  /** Whether a retry may succeed a moment later. */
  readonly isTransient: boolean;
  /** Milliseconds during which the provider wants no requests. */
  readonly pauseMs: number;

  constructor(message: string, { isTransient = false, pauseMs = 0 } = {}) {
    super(message);
    this.isTransient = isTransient;
    this.pauseMs = pauseMs;
  }
}
