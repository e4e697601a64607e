import { t } from '@lingui/core/macro';
import { LIMITS } from '#contract/base/limits.ts';
import { TEXTS } from '#contract/base/texts.ts';
import {
  type Coupon,
  type CreateCouponInput,
  checkExpiry,
  type IgnoredField,
  type UpdateCouponInput,
} from '#contract/coupons/coupons.ts';
import { checkValue } from '#contract/coupons/limits.ts';
import { checkPriceFloor } from '#contract/deals/bid-amounts.ts';
import type { Context, MemberContext } from '#server/context/context.ts';
import { AppError, fieldError, notFound } from '#server/core/errors.ts';
import { enforceLimit, type RateLimit } from '#server/core/rate-limit.ts';
import {
  attachImages,
  canBeDrawn,
  checkNotReissuing,
  codeOf,
  isPublicCode,
  lookAtNew,
  marksOf,
  OWN_USE,
  refuseListed,
  refusePublic,
  sealCode,
  storeCode,
  storedCode,
  storePin,
} from '#server/coupons/codes/service.ts';
import { findCoupon, present } from '#server/coupons/core/finding.ts';
import { dayAt, lastDayOffset as lastDayOffsetOf } from '#server/coupons/core/last-day.ts';
import { type LockedCoupon, lockCoupons } from '#server/coupons/core/reservations.ts';
import { categoryAfterEdit, changesTerms, expiryAfterEdit, isPersonal } from '#server/coupons/core/rules.ts';
import * as store from '#server/coupons/core/store.ts';
import { endDraft } from '#server/coupons/drafts/service.ts';
import { inTransaction, type Trx } from '#server/database/client.ts';
import { isNewcomer } from '#server/people/accounts/service.ts';
import { loggingOf, recordLog } from '#server/people/notifications/service.ts';
import { replacePicture } from '#server/people/pictures/service.ts';
import { COUPON_HISTORY } from '#server/texts/coupons.ts';
import { stopAwaiting } from './feed-pictures.ts';

const tooManyListings = () => t`You have listed as many coupons as you can in one day.`;
const LISTINGS: RateLimit = { name: 'listings', text: tooManyListings, ...LIMITS.listings };
const LISTINGS_OF_NEWCOMER: RateLimit = {
  name: 'listings-new',
  text: tooManyListings,
  ...LIMITS.listingsOfNewAccount,
};

/**
 * Lists a coupon of the caller's; one with a public code is kept for their own use, as if imported. Without a typed code
 * it takes the code on the pictures. Repeating a `clientKey` lists nothing and returns the listed coupon: the first
 * answer was lost. While codes of the merchant are being guessed, the coupon waits for a moderator instead, whether its
 * code is listed already or not.
 * @throws AppError bad_input (expired, or two codes that differ), code_dead, code_listed, rate_limited (listings, or
 *   new codes), unauthorized (the account has just been deleted)
 */
export async function createCoupon(ctx: MemberContext, input: CreateCouponInput): Promise<Coupon> {
  const { clientKey } = input;
  const listed = async () => {
    const row = clientKey && (await store.findByClientKey(ctx.db, ctx.actor.id, clientKey));
    return row ? present(ctx, row) : null;
  };
  const before = await listed();
  if (before) return before;
  try {
    return await listNew(ctx, input);
  } catch (error) {
    // The same coupon was being listed at the same moment.
    const meanwhile = await listed();
    if (meanwhile) return meanwhile;
    throw error;
  }
}

