import type { Cents, Currency } from '#contract/base/money.ts';
import type { PaymentProviderName } from '#contract/people/sellers.ts';
import type { MovementKind, MovementList } from './movements.ts';

/** The provider refused, and nothing happened there. */
export class ProviderRefusal extends Error {
  override readonly name = 'ProviderRefusal';
  /** The provider's own word: 'card_declined', 'ORDER_ALREADY_CAPTURED', … */
  readonly code: string;

  constructor(code: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/** Whether a provider refused with one of these codes. */
export function isRefusal(error: unknown, ...codes: readonly string[]): error is ProviderRefusal {
  return error instanceof ProviderRefusal && codes.includes(error.code);
}

/** No usable answer: the call may have taken effect or not. Never treat it as a failure. */
export class ProviderUnreachable extends Error {
  override readonly name = 'ProviderUnreachable';
}

/** A seller's account as the provider reports it. */
export interface SellerAccount {
  /** The connected account's or merchant's id at the provider. */
  readonly accountRef: string;
  /** Whether it can receive money now. */
  readonly isReady: boolean;
  readonly paymentsReceivable: boolean;
  readonly primaryEmailConfirmed: boolean;
  readonly isRestricted: boolean;
  /** What the provider still needs: ours where we know it, else in the provider's words. See requirements.ts. */
  readonly requirements: readonly string[];
  /** The latest payout from the account to the seller's bank, if the bank has sent it back. */
  readonly failedPayout: FailedPayout | null;
}

/** A payout to a seller's bank that came back. */
export type FailedPayout = {
  readonly ref: string;
  readonly amount: Cents;
  /** In the provider's words. */
  readonly reason: string;
};

export interface OnboardingRequest {
  readonly userId: number;
  /** Null until the provider has assigned one. */
  readonly accountRef: string | null;
  readonly email: string;
  readonly displayName: string;
  /** ISO 3166 alpha-2. */
  readonly country: string;
  /** Where the provider sends the seller afterwards, and where it sends them when the link has expired. */
  readonly returnUrl: string;
  readonly refreshUrl: string;
  /** Up to 200 characters; the same for a retry. */
  readonly idempotencyKey: string;
}

/** What to charge a buyer. Amounts are cents of the base currency. */
export interface PaymentOrder {
  /** Our random id (UUIDv7); every event about the payment carries it. */
  readonly publicId: string;
  readonly bidId: number;
  /** The total that the buyer pays. */
  readonly amount: Cents;
  /** ClipSwap's part of `amount`. */
  readonly platformFee: Cents;
  readonly currency: Currency;
  /** The seller's account. */
  readonly receiver: string;
  /** Shown to the buyer on the provider's pages. */
  readonly description: string;
  readonly idempotencyKey: string;
}

/** A card that the provider stores for a buyer. */
export interface KeptCard {
  readonly token: string;
  readonly brand: string;
  readonly lastFour: string;
  readonly expiryMonth: number;
  readonly expiryYear: number;
}

/** A payment as the provider reports it. */
export interface PaymentState {
  /** The id of the payment intent or order at the provider. */
  readonly ref: string;
  /** Our random id; null when the payment carries none, so it is not ours. */
  readonly publicId: string | null;
  /**
   * open: waits for the buyer, also after a declined card. approved: waits for our capture. requires_action: waits for
   * the buyer's bank. failed: final, nothing was taken.
   */
  readonly status:
    | 'open'
    | 'approved'
    | 'requires_action'
    | 'processing'
    | 'succeeded'
    | 'cancelled'
    | 'failed';
  readonly amount: Cents;
  /** ISO, upper case. */
  readonly currency: string;
  /** The seller's account that the payment names. */
  readonly receiver: string | null;
  /** For the provider's browser script; null for providers without one. */
  readonly clientSecret: string | null;
  /** The id of the charge or capture, once it exists. */
  readonly chargeRef: string | null;
  readonly totals: ProviderTotals;
  /** Whether a bank or the provider still looks into the payment. */
  readonly isDisputed: boolean;
  /** When our evidence for an open dispute is due; null: no time is set, or none is wanted any more. */
  readonly evidenceDueAt: Date | null;
  /** The money moved to the seller so far, as far as the provider tells. */
  readonly payouts: readonly Payout[];
  /** The card, if the buyer asked to keep it and the payment succeeded. */
  readonly keptCard: KeptCard | null;
  /** Why the last attempt failed, in the provider's words for the buyer. */
  readonly failureText: string | null;
}

/** What has moved for a payment, in cents: never events, so each may fall again. */
export interface ProviderTotals {
  readonly captured: Cents;
  /** The provider's own fees, those of disputes included; null until they are known. */
  readonly providerFees: Cents | null;
  /** What has reached the buyer; a refund that failed later no longer counts. */
  readonly refunded: Cents;
  /** Refunds that are on their way. */
  readonly refundPending: Cents;
  /** Refunds that have failed, also after they had reached the buyer. It never falls. */
  readonly refundFailed: Cents;
  /** The part of `refunded` that came out of our fees; null where the provider leaves the shares to us. */
  readonly feesRefunded: Cents | null;
  /** Taken by disputes, less what was given back. */
  readonly withdrawn: Cents;
  /** The part of `withdrawn` that is decided against us. */
  readonly lost: Cents;
}

/** The totals before a payment. */
export const NOTHING_MOVED: ProviderTotals = {
  captured: 0,
  providerFees: null,
  refunded: 0,
  refundPending: 0,
  refundFailed: 0,
  feesRefunded: null,
  withdrawn: 0,
  lost: 0,
};

export interface Refund {
  readonly ref: string;
  readonly status: 'pending' | 'succeeded' | 'failed';
  readonly amount: Cents;
}

export interface RefundRequest {
  /** Of a deposit; by default of a payment. */
  readonly isDeposit?: true;
  readonly publicId: string;
  readonly ref: string;
  readonly chargeRef: string;
  readonly receiver: string;
  readonly amount: Cents;
  readonly platformFee: Cents;
  readonly idempotencyKey: string;
}

/** A transfer of money to a seller. */
export interface Payout {
  readonly ref: string;
  readonly status: 'pending' | 'succeeded' | 'failed';
  readonly amount: Cents;
  /** The part that was taken back. */
  readonly reversed: Cents;
  readonly receiver: string;
  /** Why it failed, in the provider's own word: 'MERCHANT_RESTRICTIONS'. */
  readonly failure: string | null;
}

export interface PayoutRequest {
  /** Of a deposit; by default of a payment. */
  readonly isDeposit?: true;
  readonly publicId: string;
  /** The seller's net amount, in cents. */
  readonly amount: Cents;
  readonly receiver: string;
  readonly chargeRef: string;
  readonly idempotencyKey: string;
}

/** The subject of a webhook event. We never trust its content; we read the subject from the provider. */
export interface ProviderEvent {
  readonly id: string;
  readonly type: string;
  readonly subject:
    | { readonly kind: 'payment'; readonly ref: string | null; readonly publicId: string | null }
    | { readonly kind: 'account'; readonly accountRef: string; readonly userId: number | null }
    | { readonly kind: 'other' };
}

/** Cards stored at a provider, so that card numbers never reach us. */
export interface CardVault {
  /** @returns the id of the new customer */
  createCustomer(person: { userId: number; email: string; idempotencyKey: string }): Promise<string>;
  /** Asks the provider to keep the card that pays `ref` for this customer; with null, not to keep it. */
  keepCard(ref: string, customerRef: string | null): Promise<PaymentState>;
  /** @throws ProviderRefusal when the card is declined */
  payWithCard(given: {
    ref: string;
    token: string;
    customerRef: string;
    returnUrl: string;
    idempotencyKey: string;
  }): Promise<PaymentState>;
  /** Deletes a card; a card that is already gone is no error. */
  forgetCard(token: string): Promise<void>;
}

/** Money to reserve on a card: nothing is taken until it is captured. */
interface DepositOrder {
  /** Our random id (UUIDv7). */
  readonly publicId: string;
  readonly exchangeId: number;
  /** Cents of the base currency. */
  readonly amount: Cents;
  readonly currency: Currency;
  readonly description: string;
  readonly idempotencyKey: string;
}

/** A deposit as the provider reports it. Its refunds and its transfers are in the totals, as those of a payment are. */
export interface DepositState extends Omit<PaymentState, 'status' | 'receiver' | 'keptCard'> {
  /** open: waits for the card. voided: nothing was taken, or can be taken any more, as the authorisation lapsed, too. */
  readonly status: 'open' | 'authorised' | 'captured' | 'voided';
}

/** Money reserved on cards, at a provider that can do that. Each call may be repeated with the same key. */
export interface DepositVault {
  create(order: DepositOrder): Promise<DepositState>;
  /** Null when the provider has no such deposit. */
  read(ref: string): Promise<DepositState | null>;
  /** Takes the money. What cannot be captured any more is returned as it is. */
  capture(ref: string, idempotencyKey: string): Promise<DepositState>;
  /** Gives the money free. What is captured is returned as it is. */
  release(ref: string, idempotencyKey: string): Promise<DepositState>;
}

/**
 * A payment provider. Every call that changes something takes an idempotency key, so it can be repeated with the same
 * key. All calls throw ProviderRefusal or ProviderUnreachable and nothing else.
 */
export interface PaymentProvider {
  readonly name: PaymentProviderName;
  /** Null when the provider stores no cards for us. */
  readonly cards: CardVault | null;
  /** Null when the provider reserves no money for us. */
  readonly deposits: DepositVault | null;

  /** Creates a link to the provider's onboarding pages. A link works once. */
  startOnboarding(request: OnboardingRequest): Promise<{ accountRef: string | null; url: string }>;
  /** Null when the provider has no account for this person. */
  readAccount(person: { userId: number; accountRef: string | null }): Promise<SellerAccount | null>;

  createPayment(order: PaymentOrder): Promise<PaymentState>;
  /** Null when the provider has no such payment. @param payoutRef a payout that we know of */
  readPayment(ref: string, payoutRef?: string | null): Promise<PaymentState | null>;
  /** Takes the money that the buyer approved, where that is our part; otherwise only reads the payment. */
  capturePayment(given: { ref: string; receiver: string; idempotencyKey: string }): Promise<PaymentState>;
  /** Makes the payment impossible to pay. A payment that is already paid is returned as it is, without an error. */
  cancelPayment(ref: string, idempotencyKey: string): Promise<PaymentState>;
  /** Refunds what is asked for. Read the payment first: a second refund under another key is a second refund. */
  refund(request: RefundRequest): Promise<Refund>;

  /** Pays the seller. Read the payment first: a second payout under another key is a second payout. */
  payOut(request: PayoutRequest): Promise<Payout>;
  /** Takes a part of a payout back; null when the provider cannot. @throws ProviderRefusal when the seller's balance is too low */
  reversePayout(given: {
    ref: string;
    amount: Cents;
    idempotencyKey: string;
  }): Promise<{ ref: string } | null>;

  /** The kinds of movements that `listMovements` can tell. */
  readonly listedKinds: readonly MovementKind[];
  /**
   * The provider's own books of a time.
   * @param accounts the sellers whose accounts hold the money, where it is not ours that does
   */
  listMovements(given: {
    readonly from: Date;
    readonly to: Date;
    readonly accounts: readonly string[];
  }): Promise<MovementList>;

  /**
   * Checks a webhook's signature against the raw body.
   * @param headers lower-case names
   * @throws ProviderRefusal invalid_signature (also: too old, unsigned), ProviderUnreachable
   */
  readEvent(rawBody: string, headers: Readonly<Record<string, string | undefined>>): Promise<ProviderEvent>;

  /** The events that we need, by the provider's names. */
  readonly neededEvents: readonly string[];
  /** Where the provider sends events of ours. */
  listWebhooks(): Promise<readonly WebhookTarget[]>;
}

/** An address that a provider sends events to. */
export interface WebhookTarget {
  readonly url: string;
  readonly isEnabled: boolean;
  /** '*' stands for all. */
  readonly events: readonly string[];
}

/** The providers of this installation; null for one that is not set up. */
export interface PaymentProviders {
  readonly stripe: PaymentProvider | null;
  readonly paypal: PaymentProvider | null;
}
