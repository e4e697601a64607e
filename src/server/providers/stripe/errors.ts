import Stripe from 'stripe';
import { ProviderRefusal, ProviderUnreachable } from '../payments.ts';

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

/** Whether Stripe refused with one of these codes. */
export function isRefusal(error: unknown, ...codes: readonly string[]): error is ProviderRefusal {
  return error instanceof ProviderRefusal && codes.includes(error.code);
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
 * an attempt that meets one uses another key.
 */
export async function makingAfresh<T>(key: string, make: (key: string) => Promise<T>): Promise<T> {
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
  if (!(error instanceof Stripe.errors.StripeError)) {
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
    error instanceof Stripe.errors.StripeError &&
    (error.statusCode ?? 0) >= 500 &&
    error.headers?.['idempotent-replayed'] === 'true'
  );
}
