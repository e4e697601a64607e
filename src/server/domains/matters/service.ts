import type {
  ListMattersInput,
  Matter,
  MatterInput,
  NoteMatterInput,
  RetriedMatter,
} from '#contract/matters.ts';
import { paths } from '#contract/pages.ts';
import type { Page } from '#contract/primitives.ts';
import { AppError } from '#server/core/errors.ts';
import { inTransaction, type Trx } from '#server/database/client.ts';
import { audit } from '../audit/service.ts';
import { handleDifference } from '../books/comparison.ts';
import type { Context, MemberContext } from '../context.ts';
import { notifyAll } from '../notifications/service.ts';
import { PAYMENT_ISSUES_TEXTS } from '../notifications/texts/oversight.ts';
import { retryPayment } from '../payments/admin.ts';
import { retryEvent } from '../payments/events.ts';
import { retryAct, retryPayoutsOf } from '../payments/operations.ts';
import * as store from './store.ts';
import { toMatter } from './view.ts';

/** The matters that wait for an admin, the oldest first. @throws AppError bad_input on `page` beyond the counted rows */
export async function listMatters(ctx: MemberContext, input: ListMattersInput): Promise<Page<Matter>> {
  const { rows, ...page } = await store.listMatters(ctx.db, { ...input, now: ctx.clock() });
  const notes = await store.listNotes(ctx.db, rows);
  return { items: rows.map((row) => toMatter(row, notes)), ...page };
}

/** How many matters of each kind wait for an admin. */
export async function countMatters(ctx: Pick<Context, 'db' | 'clock'>) {
  return store.countMatters(ctx.db, ctx.clock());
}

async function readMatter(ctx: MemberContext, input: MatterInput): Promise<Matter | null> {
  const row = await store.findMatter(ctx.db, input, ctx.clock());
  return row ? toMatter(row, await store.listNotes(ctx.db, [input])) : null;
}

/** @throws AppError conflict: it has settled itself */
async function requireMatter(ctx: MemberContext, trx: Trx, input: MatterInput): Promise<store.MatterRow> {
  const row = await store.findMatter(trx, input, ctx.clock());
  if (!row) throw new AppError('conflict', 'This is settled meanwhile: there is nothing left to do.');
  return row;
}

/** The audit log's line about an act on a matter. */
async function auditMatter(
  ctx: MemberContext,
  trx: Trx,
  { action, row, text = '' }: { action: string; row: store.MatterRow; text?: string },
): Promise<void> {
  const about = row.paymentId === null ? row.ref : `payment ${row.paymentId}`;
  await audit(trx, {
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
 * @returns the matter as it stands afterwards, or null if it is settled
 * @throws AppError conflict (settled meanwhile), bad_input (a difference without a payment), payments_unavailable (the
 *   provider does not answer)
 */
export async function retryMatter(ctx: MemberContext, input: MatterInput): Promise<RetriedMatter> {
  const row = await inTransaction(ctx.db, async (trx) => {
    const found = await requireMatter(ctx, trx, input);
    if (found.kind === 'difference' && found.paymentId === null) {
      const text =
        'This is no payment of ours, so there is nothing to try again. Look for it at the provider.';
      throw new AppError('bad_input', text);
    }
    await auditMatter(ctx, trx, { action: 'matter_retried', row: found });
    return found;
  });
  const { paymentId, provider } = row;
  if (row.kind === 'event') await retryEvent(ctx, provider, row.ref.slice(provider.length + 1));
  else if (row.kind === 'seller') await retryPayoutsOf(ctx, row.sellerId ?? 0, provider);
  else if (row.kind === 'act') await retryAct(ctx, paymentId ?? 0, row.what);
  else if (paymentId !== null) await retryPayment(ctx, paymentId);
  return { matter: await readMatter(ctx, input) };
}

/** Keeps a note on a matter for other admins. @throws AppError conflict (settled meanwhile) */
export async function noteMatter(
  ctx: MemberContext,
  { text, ...input }: NoteMatterInput,
): Promise<RetriedMatter> {
  await inTransaction(ctx.db, async (trx) => {
    const row = await requireMatter(ctx, trx, input);
    await store.insertNote(trx, { ...input, text, authorId: ctx.actor.id, at: ctx.clock() });
    await auditMatter(ctx, trx, { action: 'matter_noted', row, text });
  });
  return { matter: await readMatter(ctx, input) };
}

/**
 * Takes a matter off the list; it comes back if it ends and begins again.
 * @throws AppError conflict (settled meanwhile, or another admin has marked it)
 */
export async function handleMatter(ctx: MemberContext, input: MatterInput): Promise<RetriedMatter> {
  await inTransaction(ctx.db, async (trx) => {
    const row = await requireMatter(ctx, trx, input);
    const by = { handledBy: ctx.actor.id, at: ctx.clock() };
    const isFirst = await store.markHandled(trx, { ...input, since: row.since }, by);
    if (!isFirst) throw new AppError('conflict', 'Somebody has marked this as handled already.');
    if (row.kind === 'difference')
      await handleDifference(trx, { id: Number(row.ref), by: ctx.actor.id, note: null, at: by.at });
    await auditMatter(ctx, trx, { action: 'matter_handled', row });
  });
  return { matter: await readMatter(ctx, input) };
}

/** Admins get at most one mail about new matters in this time. */
const MAIL_PAUSE_MS = 3_600_000;

/** Mails the admins about new matters: the first at once, those of the next hour together. @returns how many */
export async function tellAdmins(ctx: Context): Promise<number> {
  return inTransaction(ctx.db, async (trx) => {
    const at = ctx.clock();
    const last = await store.lastMailedAt(trx);
    if (last !== null && at.getTime() - last.getTime() < MAIL_PAUSE_MS) return 0;
    const { length: count } = await store.markMailed(trx, at);
    if (count === 0) return 0;
    const notice = {
      type: 'other' as const,
      content: PAYMENT_ISSUES_TEXTS.text({ count }),
      relatedId: null,
      link: paths.adminMoney,
      mailSubject: PAYMENT_ISSUES_TEXTS.subject({ count }),
      at,
    };
    await notifyAll(
      trx,
      (await store.listAdmins(trx)).map((userId) => ({ userId, ...notice })),
    );
    return count;
  });
}
