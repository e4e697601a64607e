import type { z } from 'zod';
import {
  type Coupon,
  type CouponSort,
  type CreateCouponInput,
  checkExpiry,
  type ListCouponsInput,
  type listOwnCouponsInputSchema,
  type revealedCodeSchema,
  type UpdateCouponInput,
} from '#contract/coupons.ts';
import { COUNT_CAP, type Page } from '#contract/primitives.ts';
import { TEXTS } from '#contract/texts.ts';
import { addDays, utcDay } from '#server/core/clock.ts';
import { AppError, fieldError, notFound } from '#server/core/errors.ts';
import { type RateLimit, refuseIfSpent } from '#server/core/rate-limit.ts';
import { inTransaction, isUniqueViolation, type Trx } from '#server/database/client.ts';
import type { Context, MemberContext } from '../context.ts';
import { cancelPendingDeals, type LockedCoupon, lockCoupons } from '../deals/service.ts';
import { recordLog } from '../notifications/service.ts';
import { categoryAfterEdit, changesTerms, decodeCursor, encodeCursor } from './rules.ts';
import * as store from './store.ts';
import { codeContext, codeFingerprint, toCoupon } from './view.ts';

/** Who is told again and again that a code is listed already is guessing codes. */
const LISTED_CODES_PER_PERSON: RateLimit = { name: 'listed-codes', points: 20, seconds: 3_600 };

/** The owner sees so many of the latest looks at a code. */
const REVEALS_SHOWN = 20;

/**
 * The coupons on offer: active, and not past their last day.
 * @throws AppError bad_input on `page` beyond the counted rows, on `after` where it is no cursor of this sort
 */
export async function listCoupons(ctx: Context, input: ListCouponsInput): Promise<Page<Coupon>> {
  const { sort, limit, category, merchant = '', search = '', minValue, maxValue, expiryDays } = input;
  const now = ctx.clock();
  const expiresBy = expiryDays === undefined ? undefined : utcDay(addDays(now, expiryDays));
  const found = { category, merchant, search, minValue, maxValue, expiresBy };
  const filter = { ...found, sort, today: utcDay(now) };
  const [rows, counts] = await Promise.all([
    store.listCoupons(ctx.db, filter, sliceOf(input), ctx.actor?.id ?? null),
    store.countCoupons(ctx.db, filter),
  ]);
  return { ...toPage(ctx, rows, sort, limit), ...counts };
}

/** The caller's own coupons, expired ones included. @throws AppError bad_input, as `listCoupons` */
export async function listOwnCoupons(
  ctx: MemberContext,
  input: z.output<typeof listOwnCouponsInputSchema>,
): Promise<Page<Coupon>> {
  const filter = { ownerId: ctx.actor.id, search: input.search ?? '' };
  const [rows, counts] = await Promise.all([
    store.listOwnCoupons(ctx.db, filter, sliceOf(input)),
    store.countOwnCoupons(ctx.db, filter),
  ]);
  return { ...toPage(ctx, rows, input.sort, input.limit), ...counts };
}

type SliceInput = Pick<ListCouponsInput, 'page' | 'limit' | 'sort' | 'after'>;

/** What to read for a page: one row more than it shows, which tells whether the list goes on. */
function sliceOf({ page, limit, sort, after }: SliceInput): store.Slice {
  const slice = { sort, after: null, offset: 0, limit: limit + 1 };
  if (after !== undefined) {
    const place = decodeCursor(sort, after);
    if (!place) throw fieldError('bad_input', 'after', 'Is not a cursor of this list in this order');
    return { ...slice, after: place };
  }
  const offset = (page - 1) * limit;
  if (offset > 0 && offset >= COUNT_CAP) {
    const text = `Pages go no further than ${COUNT_CAP} coupons. Go on with \`after\`, the cursor of the page before.`;
    throw fieldError('bad_input', 'page', text);
  }
  return { ...slice, offset };
}

function toPage(
  ctx: Context,
  rows: Awaited<ReturnType<typeof store.listCoupons>>,
  sort: CouponSort,
  limit: number,
): Pick<Page<Coupon>, 'items' | 'nextCursor'> {
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return { items: shown.map((row) => present(ctx, row)), nextCursor: last ? cursorAt(sort, last) : null };
}

function cursorAt(sort: CouponSort, row: Awaited<ReturnType<typeof store.listCoupons>>[number]): string {
  const key = row.sortKey instanceof Date ? row.sortKey.toISOString() : row.sortKey;
  return encodeCursor(sort, { key, id: row.id });
}

function present(ctx: Context, row: store.CouponRow): Coupon {
  return toCoupon(row, ctx.actor?.id ?? null, ctx.vault);
}

