import { createRequire } from 'node:module';
import type Stripe from 'stripe';
import { isRefusal, ProviderRefusal, ProviderUnreachable } from '../payments.ts';

export interface StripeSettings {
  readonly secretKey: string;
  /** The signing secrets of our webhook endpoints; each endpoint has its own. */
  readonly webhookSecrets: readonly string[];
  /** Such as https://api.stripe.com */
  readonly apiBase: string;
  /** Per attempt; the SDK makes up to three with the same idempotency key. */
  readonly timeoutMs?: number;
  /** Between attempts; by default the SDK's own half second, and twice that. */
  readonly retryAfterMs?: number;
}

const DEFAULT_TIMEOUT_MS = 10_000;

const require = createRequire(import.meta.url);

/** Stripe's SDK, which is large: an installation without Stripe does not load it. */
export function stripeSdk(): typeof Stripe {
  return require('stripe') as typeof Stripe;
}

/** A client of Stripe's SDK, with the API version that it is pinned to. */
export function createStripeClient(settings: StripeSettings): Stripe {
  const { secretKey, apiBase, timeoutMs, retryAfterMs } = settings;
  const { protocol, hostname, port } = new URL(apiBase);
  const client = new (stripeSdk())(secretKey, {
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname,
    ...(port && { port }),
    timeout: timeoutMs ?? DEFAULT_TIMEOUT_MS,
    maxNetworkRetries: 2,
    telemetry: false,
  });
  if (retryAfterMs === undefined) return client;
  const delay = () => retryAfterMs / 1_000;
  return Object.assign(client, { getInitialNetworkRetryDelay: delay, getMaxNetworkRetryDelay: delay });
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

/**
 * Calls Stripe and translates its errors.
 * @throws ProviderRefusal with Stripe's code ('card_declined', 'resource_missing', …); ProviderUnreachable for a
 * timeout, a server error, too many requests, or an earlier request with the same key that is still running
 */
export async function asking<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw translated(error);
  }
}

/** Null when Stripe answers that the object does not exist. */
export async function orNull<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (isRefusal(error, NOT_FOUND)) return null;
    throw error;
  }
}

/**
 * Creates something that may safely exist twice. Stripe stores a server error under its idempotency key for a day, so
 * the next attempt uses another key.
 */
export async function createWithFreshKey<T>(key: string, make: (key: string) => Promise<T>): Promise<T> {
  try {
    return await make(key);
  } catch (error) {
    if (isStoredFailure(error)) return make(`${key}:again`);
    throw error;
  }
}

const NOT_FOUND = 'resource_missing';

function translated(error: unknown): Error {
  if (error instanceof ProviderRefusal || error instanceof ProviderUnreachable) return error;
  if (!(error instanceof stripeSdk().errors.StripeError)) {
    return new ProviderUnreachable('Stripe could not be asked', { cause: error });
  }
  const { statusCode, code, rawType, message } = error;
  // No status: the connection failed. 409: another request with this key, or on this object, is running.
  if (statusCode === undefined || statusCode >= 500 || statusCode === 429 || statusCode === 409) {
    return new ProviderUnreachable(`Stripe did not answer: ${message}`, { cause: error });
  }
  // v2 has another code for a missing object, so the status decides.
  return new ProviderRefusal(
    statusCode === 404 ? NOT_FOUND : (code ?? rawType ?? error.type),
    message,
    error,
  );
}

function isStoredFailure(error: unknown): boolean {
  return (
    error instanceof stripeSdk().errors.StripeError &&
    (error.statusCode ?? 0) >= 500 &&
    error.headers?.['idempotent-replayed'] === 'true'
  );
}
