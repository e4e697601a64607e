import type { ValidationDetails, ValidationSource } from '#contract/validation.ts';

/** The result of a validation, without the code. */
export interface Verdict extends Omit<ValidationDetails, 'merchantName' | 'couponCode'> {
  readonly valid: boolean;
  /** For people, without the code. */
  readonly message: string;
  /** The source that validated, perhaps with OFFLINE_SUFFIX. */
  readonly validatedWith: string;
}

/** Everything that can validate a code. */
export interface Validators {
  /** Whether there is an account of this merchant's own. */
  hasOwn(merchant: string): Promise<boolean>;
  /**
   * Asks one source; with `auto` the providers that serve the merchant, then the local sources. Does not throw when
   * a provider fails, and takes at most the providers' time limits.
   */
  check(given: {
    readonly merchant: string;
    readonly code: string;
    readonly source: ValidationSource;
    readonly now: Date;
  }): Promise<Verdict>;
}
