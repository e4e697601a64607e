import { t } from '@lingui/core/macro';
import { utcDayAndTime } from '#contract/base/locale.ts';
import {
  CONSENT_DAYS_MAX,
  type ConsentForCouponInput,
  type ConsentForWantInput,
  type Consents,
} from '#contract/deals/market-days.ts';
import type { MemberContext } from '#server/context/context.ts';
import { addDays, utcDay } from '#server/core/clock.ts';
import { AppError, fieldError, notFound } from '#server/core/errors.ts';
import { countChange } from '#server/core/own-changes.ts';
import { lockCoupons } from '#server/coupons/core/service.ts';
import { inTransaction, type Trx } from '#server/database/client.ts';
import { findOfferable } from '#server/deals/lifecycle/service.ts';
import { checkConfirmed } from '#server/people/accounts/service.ts';
import * as store from './consents-store.ts';
import { isLocked, nextHour } from './hours.ts';
import { findOpenRun } from './runs-store.ts';

/** What the caller has agreed to that is not over. */
export async function listConsents(ctx: MemberContext): Promise<Consents> {
  return store.listConsents(ctx.db, { userId: ctx.actor.id, day: utcDay(addDays(ctx.clock(), -1)) });
}

/**
 * Agrees that a wish of the caller's is fulfilled on market day without asking, and that coupons of theirs are given for it.
 * @throws AppError not_found, bad_input, conflict (the wish gives nothing; market day is about to begin; there is none),
 *   coupon_unavailable, coupon_reserved, address_unconfirmed, rate_limited
 */
export async function consentForWant(ctx: MemberContext, input: ConsentForWantInput): Promise<Consents> {
  await admit(ctx, input.until);
  const { couponIds, ...consent } = input;
  await inTransaction(ctx.db, async (trx) => {
    await putCoupons(trx, ctx, { couponIds, minValue: null, until: input.until, path: 'couponIds' });
    const want = await ownWant(trx, ctx, input.wantId);
    if (want.gives === 'nothing')
      throw fieldError('conflict', 'wantId', t`Say on the wish first what you would give for it`);
    if (want.agreedAt) await checkUnlocked(trx, ctx, want.agreedAt);
    await store.putWantConsent(trx, { ...consent, createdAt: ctx.clock() });
  });
  return listConsents(ctx);
}

/** Takes it back. @throws AppError not_found, conflict (market day is about to begin), rate_limited */
export async function withdrawWant(ctx: MemberContext, wantId: number): Promise<Consents> {
  await countChange(ctx);
  await inTransaction(ctx.db, async (trx) => {
    const { agreedAt } = await ownWant(trx, ctx, wantId);
    if (agreedAt) await checkUnlocked(trx, ctx, agreedAt);
    await store.deleteWantConsent(trx, wantId);
  });
  return listConsents(ctx);
}

/** Agrees that a coupon of the caller's is given on market day without asking. @throws as consentForWant */
export async function consentForCoupon(ctx: MemberContext, input: ConsentForCouponInput): Promise<Consents> {
  await admit(ctx, input.until);
  const { couponId, ...terms } = input;
  await inTransaction(ctx.db, (trx) =>
    putCoupons(trx, ctx, { couponIds: [couponId], ...terms, path: 'couponId' }),
  );
  return listConsents(ctx);
}

/** Takes it back. @throws AppError not_found, conflict (market day is about to begin), rate_limited */
export async function withdrawCoupon(ctx: MemberContext, couponId: number): Promise<Consents> {
  await countChange(ctx);
  await inTransaction(ctx.db, async (trx) => {
    const [coupon] = await lockCoupons(trx, [couponId]);
    if (coupon?.ownerId !== ctx.actor.id) throw notFound(t`Coupon not found`);
    const [agreed] = await store.listAgreed(trx, [couponId]);
    if (agreed) await checkUnlocked(trx, ctx, agreed.createdAt);
    await store.deleteCouponConsent(trx, couponId);
  });
  return listConsents(ctx);
}

/** @throws AppError as a proposal: address_unconfirmed, rate_limited; bad_input on `until`; conflict (there is no market day) */
async function admit(ctx: MemberContext, until: string): Promise<void> {
  checkConfirmed(ctx);
  await countChange(ctx);
  if (!ctx.config.marketDay.isOn) throw new AppError('conflict', t`There is no market day for now.`);
  const { day } = nextHour(ctx.clock(), ctx.config.marketDay);
  if (until < day) throw fieldError('bad_input', 'until', t`Choose a day from the next market day on`);
  if (until > utcDay(addDays(ctx.clock(), CONSENT_DAYS_MAX)))
    throw fieldError('bad_input', 'until', t`Choose a day within ${CONSENT_DAYS_MAX} days`);
}

async function ownWant(trx: Trx, ctx: MemberContext, id: number) {
  const want = await store.lockWant(trx, { id, userId: ctx.actor.id });
  if (!want) throw notFound(t`Want not found`);
  return want;
}

async function putCoupons(
  trx: Trx,
  ctx: MemberContext,
  given: { couponIds: readonly number[]; minValue: number | null; until: string; path: string },
): Promise<void> {
  const { couponIds, minValue, until, path } = given;
  if (couponIds.length === 0) return;
  const coupons = await lockCoupons(trx, couponIds);
  const at = ctx.clock();
  const ownerId = ctx.actor.id;
  for (const couponId of couponIds) {
    const wrongOwner = (id: number) => (id === ownerId ? null : t`You can give only coupons of your own`);
    const coupon = findOfferable(coupons, { id: couponId, path, at, wrongOwner });
    if (coupon.transferable === 'no')
      throw fieldError('coupon_unavailable', path, t`Its merchant takes it from nobody else`);
  }
  for (const { createdAt } of await store.listAgreed(trx, couponIds))
    await checkUnlocked(trx, ctx, createdAt);
  for (const couponId of couponIds)
    await store.putCouponConsent(trx, { couponId, ownerId, minValue, until, createdAt: at });
}

/** @throws AppError conflict while what was agreed to at `agreedAt` stands until market day is over */
async function checkUnlocked(trx: Trx, ctx: MemberContext, agreedAt: Date): Promise<void> {
  const run = await findOpenRun(trx);
  const now = ctx.clock();
  if (!run || !ctx.config.marketDay.isOn || !isLocked(run, { agreedAt, now })) return;
  const [, time] = utcDayAndTime(run.at.toISOString());
  throw new AppError(
    'conflict',
    t`Market day begins at ${time} UTC. What you have agreed to stands until it is over.`,
  );
}
