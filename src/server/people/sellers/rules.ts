import { t } from '@lingui/core/macro';
import { marketName } from '#contract/base/market.ts';
import { type PaymentProviderName, PROVIDER_NAMES, type SellerBadge } from '#contract/people/sellers.ts';

/** The badge of spec/3 section 2. `isReady`: the provider says that money can be paid there now. */
export function badgeOf(account: { hasAccount: boolean; isReady: boolean }): SellerBadge {
  if (!account.hasAccount) return 'setup_required';
  return account.isReady ? 'active' : 'action_required';
}

/** The message when the provider refuses to begin the set-up. */
export function refusalText(provider: PaymentProviderName, code: string, country: string): string {
  const label = PROVIDER_NAMES[provider];
  if (/country/i.test(code)) return t`${label} does not pay sellers in ${country}. The other provider may.`;
  return t`${label} did not accept the set-up. Please try again, or choose the other provider.`;
}

/** The note beside the last known state when the provider does not answer. */
export function staleText(provider: PaymentProviderName): string {
  return t`${PROVIDER_NAMES[provider]} is not available right now. This is what it last told us.`;
}

/** The message when another person has connected the account. */
export function takenText(provider: PaymentProviderName): string {
  return t`This ${PROVIDER_NAMES[provider]} account already belongs to someone else on ${{ market: marketName() }}.`;
}

/**
 * The idempotency key of a set-up. Stripe first creates an account, which must happen once; everything else is a link,
 * which is new each time.
 */
export function setUpKey(
  row: { userId: number; provider: PaymentProviderName; accountRef: string | null; createdAt: Date },
  now: Date,
): string {
  const isAccount = row.provider === 'stripe' && row.accountRef === null;
  const attempt = isAccount ? row.createdAt : now;
  return `seller:${row.provider}:${row.userId}:${attempt.getTime()}`;
}
