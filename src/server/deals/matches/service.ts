import { t } from '@lingui/core/macro';
import { centsToDecimal } from '#contract/base/money.ts';
import type { Money } from '#contract/deals/exchanges.ts';
import type {
  CouponMatches,
  DismissMatchInput,
  Match,
  MatchCount,
  ProposeMatchInput,
} from '#contract/deals/matches.ts';
import { pictureUrl } from '#contract/people/picture-addresses.ts';
import type { MemberContext } from '#server/context/context.ts';
import { AppError, fieldError, notFound } from '#server/core/errors.ts';
import { inTransaction, type Trx } from '#server/database/client.ts';
import { announce } from '#server/database/live.ts';
import { addRing, addSwap, admitProposal } from '#server/deals/exchanges/service.ts';
import * as listStore from './list-store.ts';
import { type Dismissal, gainOf, legsFrom, settlingPrices } from './rules.ts';
import * as store from './store.ts';

/** Coupons that a coupon's page names. */
const NAMED_MAX = 5;

/** The caller's open matches, the best first. */
export async function listMatches(ctx: MemberContext): Promise<Match[]> {
  const rows = await listStore.listOpen(ctx.db, ofCaller(ctx));
  return rows.map((row) => toMatch(row, ctx.actor.id));
}

/** How many open matches the caller has, and which coupons are part of them. */
export async function countMatches(ctx: MemberContext): Promise<MatchCount> {
  return listStore.countOpen(ctx.db, ofCaller(ctx));
}

/** What the page of a coupon says about the caller's matches; it describes the coupon only if they can have it. */
export async function matchesForCoupon(ctx: MemberContext, couponId: number): Promise<CouponMatches> {
  const [wouldTake, rows] = await Promise.all([
    listStore.listWouldTake(ctx.db, { ...ofCaller(ctx), couponId, limit: NAMED_MAX }),
    listStore.listOpen(ctx.db, { ...ofCaller(ctx), couponId }),
  ]);
  return { wouldTake, matches: rows.map((row) => toMatch(row, ctx.actor.id)) };
}

/**
 * Dismisses a match for all its people: it does not come back, and the finder learns from the reason.
 * @throws AppError not_found (strangers too, and what is open no more), bad_input (a person who is not in it)
 */
export async function dismissMatch(ctx: MemberContext, input: DismissMatchInput): Promise<void> {
  const { id, reason } = input;
  await inTransaction(ctx.db, async (trx) => {
    const [row] = await listStore.listOpen(trx, { ...ofCaller(ctx), id });
    if (!row) throw notFound(t`Match not found`);
    const dismissal = dismissalOf(row, input, ctx.actor.id);
    const at = ctx.clock();
    if (!(await store.dismiss(trx, { id, userId: ctx.actor.id, reason, at })))
      throw notFound(t`Match not found`);
    if (dismissal) await store.insertDismissal(trx, dismissal, at);
    await store.leaveSlots(trx, id);
    await announceTo(trx, row.legs);
  });
}

/** @throws AppError bad_input on `personId` */
function dismissalOf(row: listStore.MatchRow, input: DismissMatchInput, userId: number): Dismissal | null {
  const legs = legsFrom(row.legs, userId);
  const [given, got] = [legs[0], legs.at(-1)];
  if (!given || !got) return null;
  const dismissal = { userId, couponId: null, giftId: null, wantId: null, personId: null, difference: null };
  switch (input.reason) {
    case 'not_interested':
      return { ...dismissal, reason: input.reason, couponId: got.coupon.id };
    case 'keep_mine':
      return {
        ...dismissal,
        reason: input.reason,
        giftId: given.coupon.id,
        couponId: got.coupon.id,
        wantId: got.wantId,
      };
    case 'unfair': {
      const gain = gainOf(centsOf(got), centsOf(given));
      return gain === null || gain >= 0 ? null : { ...dismissal, reason: input.reason, difference: gain };
    }
    case 'person':
      return { ...dismissal, reason: input.reason, personId: personOf(legs, input.personId, userId) };
    case 'other':
      return null;
  }
}

/** @throws AppError bad_input on `personId` */
function personOf(legs: readonly listStore.LegRow[], personId: number | undefined, userId: number): number {
  const others = legs.map(({ giver }) => giver.id).filter((id) => id !== userId);
  const [only] = others;
  if (personId === undefined && others.length === 1 && only !== undefined) return only;
  if (personId === undefined || !others.includes(personId)) {
    throw fieldError('bad_input', 'personId', t`Choose who you do not want to exchange coupons with`);
  }
  return personId;
}

/**
 * Proposes the swap or ring of a match to the others in it, as the caller.
 * @returns the exchange
 * @throws AppError not_found (strangers too, and what is open no more), deal_changed (other prices), and as
 *   `proposeExchange`
 */
