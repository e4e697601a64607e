import type { DealStatus } from '#contract/deals/deals.ts';
import type { Exchange } from '#contract/deals/exchanges.ts';
import type { Actor } from '#server/context/context.ts';
import { inTransaction } from '#server/database/client.ts';
import { counterExchange, proposeExchange, proposeRing } from '#server/deals/exchanges/proposing.ts';
import { setExchangeStatus } from '#server/deals/exchanges/service.ts';
import { insertExchange } from '#server/deals/exchanges/store.ts';
import { TERMS } from '#tests/support/bid-cases.ts';
import { actingAs, createCoupon, createUser, type TestContext, type TestCoupon } from './builders.ts';

/** Offers one coupon for another through the service. */
export function propose(
  ctx: TestContext,
  requester: Actor,
  coupons: { offered: Pick<TestCoupon, 'id'>; requested: Pick<TestCoupon, 'id'>; message?: string },
): Promise<Exchange> {
  return proposeExchange(actingAs(ctx, requester), {
    offeredCouponId: coupons.offered.id,
    requestedCouponId: coupons.requested.id,
    message: coupons.message ?? null,
  });
}

/** Answers a swap with a counter-offer through the service. */
export function counter(
  ctx: TestContext,
  actor: Actor,
  id: number,
  coupons: { offered: readonly Pick<TestCoupon, 'id'>[]; requested: readonly Pick<TestCoupon, 'id'>[] },
): Promise<Exchange> {
  return counterExchange(actingAs(ctx, actor), {
    id,
    offeredCouponIds: coupons.offered.map((coupon) => coupon.id),
    requestedCouponIds: coupons.requested.map((coupon) => coupon.id),
    message: null,
  });
}

/** Changes an exchange's status through the service. */
export function move(
  ctx: TestContext,
  actor: Actor,
  id: number,
  status: Exclude<DealStatus, 'pending'>,
): Promise<Exchange> {
  return setExchangeStatus(actingAs(ctx, actor), { id, status });
}

/** Swaps a person's coupon for one of somebody new. */
export async function swapAway(ctx: TestContext, owner: Actor, offered: TestCoupon): Promise<void> {
  const other = await createUser(ctx);
  const { id } = await propose(ctx, owner, { requested: await createCoupon(ctx, other), offered });
  await move(ctx, other, id, 'accepted');
  await move(ctx, other, id, 'completed');
}

/** Creates two people with a coupon each. */
export async function twoPeople(ctx: TestContext, columns: Parameters<typeof createCoupon>[2] = {}) {
  const [requester, owner] = [await createUser(ctx), await createUser(ctx)];
  const offered = await createCoupon(ctx, requester, columns);
  const requested = await createCoupon(ctx, owner);
  return { requester, owner, offered, requested };
}

/** Creates two people with two coupons each. */
export async function richPeople(ctx: TestContext) {
  const people = await twoPeople(ctx);
  return {
    ...people,
    alsoOffered: await createCoupon(ctx, people.requester),
    alsoRequested: await createCoupon(ctx, people.owner),
  };
}

/** Creates a swap of one coupon each way, to which its owner has answered with both of theirs for both. */
export async function createCounter(ctx: TestContext) {
  const people = await richPeople(ctx);
  const first = await propose(ctx, people.requester, people);
  const answer = await counter(ctx, people.owner, first.id, {
    offered: [people.requested, people.alsoRequested],
    requested: [people.offered, people.alsoOffered],
  });
  return { ...people, first, answer, id: answer.id };
}

/** Creates an exchange between two new people. @param columns of the offered coupon */
export async function createDeal(
  ctx: TestContext,
  status: 'pending' | 'accepted' = 'pending',
  columns: Parameters<typeof createCoupon>[2] = {},
) {
  const people = await twoPeople(ctx, columns);
  const { id } = await propose(ctx, people.requester, people);
  if (status === 'accepted') await move(ctx, people.owner, id, 'accepted');
  return { ...people, id };
}

