import { t } from '@lingui/core/macro';
import { paths } from '#contract/base/pages.ts';
import type { Page } from '#contract/base/primitives.ts';
import type {
  ListPaymentIssuesInput,
  NotePaymentIssueInput,
  PaymentIssue,
  PaymentIssueInput,
  RetriedPaymentIssue,
} from '#contract/money/payment-issues.ts';
import type { Context, MemberContext } from '#server/context/context.ts';
import { AppError } from '#server/core/errors.ts';
import { inTransaction, type Trx } from '#server/database/client.ts';
import { handleDifference } from '#server/money/comparison/service.ts';
import { retryDeposit } from '#server/money/deposits/service.ts';
import { retryEvent, retryOperation, retryPayment, retryPayoutsOf } from '#server/money/payments/service.ts';
import { isOwnCase, refuseOwnCase } from '#server/people/audit/own-cases-sql.ts';
import { audit } from '#server/people/audit/service.ts';
import { notifyAll } from '#server/people/notifications/service.ts';
import { PAYMENT_ISSUES_TEXTS } from '#server/texts/oversight.ts';
import * as store from './store.ts';
import { toPaymentIssue } from './view.ts';

/** The issues that wait for this admin, the oldest first, without those of their own sales. @throws AppError bad_input on `page` beyond the counted rows */
export async function listPaymentIssues(
  ctx: MemberContext,
  input: ListPaymentIssuesInput,
): Promise<Page<PaymentIssue>> {
  const { rows, ...page } = await store.listPaymentIssues(ctx.db, {
    ...input,
    now: ctx.clock(),
    judgeId: ctx.actor.id,
  });
  const notes = await store.listNotes(ctx.db, rows);
  return { items: rows.map((row) => toPaymentIssue(row, notes)), ...page };
}

/** How many issues of each kind wait for an admin. */
export async function countPaymentIssues(ctx: Pick<Context, 'db' | 'clock'>) {
  return store.countPaymentIssues(ctx.db, ctx.clock());
}

async function readPaymentIssue(ctx: MemberContext, input: PaymentIssueInput): Promise<PaymentIssue | null> {
  const row = await store.findPaymentIssue(ctx.db, input, ctx.clock());
  return row ? toPaymentIssue(row, await store.listNotes(ctx.db, [input])) : null;
}

/** @throws AppError conflict (it has settled itself), forbidden (it is about a sale of the caller's) */
async function requirePaymentIssue(
  ctx: MemberContext,
  trx: Trx,
  input: PaymentIssueInput,
): Promise<store.PaymentIssueRow> {
  const row = await store.findPaymentIssue(trx, input, ctx.clock());
  if (!row) throw new AppError('conflict', t`This is already settled: there is nothing left to do.`);
  const parties = [row.buyerId, row.sellerUserId];
  refuseOwnCase(ctx.actor.id, parties, t`You are part of this sale: another admin has to look after it.`);
  return row;
}

/** The audit log's line about an action on an issue. */
async function auditPaymentIssue(
  ctx: MemberContext,
  trx: Trx,
  { action, row, text = '' }: { action: string; row: store.PaymentIssueRow; text?: string },
): Promise<void> {
  const about = row.paymentId === null ? row.ref : `payment ${row.paymentId}`;
  await audit(trx, ctx, {
    actorId: ctx.actor.id,
    action,
    details: [`${row.kind} ${row.what} at ${row.provider}, ${about}.`, text].join(' ').trim(),
    targetUserId: row.sellerUserId,
    at: ctx.clock(),
  });
}

/**
 * Tries at once what a program would try later or has given up, or reads it again from the provider. A failed try is
 * no error: the answer says what the provider said.
 * @returns the issue as it stands afterwards, or null if it is settled
 * @throws AppError conflict (settled meanwhile), bad_input (a difference without a payment), payments_unavailable (the
 *   provider does not answer)
 */
