import type { Bid } from '#contract/bids.ts';
import { TEXTS } from '#contract/texts.ts';
import { hasCode, writeErrorText } from '#web/lib/errors.ts';

interface Answers {
  readonly viewerId: number | undefined;
  /** Undefined until it is known. */
  readonly bid: Pick<Bid, 'bidderId' | 'status'> | undefined;
  readonly bidError: unknown;
  readonly checkoutError: unknown;
}

/**
 * Why a bid cannot be paid now, in the words of spec/2 sections 5 and 8; null where nothing is known against it.
 * What the provider's absence is to blame for is no problem of the bid: see `isUnavailable`.
 */
export function checkoutProblem({ viewerId, bid, bidError, checkoutError }: Answers): string | null {
  const { notYours, notAccepted, bidFailed } = TEXTS.checkout;
  if (bid && bid.bidderId !== viewerId) return notYours;
  if (bid && bid.status !== 'accepted') return notAccepted;
  // Strangers are not even told that the bid exists, but by the checkout that it is not theirs.
  if (bidError) return hasCode(checkoutError, 'forbidden') ? notYours : bidFailed;
  return checkoutError && !isUnavailable(checkoutError) ? setupProblem(checkoutError) : null;
}

/** Why a payment could not be prepared, as a person is told. */
export function setupProblem(error: unknown): string {
  const text = writeErrorText(error, TEXTS.checkout.intentFailed);
  return text.includes('Seller must complete') ? TEXTS.checkout.sellerNotReady : text;
}

/** Whether the providers cannot be reached: trying again may help. */
export function isUnavailable(error: unknown): boolean {
  return hasCode(error, 'payments_unavailable');
}
