import type { DiscountType } from '#contract/coupons.ts';
import type { Currency } from '#contract/money.ts';
import type { ValidationSource } from '#contract/validation.ts';

/** The sources that are programs of others. */
export type ApiSource = Extract<ValidationSource, 'voucherify' | 'coupontools' | 'aklamio'>;

/** Why a provider says that a code is no good. `refused`: it has not said why, or in words that we do not know. */
export const REFUSALS = ['expired', 'disabled', 'used', 'not_active', 'not_found', 'refused'] as const;
export type Refusal = (typeof REFUSALS)[number];

/** What a code that exists depends on: what is bought, who buys, or the programme's other rules. */
export const CONDITIONS = ['order', 'customer', 'redemption'] as const;
export type Condition = (typeof CONDITIONS)[number];

/** What an offer is worth, as its provider says it: hundredths of a currency or of a per cent. */
export interface Worth {
  readonly hundredths: number;
  readonly discountType: DiscountType;
  /** Of an amount. */
  readonly currency: Currency;
}

/** What a provider says of a code. `unknown`: nothing; the code may be somebody else's. */
export type Answer =
  | { readonly kind: 'valid'; readonly worth: Worth | null; readonly expiryDate: string | null }
  | { readonly kind: 'conditional'; readonly condition: Condition }
  | { readonly kind: 'invalid'; readonly refusal: Refusal }
  | { readonly kind: 'unknown' };

/** One account with one provider. */
export interface Adapter {
  readonly source: ApiSource;
  /** Whether the account is certain merchants' own: what it does not know does not exist. */
  readonly isMerchantBound: boolean;
  /** Whether its word is about the merchant, rather than about whomever's codes the account holds. */
  readonly isAboutMerchant: boolean;
  /** Whether it may be asked about a merchant's codes. */
  serves(merchant: string): boolean;
  /**
   * Asks about a code, within the adapter's time limit.
   * @throws NotReached when no usable answer came
   */
  ask(given: { readonly merchant: string; readonly code: string }): Promise<Answer>;
}

/** A provider that gave no usable answer. Its message is ours and holds nothing of the code. */
export class NotReached extends Error {
  override readonly name = 'NotReached';
  /** Whether the same question may be answered a moment later. */
  readonly isPassing: boolean;
  /** Milliseconds during which the provider wants to be left alone. */
  readonly pauseMs: number;

  constructor(message: string, { isPassing = false, pauseMs = 0 } = {}) {
    super(message);
    this.isPassing = isPassing;
    this.pauseMs = pauseMs;
  }
}
