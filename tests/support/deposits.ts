import type { Exchange } from '#contract/deals/exchanges.ts';
import type { Actor } from '#server/context/context.ts';
import { proposeExchange } from '#server/deals/exchanges/proposing.ts';
import { setExchangeStatus } from '#server/deals/exchanges/service.ts';
import { createDepositIntent, refreshOwnDeposit } from '#server/money/deposits/service.ts';
import { reconcilePayments } from '#server/money/workers/service.ts';
import { actingAs, createCoupon, createUser, type TestCoupon } from './builders.ts';
import { CARDS, type Market } from './payments.ts';

/** A swap with a deposit of 10.00 each. */
export interface SwapWithDeposit {
  readonly id: number;
  readonly requester: Actor;
  readonly owner: Actor;
  readonly offered: TestCoupon;
  readonly requested: TestCoupon;
}

/** Proposes a swap with a deposit of 10.00 each. @param given.requester by default somebody new */
export async function proposedWithDeposit(
  { ctx }: Market,
  given: { requester?: Actor; deposit?: string; columns?: Parameters<typeof createCoupon>[2] } = {},
): Promise<SwapWithDeposit> {
  const [requester, owner] = [given.requester ?? (await createUser(ctx)), await createUser(ctx)];
  const offered = await createCoupon(ctx, requester, given.columns);
  const requested = await createCoupon(ctx, owner);
  const { id } = await proposeExchange(actingAs(ctx, requester), {
    ...{ offeredCouponId: offered.id, requestedCouponId: requested.id, message: null },
    deposit: given.deposit ?? '10.00',
  });
  return { id, requester, owner, offered, requested };
}

/** The same, accepted. */
export async function acceptedWithDeposit(
  market: Market,
  given: Parameters<typeof proposedWithDeposit>[1] = {},
): Promise<SwapWithDeposit> {
  const swap = await proposedWithDeposit(market, given);
  const deposit = given.deposit ?? '10.00';
  await setExchangeStatus(actingAs(market.ctx, swap.owner), { id: swap.id, status: 'accepted', deposit });
  return swap;
}

/** Puts up a deposit as the browser does. @returns it */
export async function putUp(market: Market, who: Actor, exchangeId: number, card: string = CARDS.good) {
  const me = actingAs(market.ctx, who);
  const { clientSecret } = await createDepositIntent(me, exchangeId);
  await market.stripe.confirmWithCard(clientSecret, card);
  return refreshOwnDeposit(me, exchangeId);
}

/** The same, completed with both deposits. */
export async function completedWithDeposits(
  market: Market,
  given: Parameters<typeof proposedWithDeposit>[1] = {},
): Promise<SwapWithDeposit> {
  const swap = await acceptedWithDeposit(market, given);
  for (const who of [swap.requester, swap.owner]) await putUp(market, who, swap.id);
  await complete(market, swap);
  return swap;
}

export function complete({ ctx }: Market, { id, owner }: SwapWithDeposit): Promise<Exchange> {
  return setExchangeStatus(actingAs(ctx, owner), { id, status: 'completed' });
}

/** Lets the workers look at all deposits, after these days. */
export async function lookAgain({ ctx }: Market, days = 0.02): Promise<void> {
  ctx.clock.advanceDays(days);
  await reconcilePayments(ctx);
}

/** The state of each deposit of an exchange, by whose it is. */
export async function depositsOf({ ctx }: Market, { id, requester, owner }: SwapWithDeposit) {
  const rows = await ctx.db.selectFrom('deposits').selectAll().where('exchangeId', '=', id).execute();
  const of = (who: Actor) => rows.find(({ userId }) => userId === who.id)?.status ?? null;
  return { requester: of(requester), owner: of(owner) };
}
