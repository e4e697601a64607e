/** Credentials of an approved PayPal partner, and the settings of this installation. */
export interface PaypalSettings {
  readonly clientId: string;
  readonly clientSecret: string;
  /** The partner's own merchant id. */
  readonly partnerId: string;
  /** The partner's build notation code, if any. */
  readonly attributionId: string | null;
  readonly webhookId: string;
  /** 'https://api-m.paypal.com', without a trailing slash. */
  readonly apiBase: string;
  /** delayed: PayPal holds the seller's money until the payout. instant: the seller receives it with the payment. */
  readonly disbursement: 'delayed' | 'instant';
  /** Per answer; 15 seconds by default. */
  readonly timeoutMs?: number;
}
