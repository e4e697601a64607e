/** What an approved PayPal partner has been given, and how this installation uses it. */
export interface PaypalSettings {
  readonly clientId: string;
  readonly clientSecret: string;
  /** The partner's own merchant id. */
  readonly partnerId: string;
  /** The partner's build notation code; null: none was given. */
  readonly attributionId: string | null;
  readonly webhookId: string;
  /** 'https://api-m.paypal.com', without a trailing slash. */
  readonly apiBase: string;
  /** delayed: the seller's money waits until it is paid out. instant: it goes on with the payment. */
  readonly disbursement: 'delayed' | 'instant';
  /** How long one answer may take; 15 seconds unless said. */
  readonly timeoutMs?: number;
}