async function listNew(ctx: MemberContext, input: CreateCouponInput): Promise<Coupon> {
  const { code: _alias, codeValue: _code, acknowledgeDeadCode: _dead, draftId, pin, ...given } = input;
  const { qrCodeUrl, barcodeUrl, imageUrl, ...fields } = given;
  const at = ctx.clock();
  const ending = endingOf(input, input.timeZone ?? null, at);
  const typed = codeOf(input);
  const { listings, listingsOfNewAccount } = ctx.config.limits;
  const limit = isNewcomer(ctx)
    ? { ...LISTINGS_OF_NEWCOMER, points: listingsOfNewAccount }
    : { ...LISTINGS, points: listings };
  await enforceLimit(ctx.limiter, limit, String(ctx.actor.id));
  const { code, mustWait } = await lookAtNew(ctx, input);
  return inTransaction(ctx.db, async (trx) => {
    const pictureId = await takePicture(trx, ctx, imageUrl, null);
    const ownerId = ctx.actor.id;
    const { merchant } = fields;
    const isPublic = code !== null && (await isPublicCode(trx, ctx, { merchant, code }));
    const values = {
      ...fields,
      // What everybody finds in Discover is no secret, and nobody else sees the coupon.
      ...(isPublic ? OWN_USE : { waitingSince: mustWait ? at : null }),
      ...ending,
      ...{ pictureId, ownerId, createdAt: at, updatedAt: at },
    };
    const marks = typed === null ? {} : marksOf(trx, ctx, { merchant, code: typed });
    const id = await store.insertCoupon(trx, { ...values, ...marks }).catch(refuseListed);
    // A new coupon has no pictures to remove.
    const urls = { qrCodeUrl: qrCodeUrl ?? undefined, barcodeUrl: barcodeUrl ?? undefined };
    const pictured = await attachImages(trx, ctx, { id, merchant }, urls);
    if (draftId !== undefined) await endDraft(trx, ctx, draftId, id);
    const known = typed ?? pictured;
    const isDrawable = known !== null && (await canBeDrawn(trx, ctx, { id, code: known }));
    if (typed === null && pictured !== null)
      await storeCode(trx, ctx, {
        ...{ id, merchant, category: values.category, code: pictured, isDrawable },
        isNewCode: true,
      });
    const sealed = typed === null ? null : sealCode(ctx, id, typed);
    const details = COUPON_HISTORY[isPublic ? 'keptPublic' : 'listed']({ coupon: fields.title });
    const line = { action: 'created', details, couponId: id, at } as const;
    const logging = loggingOf(ownLine(ctx, line));
    const row = await store.finishCoupon(trx, { id, ownerId, code: sealed, isDrawable, logging });
    if (pin !== null) await storePin(trx, ctx, id, pin);
    // The insert has waited for a deletion of the account that began before it.
    if (row.ownerDeletedAt !== null) throw new AppError('unauthorized', TEXTS.requests.unauthorized());
    return present(ctx, row);
  });
}

/** An edit of a locked coupon of which only the coupon itself is not written yet. */
interface Edit {
  /** Whether it changes what deals are about: the `Terms`, the code or its pictures. */
  readonly changesTerms: boolean;
  finish(): Promise<Coupon>;
}

/**
 * Changes what an edit names and keeps the rest. A new code or merchant ends the verification unless the merchant's own
 * programme confirms it, and a newly typed code removes the old pictures.
 * @param mustWait whether the new code has to wait, as in `createCoupon`
 * @throws AppError bad_input, not_found, forbidden, coupon_reserved (while a deal holds it), conflict (it is used),
 *   code_dead, code_listed
 */
