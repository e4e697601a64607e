import Stripe from 'stripe';
import { ProviderRefusal, ProviderUnreachable } from '../payments.ts';

/**
 * Asks Stripe and puts what it throws into our two words.
 * @throws ProviderRefusal with Stripe's code ('card_declined', 'resource_missing', …), or ProviderUnreachable: no
 * answer in time, a server's error, too many requests, or an earlier request with the same key still under way
 */
export async function asking<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw translated(error);
  }
}

/** Whether Stripe refused for one of these reasons. */
export function isRefusal(error: unknown, ...codes: readonly string[]): error is ProviderRefusal {
  return error instanceof ProviderRefusal && codes.includes(error.code);
}

/** What Stripe knows, or null where it answers that there is no such thing. */
export async function orNull<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (isRefusal(error, NOT_FOUND)) return null;
    throw error;
  }
}

/**
 * Makes something that does no harm when it is made twice. A server's error is stored under its key and answered to
 * every later try for a day; a try that meets one takes another key.
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
  // No status: the connection failed. 409: another request with this key, or on this object, is under way.
  if (statusCode === undefined || statusCode >= 500 || statusCode === 429 || statusCode === 409) {
    return new ProviderUnreachable(`Stripe did not answer: ${message}`, { cause: error });
  }
  // A missing thing is told by its status: v2 has another word for it.
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
