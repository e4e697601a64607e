import type { ValidationDetails, ValidationSource } from '#contract/validation.ts';

/** What is known of a code after asking; plain values, the code itself is not among them. */
export interface Verdict extends Omit<ValidationDetails, 'merchantName' | 'couponCode'> {
  readonly valid: boolean;
  /** In words for people, without the code. */
  readonly message: string;
  /** The source that has judged; see OFFLINE_SUFFIX. */
  readonly validatedWith: string;
}

/** Everybody who can be asked about a code. */
export interface Validators {
  /** Asks one source, or with `auto` those that know the merchant and then the ones that need nobody. Never throws
   * for a provider's fault; takes at most its time limits. */
  check(given: {
    readonly merchant: string;
    readonly code: string;
    readonly source: ValidationSource;
    readonly now: Date;
  }): Promise<Verdict>;
}
