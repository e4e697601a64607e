import { t } from '@lingui/core/macro';
import { baseCurrency } from '#contract/base/money.ts';
import type { PaymentIssue } from '#contract/money/payment-issues.ts';
import type { UserStatus } from '#contract/people/accounts.ts';
import { requirementText } from '#server/providers/requirements.ts';
import type { listNotes, PaymentIssueRow } from './store.ts';

type NoteRow = Awaited<ReturnType<typeof listNotes>>[number];

function personOf(id: number | null, username: string | null, status: UserStatus | null) {
  return id === null || username === null || status === null ? null : { id, username, status };
}

function differenceText(amounts: string): string {
  const [ours = '', theirs = ''] = amounts.split(' ');
  return t`In our books: ${ours} ${{ currency: baseCurrency() }}. At the provider: ${theirs} ${{ currency: baseCurrency() }}.`;
}

/** An issue with its notes, picked from `notes`. */
export function toPaymentIssue(row: PaymentIssueRow, notes: readonly NoteRow[]): PaymentIssue {
  return {
    kind: row.kind,
    ref: row.ref,
    provider: row.provider,
    what: row.what,
    since: row.since.toISOString(),
    amount: row.amount,
    attempts: row.attempts,
    lastError: row.kind === 'difference' ? differenceText(row.lastError ?? '') : row.lastError,
    nextTryAt: row.nextTryAt?.toISOString() ?? null,
    dueAt: row.dueAt?.toISOString() ?? null,
    paymentId: row.paymentId,
    bidId: row.bidId,
    couponTitle: row.couponTitle,
    buyer: personOf(row.buyerId, row.buyerUsername, row.buyerStatus),
    seller: personOf(row.sellerUserId, row.sellerUsername, row.sellerStatus),
    requirements: (row.requirements ?? []).map(requirementText),
    handledAt: row.isHandled ? (row.handledAt?.toISOString() ?? null) : null,
    handledBy: row.isHandled ? row.handledBy : null,
    notes: notes
      .filter(({ kind, ref }) => kind === row.kind && ref === row.ref)
      .map(({ id, author, text, createdAt }) => ({ id, author, text, createdAt: createdAt.toISOString() })),
  };
}
