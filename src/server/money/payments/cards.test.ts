import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { actingAs, createUser } from '#tests/support/builders.ts';
import { CARDS, couponOf, paymentOf, refreshed, setUpMarket } from '#tests/support/payments.ts';
import { listPaymentMethods, removePaymentMethod, setDefaultPaymentMethod } from './cards.ts';
import { createPaymentIntent, payWithCard, refreshPayment } from './service.ts';

const MASTERCARD = '5555555555554444';

const market = setUpMarket();
let seller: Actor;

beforeAll(async () => {
  seller = await market.readySeller(['stripe']);
});

const as = (actor: Actor) => actingAs(market.ctx, actor);
const cardsOf = (actor: Actor) => listPaymentMethods(as(actor));

/** Pays a new bid of the buyer's with a card number, and keeps the card if asked. */
async function pay(buyer: Actor, number: string, keepCard = true) {
  const bid = await market.acceptedBid({ seller, buyer });
  const { clientSecret } = await createPaymentIntent(as(buyer), { bidId: bid.id, keepCard });
  await market.stripe.confirmWithCard(clientSecret, number);
  await refreshPayment(as(buyer), bid.id);
  return bid;
}

async function payKept(buyer: Actor, paymentMethodId: number) {
  const bid = await market.acceptedBid({ seller, buyer });
  return { bid, answer: await payWithCard(as(buyer), { bidId: bid.id, paymentMethodId }) };
}

