import type { Actor } from '#server/context/context.ts';
import { inTransaction } from '#server/database/client.ts';
import { addRing, proposeExchange } from '#server/deals/exchanges/proposing.ts';
import { exchangeById, setExchangeStatus } from '#server/deals/exchanges/service.ts';
import { actingAs, createCoupon, createUser, type TestContext, type TestCoupon } from './builders.ts';
import type { AcceptedBid, Market } from './payments.ts';

/** An exchange with prices, each with the bid by which it is paid. */
export interface PricedExchange {
  readonly id: number;
  readonly people: readonly Actor[];
  readonly coupons: readonly TestCoupon[];
  /** In the order of the legs; empty before it is accepted. */
  readonly bids: readonly AcceptedBid[];
}

/** Everybody but its author agrees to an exchange, at the prices that it has now. */
export async function agreeToPrices(
  { ctx }: Market,
  id: number,
  [author, ...others]: readonly Actor[],
): Promise<void> {
  if (!author) throw new Error('An exchange has an author');
  const { legs } = await exchangeById(actingAs(ctx, author), id);
  const prices = legs.flatMap(({ coupon, price }) =>
    price ? [{ couponId: coupon.id, amount: price.amount }] : [],
  );
  for (const other of others) {
    await setExchangeStatus(actingAs(ctx, other), { id, status: 'accepted', prices });
  }
}

async function withBids({ ctx }: Market, exchange: Omit<PricedExchange, 'bids'>): Promise<PricedExchange> {
  const { id, people, coupons } = exchange;
  const [author] = people;
  if (!author) throw new Error('An exchange has an author');
  const personOf = (userId: number) => people.find((person) => person.id === userId) ?? author;
  const { legs } = await exchangeById(actingAs(ctx, author), id);
  const bids = legs.flatMap(({ price, giverId, receiverId, coupon: moved }) => {
    const coupon = coupons.find((one) => one.id === moved.id);
    if (!price || price.bidId === null || !coupon) return [];
    const amount = Math.round(Number(price.amount) * 100);
    return [{ id: price.bidId, amount, seller: personOf(giverId), buyer: personOf(receiverId), coupon }];
  });
  return { ...exchange, bids };
}

/** An accepted swap, for which its author pays 20.00 besides. Its people can be paid. */
export async function acceptedSwap(
  market: Market,
  given: { payer?: 'author' | 'other'; columns?: Parameters<typeof createCoupon>[2] } = {},
): Promise<PricedExchange & { readonly bid: AcceptedBid }> {
  const { ctx } = market;
  const people = [await market.readySeller(), await market.readySeller()] as const;
  const coupons = [
    await createCoupon(ctx, people[0], given.columns),
    await createCoupon(ctx, people[1]),
  ] as const;
  const { id } = await proposeExchange(actingAs(ctx, people[0]), {
    offeredCouponId: coupons[0].id,
    requestedCouponId: coupons[1].id,
    money: { payer: given.payer ?? 'author', amount: '20.00' },
    message: null,
  });
  await agreeToPrices(market, id, people);
  const exchange = await withBids(market, { id, people, coupons });
  const [bid] = exchange.bids;
  if (!bid) throw new Error('The swap has no price');
  return { ...exchange, bid };
}

/** An accepted ring of three, in which the second and the third pay the one before 10.00 and 20.00 besides. */
export async function acceptedRing(market: Market): Promise<PricedExchange> {
  const { ctx } = market;
  const people = [await market.readySeller(), await market.readySeller(), await createUser(ctx)] as const;
  const coupons: TestCoupon[] = [];
  for (const person of people) coupons.push(await createCoupon(ctx, person));
  const prices = ['10.00', '20.00', null];
  const legs = coupons.map((coupon, place) => ({
    couponId: coupon.id,
    receiverId: people[(place + 1) % 3]?.id ?? 0,
    price: prices[place] ?? null,
  }));
  const { id } = await inTransaction(ctx.db, (trx) =>
    addRing(trx, actingAs(ctx, people[0]), { legs, message: null }),
  );
  await agreeToPrices(market, id, people);
  return withBids(market, { id, people, coupons });
}

/** Who owns the coupons of an exchange, by their place among its people. */
export async function ownersOf(
  { db }: Pick<TestContext, 'db'>,
  { people, coupons }: Pick<PricedExchange, 'people' | 'coupons'>,
): Promise<number[]> {
  const ids = coupons.map(({ id }) => id);
  const rows = await db
    .selectFrom('coupons')
    .select('ownerId')
    .where('id', 'in', ids)
    .orderBy('id')
    .execute();
  return rows.map(({ ownerId }) => people.findIndex((one) => one.id === ownerId));
}
