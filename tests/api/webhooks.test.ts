import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { SandboxEvent } from '#sandbox/server.ts';
import { processEvents } from '#server/money/payments/events.ts';
import { createPaymentIntent } from '#server/money/payments/service.ts';
import { actingAs } from '#tests/support/builders.ts';
import { MANY_CONNECTIONS } from '#tests/support/database.ts';
import { noticesOf } from '#tests/support/exchanges.ts';
import {
  type AcceptedBid,
  bookedOf,
  CARDS,
  couponOf,
  paymentOf,
  setUpMarket,
  stripeSignature,
} from '#tests/support/payments.ts';

const STRIPE = '/api/webhooks/stripe';
const MINUTE_MS = 60_000;

const market = setUpMarket({ connections: MANY_CONNECTIONS });

function send(url: string, body: string, headers: Record<string, string> = {}) {
  return market.app.inject({
    method: 'POST',
    url,
    payload: body,
    headers: { 'content-type': 'application/json', ...headers },
  });
}

const sendSigned = (body: string, headers: Record<string, string> = {}) =>
  send(STRIPE, body, { 'stripe-signature': stripeSignature(body), ...headers });

function rowsOf({ id }: Pick<SandboxEvent, 'id'>) {
  return market.ctx.db.selectFrom('webhookEvents').selectAll().where('eventId', '=', id).execute();
}

