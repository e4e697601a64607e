import type { SessionUser } from '#contract/people/accounts.ts';
import {
  type ConnectAccountStatus,
  type CurrentUser,
  connectAccountStatusSchema,
  type PaymentProviderName,
  type PaypalSellerStatus,
} from '#contract/people/sellers.ts';
import { trackingIdOf } from '#server/providers/paypal/onboarding.ts';
import { requirementText } from '#server/providers/requirements.ts';
import { SELLER_TEXTS } from '#server/texts/money.ts';
import { textOf } from '#server/texts/reading.ts';
import { badgeOf } from './rules.ts';
import type { AccountRow } from './store.ts';

/** Whether the provider is set up here, and a note when it did not answer. */
type Answered = Pick<ConnectAccountStatus, 'isAvailable' | 'note'>;

const { requirements: requirementsSchema } = connectAccountStatusSchema.shape;

function common(row: AccountRow | undefined, isAvailable: boolean) {
  const hasAccount = Boolean(row?.accountRef);
  return {
    isAvailable,
    hasAccount,
    badge: badgeOf({ hasAccount, isReady: row?.isReady ?? false }),
    requirements: requirementsSchema.parse(row?.requirements ?? []).map(requirementText),
    isRestricted: row?.isRestricted ?? false,
    failedPayout: row?.failedPayout
      ? textOf(SELLER_TEXTS.payoutFailed.text({ provider: row.provider, ...row.failedPayout }))
      : null,
  };
}

export function toConnectStatus(
  row: AccountRow | undefined,
  { isAvailable, note }: Answered,
): ConnectAccountStatus {
  const { hasAccount, ...rest } = common(row, isAvailable);
  const status = row && hasAccount ? { requiresAction: !row.isReady, payoutsEnabled: row.isReady } : null;
  return { ...rest, hasAccount, status, note };
}

export function toPaypalStatus(
  row: AccountRow | undefined,
  { isAvailable, note }: Answered,
): PaypalSellerStatus {
  const { hasAccount, ...rest } = common(row, isAvailable);
  const status =
    row && hasAccount
      ? { payments_receivable: row.paymentsReceivable, primary_email_confirmed: row.primaryEmailConfirmed }
      : null;
  return { ...rest, hasAccount, merchantId: row?.accountRef ?? null, status, note };
}

/** What `/api/user` says of a person's accounts. */
export function toAccountFields(accounts: readonly AccountRow[]): Omit<CurrentUser, keyof SessionUser> {
  const [stripe, paypal] = [accountOf(accounts, 'stripe'), accountOf(accounts, 'paypal')];
  return {
    stripeConnectAccountId: stripe?.accountRef ?? null,
    stripeAccountStatus: statusOf(stripe),
    payoutEnabled: stripe?.isReady ?? false,
    paypalMerchantId: paypal?.accountRef ?? null,
    paypalTrackingId: paypal ? trackingIdOf(paypal.userId) : null,
    paypalAccountStatus: statusOf(paypal),
    paypalEmailConfirmed: paypal?.primaryEmailConfirmed ?? false,
    paypalPaymentsReceivable: paypal?.paymentsReceivable ?? false,
  };
}

function accountOf(accounts: readonly AccountRow[], provider: PaymentProviderName): AccountRow | undefined {
  return accounts.find((account) => account.provider === provider);
}

/** `pending` until the provider has assigned an account. */
function statusOf(row: AccountRow | undefined): CurrentUser['stripeAccountStatus'] {
  const badge = badgeOf({ hasAccount: Boolean(row?.accountRef), isReady: row?.isReady ?? false });
  return badge === 'setup_required' ? 'pending' : badge;
}