describe('a card', () => {
  it('is saved only if the buyer asks for it and it has paid [spec/1 3.10]', async () => {
    const buyer = await createUser(market.ctx);
    await pay(buyer, CARDS.good, false);
    await pay(buyer, CARDS.declined);
    expect(await cardsOf(buyer)).toEqual([]);
    const bid = await pay(buyer, CARDS.good);
    const [card, ...others] = await cardsOf(buyer);
    expect(others).toEqual([]);
    expect(card).toEqual({
      id: expect.any(Number),
      type: 'card',
      brand: 'visa',
      lastFour: '4242',
      expiryMonth: 12,
      expiryYear: expect.any(Number),
      isDefault: true,
      createdAt: market.ctx.clock().toISOString(),
    });
    expect(await paymentOf(market.ctx, bid)).toMatchObject({ status: 'held', paymentMethodId: card?.id });
  });

  it('is not saved if the buyer changes their mind before paying', async () => {
    const buyer = await createUser(market.ctx);
    const bid = await market.acceptedBid({ seller, buyer });
    await createPaymentIntent(as(buyer), { bidId: bid.id, keepCard: true });
    expect(await market.payByCard({ ...bid, buyer })).toMatchObject({ status: 'held' });
    expect(await cardsOf(buyer)).toEqual([]);
  });

  it('that is saved pays the next bid', async () => {
    const buyer = await createUser(market.ctx);
    await pay(buyer, CARDS.good);
    const [card] = await cardsOf(buyer);
    const { bid, answer } = await payKept(buyer, card?.id ?? 0);
    expect(answer).toMatchObject({ status: 'succeeded', clientSecret: expect.any(String) });
    expect(await couponOf(market.ctx, bid)).toMatchObject({ ownerId: buyer.id });
    expect(await cardsOf(buyer)).toHaveLength(1);
  });

  it('that is saved cannot be used by other people', async () => {
    const buyer = await createUser(market.ctx);
    await pay(buyer, CARDS.good);
    const [card] = await cardsOf(buyer);
    const id = card?.id ?? 0;
    const thief = await createUser(market.ctx);
    const notFound = { code: 'not_found', message: 'Payment method not found' };
    await expect(payKept(thief, id)).rejects.toMatchObject(notFound);
    await expect(removePaymentMethod(as(thief), id)).rejects.toMatchObject(notFound);
    await expect(setDefaultPaymentMethod(as(thief), id)).rejects.toMatchObject(notFound);
    expect(await cardsOf(thief)).toEqual([]);
    expect(await cardsOf(buyer)).toHaveLength(1);
  });

  it("that needs the bank's confirmation says so, and changes nothing before it", async () => {
    const buyer = await createUser(market.ctx);
    const first = await market.acceptedBid({ seller, buyer });
    const intent = await createPaymentIntent(as(buyer), { bidId: first.id, keepCard: true });
    await market.stripe.confirmWithCard(intent.clientSecret, CARDS.challenge);
    await market.answerChallenge(intent.clientSecret);
    expect(await refreshed(as(buyer), first.id)).toMatchObject({ status: 'held' });
    const [card] = await cardsOf(buyer);

    const { bid, answer } = await payKept(buyer, card?.id ?? 0);
    expect(answer.status).toBe('requires_action');
    expect(await couponOf(market.ctx, bid)).toMatchObject({ ownerId: seller.id });
    expect(await market.answerChallenge(answer.clientSecret)).toBe('succeeded');
    expect(await refreshed(as(buyer), bid.id)).toMatchObject({ status: 'held' });
  });

  it('can be made the default; the newest replaces a deleted default [spec/1 3.10]', async () => {
    const buyer = await createUser(market.ctx);
    for (const number of [CARDS.good, MASTERCARD, '4000000000000077']) await pay(buyer, number);
    const fours = async () => (await cardsOf(buyer)).map(({ lastFour, isDefault }) => [lastFour, isDefault]);
    expect(await fours()).toEqual([
      ['4242', true],
      ['0077', false],
      ['4444', false],
    ]);
    const idOf = async (four: string) =>
      (await cardsOf(buyer)).find(({ lastFour }) => lastFour === four)?.id ?? 0;
    await setDefaultPaymentMethod(as(buyer), await idOf('4444'));
    expect(await fours()).toEqual([
      ['4444', true],
      ['0077', false],
      ['4242', false],
    ]);
    await Promise.all([
      setDefaultPaymentMethod(as(buyer), await idOf('0077')),
      setDefaultPaymentMethod(as(buyer), await idOf('4242')),
    ]);
    expect((await fours()).filter(([, isDefault]) => isDefault)).toHaveLength(1);
    await setDefaultPaymentMethod(as(buyer), await idOf('4242'));
    await removePaymentMethod(as(buyer), await idOf('4242'));
    expect(await fours()).toEqual([
      ['0077', true],
      ['4444', false],
    ]);
  });

  it('that is deleted is deleted at the provider too', async () => {
    const buyer = await createUser(market.ctx);
    await pay(buyer, CARDS.good);
    const [card] = await cardsOf(buyer);
    const row = await market.ctx.db
      .selectFrom('paymentMethods')
      .select('tokenizedDetails')
      .where('id', '=', card?.id ?? 0)
      .executeTakeFirstOrThrow();
    await removePaymentMethod(as(buyer), card?.id ?? 0);
    expect(await cardsOf(buyer)).toEqual([]);
    await expect(removePaymentMethod(as(buyer), card?.id ?? 0)).rejects.toMatchObject({ code: 'not_found' });
    const bid = await market.acceptedBid({ seller, buyer });
    await createPaymentIntent(as(buyer), { bidId: bid.id, keepCard: false });
    const { stripePaymentIntentId } = await paymentOf(market.ctx, bid);
    const vault = market.ctx.providers.payments.stripe?.cards;
    await expect(
      vault?.payWithCard({
        ref: stripePaymentIntentId ?? '',
        token: row.tokenizedDetails,
        customerRef: 'cus_1',
        returnUrl: 'http://localhost',
        idempotencyKey: 'a-forgotten-card',
      }),
    ).rejects.toThrow();
  });

  it('does not leave its number anywhere in the database', async () => {
    const buyer = await createUser(market.ctx);
    for (const number of [CARDS.good, MASTERCARD]) await pay(buyer, number);
    await market.deliverAll();
    const tables = await sql<{ name: string }>`
      select table_name as name from information_schema.tables where table_schema = 'public'
        and table_type = 'BASE TABLE'`.execute(market.ctx.db);
    expect(tables.rows.length).toBeGreaterThan(20);
    for (const { name } of tables.rows) {
      const { rows } = await sql`
        select * from ${sql.table(name)} as t where t::text like any (array['%4242424242%', '%5555555555%'])
        limit 1`.execute(market.ctx.db);
      expect(rows, name).toEqual([]);
    }
    const { rows } = await sql`
      select event_id from webhook_events
      where convert_from(payload, 'utf8') like any (array['%4242424242%', '%5555555555%'])`.execute(
      market.ctx.db,
    );
    expect(rows).toEqual([]);
  });
});
