import type { CATEGORIES } from '#contract/coupons.ts';

/** What a coupon says: written by hand, one by one, the way people write. */
export interface DemoOffer {
  readonly title: string;
  /** '$12.50' off, in CAD, or '20%' off. */
  readonly worth: `$${number}` | `${number}%`;
  readonly description: string;
  readonly terms?: string;
  /** Days from today to its last day, where the text speaks of it; null never ends. Drawn otherwise. */
  readonly expires?: number | null;
  /** A voucher that is handed over as it is. */
  readonly hasNoCode?: true;
}

/** A shop that nobody runs, with the coupons it has given out. */
export interface DemoMerchant {
  readonly name: string;
  readonly category: (typeof CATEGORIES)[number];
  /** What its codes look like: # is a digit, @ a letter, anything else itself. */
  readonly codes: string;
  readonly offers: readonly DemoOffer[];
}
