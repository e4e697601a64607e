import Stripe from 'stripe';

export interface StripeApi {
  readonly protocol: 'http' | 'https';
  readonly host: string;
  readonly port: number;
}

export interface StripeSettings {
  readonly secretKey: string;
  /** The signing secrets of our webhook endpoints; each endpoint has its own. */
  readonly webhookSecrets: readonly string[];
  /** The address of the API, if it is not Stripe's. */
  readonly api?: StripeApi;
  /** Per attempt; the SDK makes up to three with the same idempotency key. */
  readonly timeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 10_000;

/** Stripe's SDK, with the API version that it is pinned to. */
export function createStripeClient({ secretKey, api, timeoutMs }: StripeSettings): Stripe {
  return new Stripe(secretKey, {
    ...api,
    timeout: timeoutMs ?? DEFAULT_TIMEOUT_MS,
    maxNetworkRetries: 2,
    telemetry: false,
  });
}

/** The id of an object that Stripe returns as an id or as a whole. */
export function idOf(value: string | { readonly id: string } | null | undefined): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'string' ? value : value.id;
}

/** One of our ids from Stripe's metadata; null when it is missing or invalid. */
export function ourId(text: string | undefined): number | null {
  return text !== undefined && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
}

/** Whether Stripe replayed the answer to an earlier request with the same key. A replay may be outdated. */
export function isReplay(answer: Stripe.Response<object>): boolean {
  return answer.lastResponse.headers['idempotent-replayed'] === 'true';
}
