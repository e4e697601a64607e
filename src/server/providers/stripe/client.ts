import Stripe from 'stripe';

export interface StripeApi {
  readonly protocol: 'http' | 'https';
  readonly host: string;
  readonly port: number;
}

export interface StripeSettings {
  readonly secretKey: string;
  /** The signing secrets of our webhook endpoints: Stripe gives each endpoint its own. */
  readonly webhookSecrets: readonly string[];
  /** Where Stripe is, when it is not at Stripe's own address. */
  readonly api?: StripeApi;
  /** For one try; the SDK makes up to three, with the same idempotency key. */
  readonly timeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 10_000;

/** Stripe's own SDK, at the API version that it is pinned to. */
export function createStripeClient({ secretKey, api, timeoutMs }: StripeSettings): Stripe {
  return new Stripe(secretKey, {
    ...api,
    timeout: timeoutMs ?? DEFAULT_TIMEOUT_MS,
    maxNetworkRetries: 2,
    telemetry: false,
  });
}

/** The id of something that Stripe answers as an id or as the whole object. */
export function idOf(value: string | { readonly id: string } | null | undefined): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'string' ? value : value.id;
}

/** One of our ids out of Stripe's metadata; null when it is not there or is none. */
export function ourId(text: string | undefined): number | null {
  return text !== undefined && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
}

/** Whether this answer is what was answered to an earlier request with the same key: it may have aged. */
export function isReplay(answer: Stripe.Response<object>): boolean {
  return answer.lastResponse.headers['idempotent-replayed'] === 'true';
}