export async function beginEdit(
  trx: Trx,
  ctx: MemberContext,
  input: UpdateCouponInput,
  mustWait: boolean,
): Promise<Edit> {
  const { id, code: _alias, codeValue: _code, acknowledgeDeadCode: _dead, pin, ...given } = input;
  const { qrCodeUrl, barcodeUrl, imageUrl, ...changes } = given;
  await lockOwn(trx, ctx, id);
  const at = ctx.clock();
  const before = await findCoupon(ctx, trx, id);
  if (before.usedAt !== null)
    throw new AppError('conflict', t`You marked this coupon as used, so you can no longer edit it.`);
  const fields = fieldsAfterEdit(before, changes, at);
  const oldCode = storedCode(ctx, before);
  const isTyped = codeOf(input) !== null && codeOf(input) !== oldCode;
  // Otherwise a buyer would get pictures of the old code.
  const stale = isTyped ? null : undefined;
  const urls = {
    qrCodeUrl: qrCodeUrl === undefined ? stale : qrCodeUrl,
    barcodeUrl: barcodeUrl === undefined ? stale : barcodeUrl,
  };
  const pictured = await attachImages(trx, ctx, { id, merchant: fields.merchant }, urls);
  const code = codeOf(input) ?? oldCode ?? pictured;
  const pictureId =
    imageUrl === undefined ? before.pictureId : await takePicture(trx, ctx, imageUrl, before.pictureId);
  const isOtherPicture = qrCodeUrl !== undefined || barcodeUrl !== undefined;
  const isOtherOffer = code !== oldCode || fields.merchant !== before.merchant;
  if (mustWait) await store.updateCoupon(trx, id, { waitingSince: at });
  // Before the update that lists the coupon again: if it was not listed, somebody else may have its old code by now.
  const mayDraw = code !== oldCode || before.isDrawable === true;
  const isDrawable = mayDraw && code !== null && (await canBeDrawn(trx, ctx, { id, code }));
  if (code !== null && isOtherOffer) {
    const { merchant } = fields;
    if (!isPersonal(before.category)) await refusePublic(trx, ctx, { merchant, code });
    await storeCode(trx, ctx, { ...fields, id, code, isDrawable, isNewCode: code !== oldCode });
  } else if (!isDrawable) await store.markUndrawable(trx, id);
  // The PIN of an earlier code is none of this one.
  if (pin !== undefined || code !== oldCode) await storePin(trx, ctx, id, pin ?? null);
  if (isOtherOffer || pictureId !== before.pictureId) await stopAwaiting(trx, id);
  const hasNewTerms =
    code !== oldCode || pin !== undefined || isOtherPicture || changesTerms(before, { ...fields, pictureId });
  const values = {
    ...fields,
    pictureId,
    ...(isOtherPicture && !isOtherOffer && { isVerified: false }),
    ...((isOtherPicture || isOtherOffer) && { reissuedAt: null }),
    // Public codes are never listed.
    isActive: !isPersonal(before.category) && checkExpiry(fields, dayAt(at, fields.lastDayOffset)) === null,
    updatedAt: at,
  };
  return {
    changesTerms: hasNewTerms,
    async finish() {
      await store.updateCoupon(trx, id, values).catch(refuseListed);
      const details = COUPON_HISTORY.edited({ coupon: fields.title });
      await recordLog(trx, ownLine(ctx, { action: 'updated', details, couponId: id, at }));
      return present(ctx, await findCoupon(ctx, trx, id));
    },
  };
}

const PAST_AT_ONCE = 1_000;

/**
 * Delists expired coupons. The lists check the last day themselves and are right without it; it keeps expired coupons
 * out of their indexes, which would otherwise grow slower every year. An edit with a new last day lists a coupon again.
 * @returns how many were delisted
 */
export async function delistPastCoupons(ctx: Context): Promise<number> {
  let count = 0;
  for (let delisted = PAST_AT_ONCE; delisted === PAST_AT_ONCE; ) {
    delisted = await store.delistPast(ctx.db, ctx.clock(), PAST_AT_ONCE);
    count += delisted;
  }
  return count;
}

/** The last day to store, and where it ends last. @throws AppError bad_input if it has passed there */
function endingOf(
  input: Pick<CreateCouponInput, 'hasNoExpiry' | 'expiryDate' | 'regions'>,
  timeZone: string | null,
  now: Date,
): { expiryDate: string | null; lastDayOffset: number; timeZone: string | null } {
  const expiryDate = input.hasNoExpiry ? null : input.expiryDate;
  const lastDayOffset = lastDayOffsetOf({ expiryDate, regions: input.regions, timeZone });
  const problem = checkExpiry(input, dayAt(now, lastDayOffset));
  if (problem !== null) throw fieldError('bad_input', 'expiryDate', problem);
  return { expiryDate, lastDayOffset, timeZone };
}

