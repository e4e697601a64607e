import {
  type ConnectAccountStatus,
  connectAccountStatusSchema,
  type PaypalSellerStatus,
} from '#contract/sellers.ts';
import { badgeOf, failedPayoutText } from './rules.ts';
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
    requirements: requirementsSchema.parse(row?.requirements ?? []),
    isRestricted: row?.isRestricted ?? false,
    failedPayout: row?.failedPayout ? failedPayoutText(row.provider, row.failedPayout) : null,
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