/** One coupon, live or expired. @throws AppError not_found, for deleted ones too */
export async function couponById(ctx: Context, id: number): Promise<Coupon> {
  return present(ctx, await findCoupon(ctx, ctx.db, id));
}

async function findCoupon(ctx: Context, db: Context['db'] | Trx, id: number): Promise<store.CouponRow> {
  const row = await store.findCoupon(db, id, ctx.actor?.id ?? null);
  if (!row) throw notFound('Coupon');
  return row;
}

/**
 * Lists a coupon of the caller's.
 * @throws AppError bad_input (expired, or two codes that differ), code_listed, rate_limited (too many of those)
 */
export async function createCoupon(ctx: MemberContext, input: CreateCouponInput): Promise<Coupon> {
  const { code: _alias, codeValue: _code, ...fields } = input;
  const code = codeOf(input);
  const at = ctx.clock();
  const expiryDate = expiryOf(input, at);
  return limitGuesses(ctx, async (trx) => {
    const id = await orListed(
      store.insertCoupon(trx, {
        ...fields,
        expiryDate,
        ownerId: ctx.actor.id,
        codeHash: code === null ? null : codeFingerprint(ctx.vault, fields.merchant, code),
        createdAt: at,
        updatedAt: at,
      }),
    );
    if (code !== null) await store.putSecret(trx, id, ctx.vault.seal(code, codeContext(id)));
    await log(trx, ctx, { action: 'created', details: `Listed “${fields.title}”`, couponId: id, at });
    return present(ctx, await findCoupon(ctx, trx, id));
  });
}

/**
 * Replaces what the owner fills in; without a code the stored one stays. A changed code or merchant takes the
 * verification away; a change of what is bargained for (value, merchant, code, expiry) cancels the pending deals.
 * @throws AppError bad_input, not_found, forbidden, coupon_reserved (while a deal holds it), code_listed,
 *   rate_limited
 */
export async function updateCoupon(ctx: MemberContext, input: UpdateCouponInput): Promise<Coupon> {
  const { id, code: _alias, codeValue: _code, ...fields } = input;
  const newCode = codeOf(input);
  const expiryDate = expiryOf(input, ctx.clock());
  return limitGuesses(ctx, async (trx) => {
    await lockOwn(trx, ctx, id, 'edited');
    const at = ctx.clock();
    const before = await findCoupon(ctx, trx, id);
    const oldCode = before.sealedCode && ctx.vault.open(before.sealedCode, codeContext(id));
    const code = newCode ?? oldCode;
    const isOtherCode = code !== oldCode;
    const isOtherOffer = isOtherCode || fields.merchant !== before.merchant;
    await orListed(
      store.updateCoupon(trx, id, {
        ...fields,
        expiryDate,
        category: categoryAfterEdit(before.category, fields.category),
        codeHash: code === null ? null : codeFingerprint(ctx.vault, fields.merchant, code),
        isVerified: before.isVerified && !isOtherOffer,
        isActive: true,
        updatedAt: at,
      }),
    );
    if (code !== null && isOtherCode) {
      await store.putSecret(trx, id, ctx.vault.seal(code, codeContext(id)));
    }
    if (isOtherCode || changesTerms(before, { ...fields, expiryDate })) {
      // Nobody is held to a bargain over what a coupon was before: whoever still wants it asks again.
      const actorId = ctx.actor.id;
      await cancelPendingDeals(trx, { couponIds: [id], reason: 'coupon_changed', at, actorId });
    }
    await log(trx, ctx, { action: 'updated', details: `Edited “${fields.title}”`, couponId: id, at });
    return present(ctx, await findCoupon(ctx, trx, id));
  });
}

/**
 * Takes a coupon away: it is kept without its code for the history of its deals, the pending ones of which are
 * cancelled.
 * @throws AppError not_found, forbidden, coupon_reserved
 */
export async function removeCoupon(ctx: MemberContext, id: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const { title } = await lockOwn(trx, ctx, id, 'deleted');
    const at = ctx.clock();
    await cancelPendingDeals(trx, { couponIds: [id], reason: 'coupon_deleted', at, actorId: ctx.actor.id });
    await store.deleteCoupon(trx, id, at);
    await log(trx, ctx, { action: 'cancelled', details: `Removed “${title}”`, couponId: id, at });
  });
}

const PAST_AT_ONCE = 1_000;

/**
 * Delists what has expired. Lists look at the last day themselves and are right without it; it keeps their indexes
 * free of the past, which would make them slower year by year. An edit with a new last day lists a coupon again.
 * @returns how many were delisted
 */
export async function delistPastCoupons(ctx: Context): Promise<number> {
  let count = 0;
  for (let delisted = PAST_AT_ONCE; delisted === PAST_AT_ONCE; ) {
    delisted = await store.delistPast(ctx.db, utcDay(ctx.clock()), PAST_AT_ONCE);
    count += delisted;
  }
  return count;
}

