import type { Cents } from '#contract/money.ts';
import type { PaymentProviderName } from '#contract/sellers.ts';

/** The provider has refused, and nothing has happened there. */
export class ProviderRefusal extends Error {
  override readonly name = 'ProviderRefusal';
  /** The provider's own word: 'card_declined', 'ORDER_ALREADY_CAPTURED', … */
  readonly code: string;

  constructor(code: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/** No answer, or none that says anything: it may have happened there or not. Never taken for a failure. */
export class ProviderUnreachable extends Error {
  override readonly name = 'ProviderUnreachable';
}

/** How a seller's account with a provider stands, read anew from the provider. */
export interface SellerAccount {
  /** The connected account's or merchant's id there. */
  readonly accountRef: string;
  /** Whether money can be paid to it now. */
  readonly isReady: boolean;
  readonly paymentsReceivable: boolean;
  readonly primaryEmailConfirmed: boolean;
  readonly isRestricted: boolean;
  /** What is still wanted, in words for the seller: 'Identity document', … */
  readonly requirements: readonly string[];
}

export interface OnboardingRequest {
  readonly userId: number;
  /** Null before the provider has given the seller one. */
  readonly accountRef: string | null;
  readonly email: string;
  readonly displayName: string;
  /** ISO 3166 alpha-2. */
  readonly country: string;
  /** Where the provider sends the seller back to, and where it sends them when its link has run out. */
  readonly returnUrl: string;
  readonly refreshUrl: string;
  /** Up to 200 characters; the same for a try that is made again. */
  readonly idempotencyKey: string;
}

/** What a buyer is to be charged. Amounts are CAD cents. */
export interface PaymentOrder {
  /** Ours; travels with the payment and comes back with every event. */
  readonly paymentId: number;
  readonly bidId: number;
  /** All that the buyer is charged. */
  readonly amount: Cents;
  /** Of it, what stays with ClipSwap. */
  readonly platformFee: Cents;
  readonly currency: 'CAD';
  /** The seller's account that it is for. */
  readonly receiver: string;
  /** Shown to the buyer on the provider's pages. */
  readonly description: string;
  readonly idempotencyKey: string;
}

/** A card that the provider keeps for a buyer. */
export interface KeptCard {
  readonly token: string;
  readonly brand: string;
  readonly lastFour: string;
  readonly expiryMonth: number;
  readonly expiryYear: number;
}

/** All that matters of a payment, as the provider has it now. */
export interface PaymentState {
  /** The payment intent's or the order's id there. */
  readonly ref: string;
  /** Our id, as it came back; null when it carries none. */
  readonly paymentId: number | null;
  /**
   * open: waits for the buyer (after a declined card too). requires_action: waits for the buyer's bank. failed: can
   * never succeed any more, nothing was taken.
   */
  readonly status: 'open' | 'requires_action' | 'processing' | 'succeeded' | 'cancelled' | 'failed';
  readonly amount: Cents;
  /** ISO, upper case. */
  readonly currency: string;
  /** The account that the payment says it is for. */
  readonly receiver: string | null;
  /** For the provider's browser script; null where there is none. */
  readonly clientSecret: string | null;
  /** The charge's or the capture's id, once there is one. */
  readonly chargeRef: string | null;
  /** What the provider has kept for itself; null while it has not said. */
  readonly providerFee: Cents | null;
  /** The card, where the buyer has asked to keep it and it has paid. */
  readonly keptCard: KeptCard | null;
  /** The latest full refund of ours, if any. */
  readonly refund: Refund | null;
  /** The bank's proceedings against the payment, the latest. */
  readonly dispute: {
    readonly ref: string;
    readonly status: 'open' | 'won' | 'lost';
    readonly amount: Cents;
  } | null;
  /** Why the last try failed, in the provider's words for the buyer. */
  readonly failureText: string | null;
}

export interface Refund {
  readonly ref: string;
  readonly status: 'pending' | 'succeeded' | 'failed';
  readonly amount: Cents;
}

export interface RefundRequest {
  readonly paymentId: number;
  readonly ref: string;
  readonly chargeRef: string;
  readonly receiver: string;
  readonly amount: Cents;
  readonly platformFee: Cents;
  readonly idempotencyKey: string;
}

/** Money on its way to a seller. */
export interface Payout {
  readonly ref: string;
  readonly status: 'pending' | 'succeeded' | 'failed';
  readonly amount: Cents;
  readonly receiver: string;
}

export interface PayoutRequest {
  readonly paymentId: number;
  /** The seller's net, CAD cents. */
  readonly amount: Cents;
  readonly receiver: string;
  readonly chargeRef: string;
  readonly idempotencyKey: string;
}

/** What an event is about; what it says is never believed, but read anew. */
export interface ProviderEvent {
  readonly id: string;
  readonly type: string;
  readonly subject:
    | { readonly kind: 'payment'; readonly ref: string | null; readonly paymentId: number | null }
    | { readonly kind: 'account'; readonly accountRef: string; readonly userId: number | null }
    | { readonly kind: 'other' };
}

/** Cards kept with a provider, so that a number never comes near us. */
export interface CardVault {
  /** @returns the id of the customer made for this person */
  createCustomer(person: { userId: number; email: string; idempotencyKey: string }): Promise<string>;
  /** Asks the provider to keep the card that pays `ref` for this customer; null: not to. */
  keepCard(ref: string, customerRef: string | null): Promise<PaymentState>;
  /**
   * Pays with a kept card. @throws ProviderRefusal when the card is declined
   */
  payWithCard(given: {
    ref: string;
    token: string;
    customerRef: string;
    returnUrl: string;
    idempotencyKey: string;
  }): Promise<PaymentState>;
  /** Forgets a card; one that is gone already is no error. */
  forgetCard(token: string): Promise<void>;
}

/**
 * A payment provider. Every call that changes something there takes an idempotency key and can be made again with
 * the same one. All of them throw ProviderRefusal or ProviderUnreachable and nothing else.
 */
export interface PaymentProvider {
  readonly name: PaymentProviderName;
  /** Null where the provider keeps no cards for us. */
  readonly cards: CardVault | null;
  /** Whether a paid amount goes on to the seller at once, so that there is nothing to hold or to pay out. */
  readonly paysSellerAtOnce: boolean;

  /** A link to the provider's pages where the seller sets up their account; made anew each time: it works once. */
  startOnboarding(request: OnboardingRequest): Promise<{ accountRef: string | null; url: string }>;
  /** Null when the provider knows of no account for this person. */
  readAccount(person: { userId: number; accountRef: string | null }): Promise<SellerAccount | null>;

  createPayment(order: PaymentOrder): Promise<PaymentState>;
  /** Null when the provider knows of no such payment. */
  readPayment(ref: string): Promise<PaymentState | null>;
  /** Takes the money that the buyer has approved, where that is ours to do; otherwise reads. */
  capturePayment(ref: string, idempotencyKey: string): Promise<PaymentState>;
  /** Makes it impossible to pay it any more. What has been paid meanwhile is answered as it is: no refusal. */
  cancelPayment(ref: string, idempotencyKey: string): Promise<PaymentState>;
  /** Gives the buyer everything back. Made already: answered with the refund that there is. */
  refund(request: RefundRequest): Promise<Refund>;

  /** Pays the seller. Whatever has been paid out for this payment before is found and answered, never paid twice. */
  payOut(request: PayoutRequest): Promise<Payout>;
  readPayout(ref: string): Promise<Payout | null>;
  /** Takes a payout back from the seller, where the provider can; null where it cannot. */
  reversePayout(given: {
    ref: string;
    amount: Cents;
    idempotencyKey: string;
  }): Promise<{ ref: string } | null>;

  /**
   * Checks a webhook's signature against the raw body.
   * @param headers lower-case names
   * @throws ProviderRefusal invalid_signature (also: too old, unsigned), ProviderUnreachable
   */
  readEvent(rawBody: string, headers: Readonly<Record<string, string | undefined>>): Promise<ProviderEvent>;
}

/** Which of them this installation has; null: not set up. */
export interface PaymentProviders {
  readonly stripe: PaymentProvider | null;
  readonly paypal: PaymentProvider | null;
}
