import { t } from '@lingui/core/macro';
import { DRAFT_DAYS, type MailAddress } from '#contract/coupons/drafts.ts';
import type { Context, MemberContext } from '#server/context/context.ts';
import { addDays } from '#server/core/clock.ts';
import { notFound } from '#server/core/errors.ts';
import { discardUploads } from '#server/coupons/images/service.ts';
import { inTransaction, type Trx } from '#server/database/client.ts';
import { ownToken, removeToken, renewToken } from '#server/people/private-addresses/service.ts';
import * as store from './store.ts';

/** The domain of the addresses. @throws AppError not_found where the operator has set none */
function domainOf({ providers }: Context): string {
  if (!providers.inboundMail) throw notFound(t`Mail address not found`);
  return providers.inboundMail.domain;
}

/** The address to which the caller forwards vouchers. */
export async function ownMailAddress(ctx: MemberContext): Promise<MailAddress> {
  const domain = ctx.providers.inboundMail?.domain;
  const token = domain === undefined ? null : await ownToken(ctx, 'mail');
  return { address: token && `${token}@${domain}` };
}

/** Gives the caller a new address. The old one stops working at once. @throws AppError not_found */
export async function renewMailAddress(ctx: MemberContext): Promise<MailAddress> {
  const domain = domainOf(ctx);
  return { address: `${await renewToken(ctx, 'mail')}@${domain}` };
}

/** Ends the caller's address; may be repeated. */
export async function removeMailAddress(ctx: MemberContext): Promise<void> {
  await removeToken(ctx, 'mail');
}

/** How many drafts wait for the caller. */
export async function countDrafts(ctx: MemberContext): Promise<{ waiting: number }> {
  return { waiting: await store.countDrafts(ctx.db, ctx.actor.id) };
}

/** Deletes one of the caller's drafts with its picture. @throws AppError not_found */
export async function discardDraft(ctx: MemberContext, id: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    if (!(await endDraft(trx, ctx, id))) throw notFound(t`Draft not found`);
  });
}

/**
 * Ends a draft of the caller: what its coupon has not taken of it is discarded.
 * @param couponId the coupon that it has become
 * @returns whether it is theirs
 */
export async function endDraft(
  trx: Trx,
  ctx: MemberContext,
  id: number,
  couponId?: number,
): Promise<boolean> {
  if (couponId !== undefined) await store.moveViews(trx, { id, userId: ctx.actor.id, couponId });
  const draft = await store.deleteDraft(trx, { id, userId: ctx.actor.id });
  if (draft?.imageId) await discardUploads(trx, { ids: [draft.imageId], at: ctx.clock() });
  return draft !== undefined;
}

/** Deletes drafts that nobody has looked over for a month; their pictures expire then, too. */
export async function lapseDrafts(ctx: Context): Promise<void> {
  await inTransaction(ctx.db, (trx) => store.deleteOld(trx, addDays(ctx.clock(), -DRAFT_DAYS)));
}

/** Deletes the mails and drafts of a person who leaves. */
export async function forgetDrafts(trx: Trx, userId: number): Promise<void> {
  await store.deleteAllOf(trx, userId);
}

export { readWaitingMail } from './reading.ts';

export { draftContext, mailPartContext, mailReportContext } from './view.ts';
