import type { Cents } from '#contract/base/money.ts';

/** The totals of a payment that a provider lists movements of. */
export const MOVEMENT_KINDS = [
  'capture',
  'provider_fee',
  'refund',
  'withdrawal',
  'payout',
  'payout_reversal',
] as const;
export type MovementKind = (typeof MOVEMENT_KINDS)[number];

/** A movement of money in a provider's own books. */
export interface ProviderMovement {
  /** The id of the transaction at the provider; its fee has the same. */
  readonly ref: string;
  readonly at: Date;
  /** The total that it changes; null: none of a payment, as when the balance is sent to our bank. */
  readonly kind: MovementKind | null;
  /** Cents that the total rises by, signed. Without a kind: what the balance rises by. */
  readonly amount: Cents;
  /** Our random id, where the provider has it. */
  readonly publicId: string | null;
  /** The charge or capture that it belongs to, where the provider says so. */
  readonly chargeRef: string | null;
  /** Whether it is on our own account; on a seller's, what is not of our payments is the seller's own affair. */
  readonly isOwnAccount: boolean;
  /** The provider's words. */
  readonly text: string;
}

export interface MovementList {
  readonly movements: readonly ProviderMovement[];
  /** What happened later may be listed later; null: all of it is listed. */
  readonly completeUntil: Date | null;
  /** Sellers' accounts that we may not look into. */
  readonly closedAccounts: readonly string[];
}