export async function retryPaymentIssue(
  ctx: MemberContext,
  input: PaymentIssueInput,
): Promise<RetriedPaymentIssue> {
  const row = await inTransaction(ctx.db, async (trx) => {
    const found = await requirePaymentIssue(ctx, trx, input);
    if (found.kind === 'difference' && found.paymentId === null) {
      const text = t`This is not one of our payments, so there is nothing to retry. Look for it at the provider.`;
      throw new AppError('bad_input', text);
    }
    await auditPaymentIssue(ctx, trx, { action: 'payment_issue_retried', row: found });
    return found;
  });
  const { paymentId, provider } = row;
  if (row.kind === 'event') await retryEvent(ctx, provider, row.ref.slice(provider.length + 1));
  else if (row.kind === 'seller') await retryPayoutsOf(ctx, row.sellerId ?? 0, provider);
  else if (row.kind === 'operation') await retryOperation(ctx, paymentId ?? 0, row.what);
  else if (row.what === 'deposit') await retryDeposit(ctx, Number(row.ref.slice('deposit-'.length)));
  else if (paymentId !== null) await retryPayment(ctx, paymentId);
  return { issue: await readPaymentIssue(ctx, input) };
}

/** Keeps a note on an issue for other admins. @throws AppError conflict (settled meanwhile) */
export async function notePaymentIssue(
  ctx: MemberContext,
  { text, ...input }: NotePaymentIssueInput,
): Promise<RetriedPaymentIssue> {
  await inTransaction(ctx.db, async (trx) => {
    const row = await requirePaymentIssue(ctx, trx, input);
    await store.insertNote(trx, { ...input, text, authorId: ctx.actor.id, at: ctx.clock() });
    await auditPaymentIssue(ctx, trx, { action: 'payment_issue_noted', row, text });
  });
  return { issue: await readPaymentIssue(ctx, input) };
}

/**
 * Takes an issue off the list; it comes back if it ends and begins again.
 * @throws AppError conflict (settled meanwhile, or another admin has marked it)
 */
export async function handlePaymentIssue(
  ctx: MemberContext,
  input: PaymentIssueInput,
): Promise<RetriedPaymentIssue> {
  await inTransaction(ctx.db, async (trx) => {
    const row = await requirePaymentIssue(ctx, trx, input);
    const by = { handledBy: ctx.actor.id, at: ctx.clock() };
    const isFirst = await store.markHandled(trx, { ...input, since: row.since }, by);
    if (!isFirst) throw new AppError('conflict', t`Someone has already marked this as handled.`);
    if (row.kind === 'difference')
      await handleDifference(trx, { id: Number(row.ref), by: ctx.actor.id, note: null, at: by.at });
    await auditPaymentIssue(ctx, trx, { action: 'payment_issue_handled', row });
  });
  return { issue: await readPaymentIssue(ctx, input) };
}

/** Admins get at most one mail about new issues in this time. */
const MAIL_PAUSE_MS = 3_600_000;

/**
 * Mails the admins about new issues, each without those of their own sales: the first at once, those of the next hour
 * together.
 * @returns how many
 */
export async function tellAdmins(ctx: Context): Promise<number> {
  return inTransaction(ctx.db, async (trx) => {
    const at = ctx.clock();
    const last = await store.lastMailedAt(trx);
    if (last !== null && at.getTime() - last.getTime() < MAIL_PAUSE_MS) return 0;
    const fresh = await store.markMailed(trx, at);
    if (fresh.length === 0) return 0;
    const told = (await store.listAdmins(trx)).map((userId) => ({
      userId,
      count: fresh.filter((parties) => !isOwnCase(userId, parties)).length,
    }));
    await notifyAll(
      trx,
      told
        .filter(({ count }) => count > 0)
        .map(({ userId, count }) => ({
          userId,
          type: 'other' as const,
          content: PAYMENT_ISSUES_TEXTS.text({ count }),
          relatedId: null,
          link: paths.adminMoney,
          mailSubject: PAYMENT_ISSUES_TEXTS.subject({ count }),
          at,
        })),
    );
    return fresh.length;
  });
}
