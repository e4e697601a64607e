import type { DealStatus } from '#contract/deals.ts';
import type { Exchange } from '#contract/exchanges.ts';
import type { Actor } from '#server/domains/context.ts';
import { proposeExchange, setExchangeStatus } from '#server/domains/exchanges/service.ts';
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

/** Changes an exchange's status through the service. */
export function move(
  ctx: TestContext,
  actor: Actor,
  id: number,
  status: Exclude<DealStatus, 'pending'>,
): Promise<Exchange> {
  return setExchangeStatus(actingAs(ctx, actor), { id, status });
}

/** Creates two people with a coupon each. */
export async function twoPeople(ctx: TestContext, columns: Parameters<typeof createCoupon>[2] = {}) {
  const [requester, owner] = [await createUser(ctx), await createUser(ctx)];
  const offered = await createCoupon(ctx, requester, columns);
  const requested = await createCoupon(ctx, owner);
  return { requester, owner, offered, requested };
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