/** A person's notifications, oldest first, each with its mail. */
export function noticesOf(ctx: TestContext, { id }: Actor) {
  return ctx.db
    .selectFrom('notifications')
    .innerJoin('mailOutbox', 'mailOutbox.notificationId', 'notifications.id')
    .select([
      'notifications.type',
      'content',
      'relatedId',
      'notifications.link',
      'mailOutbox.userId as mailTo',
      'subject',
      'body',
    ])
    .where('notifications.userId', '=', id)
    .orderBy('notifications.id')
    .execute();
}

/** A person's history, oldest first. */
export function historyOf(ctx: TestContext, { id }: Actor) {
  return ctx.db
    .selectFrom('transactionLogs')
    .select(['action', 'details', 'actorId'])
    .where('userId', '=', id)
    .orderBy('id')
    .execute();
}

/** Inserts a swap of one coupon each way as it would be stored, whatever its state. */
export async function insertSwap(
  { db }: Pick<TestContext, 'db'>,
  given: {
    readonly requesterId: number;
    readonly ownerId: number;
    readonly requestedCouponId: number;
    readonly offeredCouponId: number;
    readonly status?: DealStatus;
    readonly createdAt: Date;
    readonly updatedAt?: Date;
  },
): Promise<number> {
  const { requesterId, ownerId, requestedCouponId, offeredCouponId, status = 'pending', createdAt } = given;
  return inTransaction(db, async (trx) => {
    const id = await insertExchange(trx, {
      deposit: null,
      kind: 'swap',
      requesterId,
      message: null,
      consentBy: null,
      terms: TERMS,
      legs: [
        { couponId: requestedCouponId, giverId: ownerId, receiverId: requesterId, price: null },
        { couponId: offeredCouponId, giverId: requesterId, receiverId: ownerId, price: null },
      ],
      at: createdAt,
    });
    const at = given.updatedAt ?? createdAt;
    const parties = trx.updateTable('exchangeParties').set({ consentedAt: at }).where('exchangeId', '=', id);
    if (status === 'accepted' || status === 'completed') await parties.execute();
    const moveTo = (to: DealStatus, columns: object) =>
      trx
        .updateTable('exchanges')
        .set({ status: to, updatedAt: at, ...columns })
        .where('id', '=', id)
        .execute();
    if (status === 'accepted' || status === 'completed') await moveTo('accepted', { acceptedAt: at });
    if (status === 'completed') await moveTo('completed', { completedAt: at });
    if (status === 'rejected' || status === 'cancelled') await moveTo(status, { reason: 'by_owner' });
    return id;
  });
}

/** Creates people with a coupon each, of whom each gives theirs to the next. @param columns of the last one's coupon */
export async function ringPeople(
  ctx: TestContext,
  size = 3,
  columns: Parameters<typeof createCoupon>[2] = {},
) {
  const people: { actor: Actor; coupon: TestCoupon }[] = [];
  for (let place = 1; place <= size; place += 1) {
    const actor = await createUser(ctx);
    people.push({ actor, coupon: await createCoupon(ctx, actor, place === size ? columns : {}) });
  }
  const legs = people.map(({ coupon }, place) => ({
    couponId: coupon.id,
    receiverId: people[(place + 1) % size]?.actor.id ?? 0,
  }));
  const [author, second, third] = people;
  if (!author || !second || !third) throw new Error('A ring has three people');
  return { people, author, second, third, legs };
}

/** Creates a ring that its author has proposed. @param consents how many of the others have agreed */
export async function createRing(ctx: TestContext, { size = 3, consents = 0 } = {}) {
  const ring = await ringPeople(ctx, size);
  const { id } = await proposeRing(actingAs(ctx, ring.author.actor), { legs: ring.legs, message: null });
  for (const { actor } of ring.people.slice(1, 1 + consents)) await move(ctx, actor, id, 'accepted');
  return { ...ring, id };
}