export async function proposeMatch(
  ctx: MemberContext,
  { id, message, prices, deposit }: ProposeMatchInput,
): Promise<{ exchangeId: number }> {
  await admitProposal(ctx);
  const [row] = await listStore.listOpen(ctx.db, { ...ofCaller(ctx), id });
  if (!row) throw notFound(t`Match not found`);
  const legs = legsFrom(row.legs, ctx.actor.id);
  const [given, got] = [legs[0], legs.at(-1)];
  if (!given || !got) throw notFound(t`Match not found`);
  const priceOf = prices ? agreedPrices(legs, prices) : () => null;
  return inTransaction(ctx.db, async (trx) => {
    const exchange =
      legs.length === 2
        ? await addSwap(trx, ctx, {
            requestedCouponId: got.coupon.id,
            offeredCouponId: given.coupon.id,
            money: moneyOf(priceOf(got), priceOf(given)),
            deposit,
            message,
          })
        : await addRing(trx, ctx, {
            legs: legs.map((leg) => ({
              couponId: leg.coupon.id,
              receiverId: leg.receiver.id,
              price: priceOf(leg),
            })),
            deposit,
            message,
          });
    // Two people may propose the same match at once: the second proposal is taken back.
    if (!(await store.setProposed(trx, { id, exchangeId: exchange.id, at: ctx.clock() })))
      throw notFound(t`Match not found`);
    await store.leaveSlots(trx, id);
    await announceTo(trx, legs);
    return { exchangeId: exchange.id };
  });
}

/** The prices of a match's legs, in decimals, if they are those that the caller has seen. @throws AppError deal_changed */
function agreedPrices(
  legs: readonly listStore.LegRow[],
  seen: NonNullable<ProposeMatchInput['prices']>,
): (leg: listStore.LegRow) => string | null {
  const prices = pricesOf(legs);
  const isSeen =
    seen.length === prices.size && seen.every(({ couponId, amount }) => prices.get(couponId) === amount);
  if (!isSeen || prices.size === 0) {
    throw new AppError(
      'deal_changed',
      t`The value of a coupon has just changed. Please check the match again.`,
    );
  }
  return ({ coupon }) => prices.get(coupon.id) ?? null;
}

/** By coupon; empty if the difference cannot be settled. */
function pricesOf(legs: readonly listStore.LegRow[]): ReadonlyMap<number, string> {
  const prices = settlingPrices(legs.map(centsOf)) ?? [];
  return new Map(
    legs.flatMap(({ coupon }, index) => {
      const price = prices[index] ?? null;
      return price === null ? [] : [[coupon.id, centsToDecimal(price)] as const];
    }),
  );
}

/** @param forGot what the caller pays; @param forGiven what they are paid: one of the two has a price, or none */
function moneyOf(forGot: string | null, forGiven: string | null): Money | undefined {
  if (forGot !== null) return { payer: 'author', amount: forGot };
  return forGiven === null ? undefined : { payer: 'other', amount: forGiven };
}

async function announceTo(trx: Trx, legs: readonly listStore.LegRow[]): Promise<void> {
  await announce(
    trx,
    legs.map(({ giver }) => ({ userId: giver.id, event: { kind: 'match' } as const })),
  );
}

/** Deletes what the finder knows of a person who leaves. */
export async function forgetMatches(trx: Trx, userId: number): Promise<void> {
  await store.deleteKnowledgeOf(trx, userId);
}

const ofCaller = (ctx: MemberContext) => ({ userId: ctx.actor.id, now: ctx.clock() });

const centsOf = ({ coupon }: listStore.LegRow) => (coupon.discountType === 'fixed' ? coupon.value : null);

const toPerson = ({ pictureId, ...person }: listStore.LegRow['giver']) => ({
  ...person,
  profileImageUrl: pictureUrl(pictureId),
});

/** A match as the viewer sees it: from their leg on. */
function toMatch(row: listStore.MatchRow, viewerId: number): Match {
  const legs = legsFrom(row.legs, viewerId);
  const [given, got] = [legs[0], legs.at(-1)];
  const prices = pricesOf(legs);
  return {
    id: row.id,
    legs: legs.map(({ coupon, giver, receiver, wantId }) => ({
      coupon,
      price: prices.get(coupon.id) ?? null,
      giver: toPerson(giver),
      receiver: toPerson(receiver),
      isExplicit: wantId !== null,
    })),
    isExplicit: row.isExplicit,
    gain: given && got ? gainOf(centsOf(got), centsOf(given)) : null,
    difference: row.difference,
    createdAt: row.createdAt.toISOString(),
  };
}

export { findMatches } from './find-matches.ts';
export { recordSweep } from './market.ts';
export { refreshMatches } from './refresh-matches.ts';
