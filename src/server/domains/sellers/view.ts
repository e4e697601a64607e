import {
  type ConnectAccountStatus,
  connectAccountStatusSchema,
  type PaypalSellerStatus,
} from '#contract/sellers.ts';
import { badgeOf } from './rules.ts';
import type { AccountRow } from './store.ts';

/** How an answer came about: whether the provider can be asked here, and why it has not been, if so. */
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
  };
}

/** A seller's Stripe account as they themselves see it. */
export function toConnectStatus(
  row: AccountRow | undefined,
  { isAvailable, note }: Answered,
): ConnectAccountStatus {
  const { hasAccount, ...rest } = common(row, isAvailable);
  const status = row && hasAccount ? { requiresAction: !row.isReady, payoutsEnabled: row.isReady } : null;
  return { ...rest, hasAccount, status, note };
}

/** A seller's PayPal account as they themselves see it. */
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