async function countEvents(): Promise<number> {
  const { count } = await market.ctx.db
    .selectFrom('webhookEvents')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** A bid that is paid at Stripe, and the events about it that are not delivered yet. */
async function paidAtStripe(...numbers: string[]): Promise<{ bid: AcceptedBid; events: SandboxEvent[] }> {
  const bid = await market.acceptedBid();
  const me = actingAs(market.ctx, bid.buyer);
  const { clientSecret } = await createPaymentIntent(me, { bidId: bid.id, keepCard: false });
  for (const number of numbers) await market.stripe.confirmWithCard(clientSecret, number);
  const { stripePaymentIntentId } = await paymentOf(market.ctx, bid);
  const events = market.stripe.waiting().filter(({ body }) => body.includes(String(stripePaymentIntentId)));
  return { bid, events };
}

function eventOf(events: readonly SandboxEvent[], type: string): SandboxEvent {
  const event = events.find((candidate) => candidate.type === type);
  if (!event) throw new Error(`There is no ${type} among ${events.map((other) => other.type).join(', ')}`);
  return event;
}

async function paidEvent() {
  const { bid, events } = await paidAtStripe(CARDS.good);
  return { bid, event: eventOf(events, 'payment_intent.succeeded') };
}

describe('an event without a valid signature', () => {
  const REFUSED = { error: 'The signature of this event is not valid', code: 'bad_input' };

  it.each<[string, (event: SandboxEvent) => Promise<{ statusCode: number; json(): unknown }>]>([
    ['without a signature', ({ body }) => send(STRIPE, body)],
    [
      'with another body than was signed',
      ({ body }) =>
        send(STRIPE, body.replace('succeeded', 'succeedes'), { 'stripe-signature': stripeSignature(body) }),
    ],
    [
      'of the other provider',
      ({ body }) => send('/api/webhooks/paypal', body, { 'stripe-signature': stripeSignature(body) }),
    ],
  ])('is refused with 400 and stores nothing: %s', async (_, attack) => {
    const { bid, event } = await paidEvent();
    const before = await countEvents();
    const answer = await attack(event);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toEqual(REFUSED);
    expect(await countEvents()).toBe(before);
    expect((await paymentOf(market.ctx, bid)).status).toBe('open');
    // The same event is accepted with the provider's own bytes.
    expect(await market.stripe.deliver(event)).toBe(200);
    expect((await paymentOf(market.ctx, bid)).status).toBe('held');
  });

  it('is refused with 400 if it is empty or not JSON', async () => {
    expect((await send(STRIPE, '')).statusCode).toBe(400);
    expect((await sendSigned('nonsense')).statusCode).toBe(400);
  });
});

describe('an event', () => {
  it('is stored byte for byte, and processed at once', async () => {
    const { bid, event } = await paidEvent();
    expect(await market.stripe.deliver(event)).toBe(200);
    const [row] = await rowsOf(event);
    expect(row?.payload.toString()).toBe(event.body);
    expect(row).toMatchObject({ attempts: 1, lastError: null, processedAt: market.ctx.clock() });
    expect(await couponOf(market.ctx, bid)).toMatchObject({ ownerId: bid.buyer.id });
  });

  it('that arrives a hundred times at once has one row and one effect [spec/2 7.12]', async () => {
    const { bid, event } = await paidEvent();
    const answers = await Promise.all(Array.from({ length: 100 }, () => sendSigned(event.body)));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(100).fill(200));
    expect(await rowsOf(event)).toHaveLength(1);
    const booked = await bookedOf(market.ctx, bid);
    expect(booked.filter(({ journal }) => journal === 'capture')).toHaveLength(3);
    const told = (await noticesOf(market.ctx, bid.seller)).filter(({ content }) =>
      content.includes('paid for'),
    );
    expect(told).toHaveLength(1);
  });

  it('may arrive after all later ones [spec/2 7.12]', async () => {
    const { bid, events } = await paidAtStripe(CARDS.declined, CARDS.good);
    expect(events.length).toBeGreaterThan(2);
    for (const event of events.toReversed()) expect(await market.stripe.deliver(event)).toBe(200);
    expect((await paymentOf(market.ctx, bid)).status).toBe('held');
    expect((await bookedOf(market.ctx, bid)).filter(({ journal }) => journal === 'capture')).toHaveLength(3);
  });

  it('is not believed: the payment is read from the provider [spec/2 4.16]', async () => {
    const { bid, events } = await paidAtStripe(CARDS.declined);
    const failed = eventOf(events, 'payment_intent.payment_failed');
    // Signed by Stripe, and wrong.
    const body = failed.body
      .replace('payment_intent.payment_failed', 'payment_intent.succeeded')
      .replaceAll('requires_payment_method', 'succeeded');
    expect((await sendSigned(body)).statusCode).toBe(200);
    expect((await paymentOf(market.ctx, bid)).status).toBe('open');
  });

  it('about a payment that is stored later waits for it', async () => {
    const { bid, event } = await paidEvent();
    const { id } = await paymentOf(market.ctx, bid);
    const kept = await sql<{ row: string }>`
      delete from payment_transactions p where id = ${id} returning to_jsonb(p)::text as row`.execute(
      market.ctx.db,
    );
    expect(await market.stripe.deliver(event)).toBe(200);
    const [waiting] = await rowsOf(event);
    expect(waiting).toMatchObject({ processedAt: null, lastError: 'Its subject is not known yet' });
    await sql`
      insert into payment_transactions overriding system value
      select * from jsonb_populate_record(null::payment_transactions, ${kept.rows[0]?.row}::jsonb)`.execute(
      market.ctx.db,
    );

    expect(await processEvents(market.ctx, { provider: 'stripe' })).toBe(0);
    market.ctx.clock.set(new Date(market.ctx.clock().getTime() + 2 * MINUTE_MS));
    expect(await processEvents(market.ctx, { provider: 'stripe' })).toBeGreaterThanOrEqual(1);
    expect((await paymentOf(market.ctx, bid)).status).toBe('held');
    expect((await rowsOf(event))[0]?.processedAt).not.toBeNull();
  });

  it('about an unknown payment is given up after some hours', async () => {
    const { bid, event } = await paidEvent();
    const payment = await paymentOf(market.ctx, bid);
    await market.ctx.db.deleteFrom('paymentTransactions').where('id', '=', payment.id).execute();
    await market.stripe.deliver(event);
    for (let tries = 1; tries < 12; tries += 1) {
      expect((await rowsOf(event))[0]).toMatchObject({ processedAt: null, attempts: tries });
      market.ctx.clock.advanceDays(0.05);
      await processEvents(market.ctx, { provider: 'stripe' });
    }
    const [row] = await rowsOf(event);
    expect(row).toMatchObject({ attempts: 12, lastError: 'It is about nothing of ours' });
    expect(row?.processedAt).not.toBeNull();
  });
});

describe('the origin of a request', () => {
  const foreign = { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' };

  it('does not matter to a signed event', async () => {
    const { bid, event } = await paidEvent();
    expect((await sendSigned(event.body, foreign)).statusCode).toBe(200);
    expect((await paymentOf(market.ctx, bid)).status).toBe('held');
  });
});

describe('many forged events', () => {
  const guarded = setUpMarket({ withLimits: true });

  it('of one address are refused without a look, also a signed one; others are heard', async () => {
    const body = JSON.stringify({ id: 'evt_forged', object: 'event', type: 'x.y', data: { object: {} } });
    const sendFrom = (remoteAddress: string, headers: Record<string, string> = {}) =>
      guarded.app.inject({
        method: 'POST',
        url: STRIPE,
        payload: body,
        headers: { 'content-type': 'application/json', ...headers },
        remoteAddress,
      });
    for (let sent = 1; sent <= 30; sent += 1) {
      expect((await sendFrom('192.0.2.30')).statusCode).toBe(400);
    }
    const signed = { 'stripe-signature': stripeSignature(body) };
    expect((await sendFrom('192.0.2.30', signed)).statusCode).toBe(429);
    expect((await sendFrom('192.0.2.31', signed)).statusCode).toBe(200);
  });
});
