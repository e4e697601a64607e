import type { PaymentProviderName, SellerBadge } from '#contract/sellers.ts';

/** The providers by the names that people know them by. */
const PROVIDER_LABELS: Record<PaymentProviderName, string> = { stripe: 'Stripe', paypal: 'PayPal' };

/** The badge of spec/3 section 2; `isReady` is the provider's answer to whether money can be paid there now. */
export function badgeOf(account: { hasAccount: boolean; isReady: boolean }): SellerBadge {
  if (!account.hasAccount) return 'setup_required';
  return account.isReady ? 'active' : 'action_required';
}

/** What a seller is told when an account has become ready or has stopped being so; null: neither. */
export function storyOf(
  provider: PaymentProviderName,
  wasReady: boolean,
  isReady: boolean,
): { content: string; mailSubject: string } | null {
  const label = PROVIDER_LABELS[provider];
  if (isReady && !wasReady) {
    return {
      content: `Your ${label} account is ready: buyers can pay you through it now.`,
      mailSubject: `Your ${label} account is ready`,
    };
  }
  if (wasReady && !isReady) {
    return {
      content: `Your ${label} account cannot take payments any more. Please look at what ${label} still needs from you.`,
      mailSubject: `Your ${label} account needs your attention`,
    };
  }
  return null;
}

/** What a seller is told when the provider has refused to begin their set-up. */
export function refusalText(provider: PaymentProviderName, code: string, country: string): string {
  const label = PROVIDER_LABELS[provider];
  if (/country/i.test(code)) return `${label} does not pay sellers in ${country}. The other way may.`;
  return `${label} did not accept the set-up. Please try again, or choose the other way to be paid.`;
}

/** What stands beside the state that we know, when the provider could not be asked. */
export function staleText(provider: PaymentProviderName): string {
  return `${PROVIDER_LABELS[provider]} cannot be reached right now. This is what it told us last.`;
}

/** What a seller is told of an account that another person here has connected. */
export function takenText(provider: PaymentProviderName): string {
  return `This ${PROVIDER_LABELS[provider]} account belongs to somebody else on ClipSwap already.`;
}

/**
 * The idempotency key of a set-up. What Stripe makes at first is an account, once, however often it is asked for; all
 * else is a link, which is made anew each time.
 */
export function setUpKey(
  row: { userId: number; provider: PaymentProviderName; accountRef: string | null; createdAt: Date },
  now: Date,
): string {
  const isAccount = row.provider === 'stripe' && row.accountRef === null;
  const attempt = isAccount ? row.createdAt : now;
  return `seller:${row.provider}:${row.userId}:${attempt.getTime()}`;
}
