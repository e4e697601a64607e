import type { ValidationDetails, ValidationSource } from '#contract/coupons/validation.ts';
import type { Redemptions, Reissued, Replacement, Restored } from './adapter.ts';

/** The result of a validation, without the code. */
export interface Verdict extends Omit<ValidationDetails, 'merchantName' | 'couponCode'> {
  readonly valid: boolean;
  /** For people, without the code. */
  readonly message: string;
  /** The source that validated, perhaps with OFFLINE_SUFFIX. */
  readonly validatedWith: string;
}

/** A merchant's own account that may be asked again about what is on offer. */
export interface AskedAccount {
  /** The same after a restart, and another for each account. */
  readonly id: string;
  readonly merchants: readonly string[];
  /** The most questions of a job on a day. */
  readonly checksPerDay: number;
}

/** Everything that can validate a code. */
export interface Validators {
  /** Whether there is an account of this merchant's own. */
  hasOwn(merchant: string): Promise<boolean>;
  /** The accounts that belong to certain merchants. */
  accounts(): readonly AskedAccount[];
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
  /** Whether this merchant's own account can mint new codes. */
  canReissue(merchant: string): boolean;
  /** Retires a code and has the merchant's own account mint its successor. Does not throw when the account fails. */
  reissue(given: Replacement): Promise<Reissued | Unreached>;
  /** Whether this merchant's own account tells how codes were used. */
  tellsRedemptions(merchant: string): boolean;
  /** Asks this merchant's own account how a code was used. Does not throw when the account fails. */
  redemptionsOf(given: {
    readonly merchant: string;
    readonly code: string;
  }): Promise<Redemptions | 'unreached'>;
  /** Makes the old code of a replacement valid again, and the new one invalid. Does not throw when the account fails. */
  restore(given: Replacement): Promise<Restored | 'unreached'>;
}

/** Nobody knows whether the account has done what it was asked for. */
interface Unreached {
  readonly kind: 'unreached';
}