type Changes = Omit<
  UpdateCouponInput,
  | ('id' | 'codeValue' | 'code' | 'pin' | 'acknowledgeDeadCode' | 'qrCodeUrl' | 'barcodeUrl' | 'imageUrl')
  | IgnoredField
>;

/** The owner's fields after an edit. @throws AppError bad_input where a change does not fit the rest */
function fieldsAfterEdit(before: store.CouponRow, changes: Changes, at: Date) {
  const { title, description, value, discountType, merchant, category, terms, sourceUrl } = before;
  const { regions, transferable, isOpenToOffers, askingPrice } = before;
  const fields = {
    ...{ title, description, value, discountType, merchant, terms, sourceUrl },
    ...{ regions, transferable, isOpenToOffers, askingPrice },
    priceFloor: changes.askingPrice === null ? null : before.priceFloor,
    ...changes,
    ...expiryAfterEdit(before, changes),
    category: categoryAfterEdit(category, changes.category ?? category),
  } satisfies Record<keyof Changes, unknown>;
  const hasNewValue = fields.value !== value || fields.discountType !== discountType;
  const problem = checkValue(fields);
  if (problem !== null) throw fieldError('bad_input', 'value', problem);
  const floorProblem = checkPriceFloor(fields);
  if (floorProblem !== null) throw fieldError('bad_input', 'priceFloor', floorProblem);
  const hasNewExpiry = changes.hasNoExpiry !== undefined || changes.expiryDate !== undefined;
  const { timeZone } = before;
  const { lastDayOffset } = hasNewExpiry
    ? endingOf(fields, timeZone, at)
    : { lastDayOffset: lastDayOffsetOf({ ...fields, timeZone }) };
  return { ...fields, lastDayOffset, isValueRead: before.isValueRead && !hasNewValue };
}

/** The picture of the offer that a coupon gets in place of the one before. @throws AppError bad_input */
function takePicture(
  trx: Trx,
  ctx: MemberContext,
  url: string | null,
  before: string | null,
): Promise<string | null> {
  const given = { kind: 'offer', field: 'imageUrl', uploaderId: ctx.actor.id, at: ctx.clock() } as const;
  return replacePicture(trx, { ...given, url, before });
}

/** Locks a coupon that the caller may change now. @throws AppError not_found, forbidden, coupon_reserved */
export async function lockOwn(trx: Trx, ctx: MemberContext, id: number): Promise<{ title: string }> {
  const [coupon] = await lockCoupons(trx, [id]);
  if (!coupon || coupon.deletedAt !== null) throw notFound(t`Coupon not found`);
  if (coupon.ownerId !== ctx.actor.id) {
    throw new AppError('forbidden', t`Only the owner of a coupon can change or delete it.`);
  }
  if (coupon.heldBy !== null) throw new AppError('coupon_reserved', heldText(coupon.heldBy));
  await checkNotReissuing(trx, [id]);
  return coupon;
}

function heldText(by: NonNullable<LockedCoupon['heldBy']>): string {
  switch (by) {
    case 'exchange':
      return t`This coupon is part of an accepted exchange. Cancel the exchange before you change or delete the coupon.`;
    case 'bid':
      return t`You accepted a bid on this coupon. You cannot change or delete it until the bidder pays or their time is over.`;
    case 'protection':
      return t`This coupon is protected until its sale is final and no claim about it is open. Confirm that the code works, or withdraw the claim, first.`;
  }
}

type Act = Pick<Parameters<typeof recordLog>[1], 'action' | 'details' | 'couponId' | 'at'>;

/** Returns the line of the caller's own history. */
function ownLine({ actor }: MemberContext, act: Act): Parameters<typeof recordLog>[1] {
  return { ...act, userId: actor.id, actorId: actor.id };
}

export { hideListedOf, relistCouponsOf } from './banned-coupons.ts';
export { forbidFeedPicture, takeFeedPictures } from './feed-pictures.ts';
export { importCoupon } from './importing.ts';
export { deleteCoupon, ownedCouponIds, removeCouponsOf, takePictureDown } from './removing.ts';