/**
 * The code, for the coupon's owner alone, and who has seen it when. Each look is recorded, this one too.
 * @throws AppError not_found (no such coupon, or one without a code), forbidden
 */
export async function revealCode(
  ctx: MemberContext,
  id: number,
): Promise<z.output<typeof revealedCodeSchema>> {
  return inTransaction(ctx.db, async (trx) => {
    const secret = await store.readSecretOf(trx, id, ctx.actor.id);
    if (!secret) throw notFound('Coupon');
    if (secret.ownerId !== ctx.actor.id) {
      throw new AppError('forbidden', 'Only the owner of a coupon can see its code.');
    }
    if (!secret.sealedCode) throw new AppError('not_found', 'This coupon has no code');
    const codeValue = ctx.vault.open(secret.sealedCode, codeContext(id));
    await store.insertReveal(trx, id, ctx.actor.id, ctx.clock());
    const reveals = await store.listReveals(trx, id, REVEALS_SHOWN);
    return {
      id,
      codeValue,
      code: codeValue,
      reveals: reveals.map(({ username, revealedAt }) => ({
        username,
        revealedAt: revealedAt.toISOString(),
      })),
    };
  });
}

/** `codeValue` is canonical, `code` an alias of it (decisions 2.3). @throws AppError bad_input when they differ */
function codeOf({ codeValue, code }: Pick<CreateCouponInput, 'codeValue' | 'code'>): string | null {
  if (codeValue !== null && code !== null && codeValue !== code) {
    throw fieldError(
      'bad_input',
      'code',
      'codeValue and code name the same code, but differ. Send one of them.',
    );
  }
  return codeValue ?? code;
}

/** The last day to store. @throws AppError bad_input when it has passed */
function expiryOf(input: Pick<CreateCouponInput, 'hasNoExpiry' | 'expiryDate'>, now: Date): string | null {
  const problem = checkExpiry(input, now);
  if (problem !== null) throw fieldError('bad_input', 'expiryDate', problem);
  return input.hasNoExpiry ? null : input.expiryDate;
}

/** @throws AppError code_listed when the unique index of codes refuses a write */
async function orListed<Result>(write: Promise<Result>): Promise<Result> {
  try {
    return await write;
  } catch (error) {
    if (!isUniqueViolation(error, 'coupons_code_key')) throw error;
    throw fieldError('code_listed', 'codeValue', TEXTS.coupons.alreadyListed);
  }
}

/**
 * Runs `write` in a transaction, and counts how often it is refused because a code is listed already: after too
 * many of those nothing is written any more, whether the code is listed or not, so that the answer tells nothing.
 */
async function limitGuesses<Result>(
  ctx: MemberContext,
  write: (trx: Trx) => Promise<Result>,
): Promise<Result> {
  const person = String(ctx.actor.id);
  await refuseIfSpent(ctx.limiter, LISTED_CODES_PER_PERSON, person);
  try {
    return await inTransaction(ctx.db, write);
  } catch (error) {
    if (error instanceof AppError && error.code === 'code_listed') {
      await ctx.limiter.consume(LISTED_CODES_PER_PERSON, person);
    }
    throw error;
  }
}

/** Locks a coupon that its owner may change now. @throws AppError not_found, forbidden, coupon_reserved */
async function lockOwn(
  trx: Trx,
  ctx: MemberContext,
  id: number,
  change: 'edited' | 'deleted',
): Promise<{ title: string }> {
  const [coupon] = await lockCoupons(trx, [id]);
  if (!coupon || coupon.deletedAt !== null) throw notFound('Coupon');
  if (coupon.ownerId !== ctx.actor.id) {
    throw new AppError('forbidden', `A coupon can be ${change} by its owner only.`);
  }
  if (coupon.heldBy !== null) throw new AppError('coupon_reserved', heldText(coupon.heldBy, change));
  return coupon;
}

function heldText(holder: NonNullable<LockedCoupon['heldBy']>, change: 'edited' | 'deleted'): string {
  switch (holder) {
    case 'exchange':
      return `This coupon is part of an accepted exchange and cannot be ${change}. Cancel the exchange first.`;
    case 'bid':
      return `You accepted a bid on this coupon, so that it cannot be ${change} while the bidder may pay.`;
    case 'protection':
      return 'This coupon is under buyer protection until the sale is final. Confirm that the code works first.';
  }
}

/** Writes the line of history of the caller's own act. */
async function log(
  trx: Trx,
  { actor }: MemberContext,
  line: Pick<Parameters<typeof recordLog>[1], 'action' | 'details' | 'couponId' | 'at'>,
): Promise<void> {
  await recordLog(trx, { ...line, userId: actor.id, actorId: actor.id });
}
