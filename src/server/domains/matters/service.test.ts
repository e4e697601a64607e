import { beforeAll, describe, expect, it } from 'vitest';
import type { Matter, MatterKind } from '#contract/matters.ts';
import { inTransaction } from '#server/database/client.ts';
import type { Actor } from '#server/domains/context.ts';
import { actingAs, createUser } from '#server/testing/builders.ts';
import { noticesOf } from '#server/testing/exchanges.ts';
import { type AcceptedBid, paymentOf, setUpRefusingMarket } from '#server/testing/payments.ts';
import { askPerson } from '../payments/operations-store.ts';
import { confirmReceipt } from '../payments/protection.ts';
import { countMatters, handleMatter, listMatters, noteMatter, retryMatter, tellAdmins } from './service.ts';

const { market, refuse } = setUpRefusingMarket();
let admin: Actor;

beforeAll(async () => {
  admin = await createUser(market.ctx, { role: 'admin' });
});

const me = () => actingAs(market.ctx, admin);

async function matters({ isHandled = false } = {}): Promise<Matter[]> {
  return (await listMatters(me(), { isHandled, page: 1, limit: 100 })).items;
}

async function matterOf(bid: AcceptedBid, kind: MatterKind): Promise<Matter | undefined> {
  return (await matters()).find((matter) => matter.bidId === bid.id && matter.kind === kind);
}

/** A sale whose payout the provider refuses for so many days. */
async function stuckPayout(days: number): Promise<AcceptedBid> {
  const bid = await market.paidBid();
  refuse(/^POST \/v1\/transfers/);
  await confirmReceipt(actingAs(market.ctx, bid.buyer), bid.id);
  await market.passDays(days);
  return bid;
}

async function reviewed(): Promise<AcceptedBid> {
  const bid = await market.paidBid();
  const payment = await paymentOf(market.ctx, bid);
  await inTransaction(market.ctx.db, (trx) =>
    askPerson(trx, { id: payment.id, provider: 'stripe' }, 'Its amount is odd', market.ctx.clock()),
  );
  return bid;
}

async function auditOf(action: string): Promise<string[]> {
  const lines = await market.ctx.db
    .selectFrom('auditLog')
    .select('details')
    .where('action', '=', action)
    .where('actorId', '=', admin.id)
    .execute();
  return lines.map(({ details }) => details);
}

describe('the matters for a person', () => {
  it('have a payout once it fails for a day, and a retry pays it', async () => {
    const bid = await stuckPayout(0.5);
    expect(await matterOf(bid, 'act')).toBeUndefined();
    await market.passDays(1);
    const matter = await matterOf(bid, 'act');
    expect(matter).toMatchObject({
      what: 'payout',
      amount: '9.50',
      couponTitle: bid.coupon.title,
      buyer: { username: bid.buyer.username },
      seller: { username: bid.seller.username },
      lastError: expect.stringContaining('Stripe'),
      nextTryAt: expect.any(String),
    });
    if (!matter) return;
    const failed = await retryMatter(me(), matter);
    expect(failed.matter).toMatchObject({ attempts: expect.any(Number), since: matter.since });
    refuse(null);
    expect(await retryMatter(me(), matter)).toEqual({ matter: null });
    expect(await market.statusOf(bid)).toBe('completed');
    await expect(retryMatter(me(), matter)).rejects.toMatchObject({ code: 'conflict' });
    expect(await auditOf('matter_retried')).toHaveLength(2);
  });

  it('have an act that was given up; a retry that fails leaves it there', async () => {
    const bid = await stuckPayout(8);
    const matter = await matterOf(bid, 'act');
    expect(matter).toMatchObject({ nextTryAt: null });
    if (!matter) return;
    const { matter: after } = await retryMatter(me(), matter);
    expect(after).toMatchObject({
      nextTryAt: null,
      attempts: matter.attempts + ((4 - (matter.attempts % 4)) % 4) + 1,
    });
    refuse(null);
    expect(await retryMatter(me(), matter)).toEqual({ matter: null });
    expect(await market.statusOf(bid)).toBe('completed');
  });

  it('have a difference of money that is no payment of ours, which cannot be tried again', async () => {
    const { id } = await market.ctx.db
      .insertInto('reconciliationDifferences')
      .values({
        provider: 'stripe',
        ref: 'txn_1:capture',
        paymentId: null,
        kind: 'capture',
        ours: '0.00',
        theirs: '77.00',
        foundAt: market.ctx.clock(),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const tried = await auditOf('matter_retried');
    await expect(retryMatter(me(), { kind: 'difference', ref: String(id) })).rejects.toMatchObject({
      code: 'bad_input',
      message: 'This is no payment of ours, so there is nothing to try again. Look for it at the provider.',
    });
    expect(await auditOf('matter_retried')).toEqual(tried);
    await handleMatter(me(), { kind: 'difference', ref: String(id) });
  });

  it('have a dispute with the time for the evidence, until it ends', async () => {
    const bid = await market.paidBid();
    const { stripePaymentIntentId } = await paymentOf(market.ctx, bid);
    const dispute = await market.stripe.openDispute(stripePaymentIntentId ?? '');
    await market.deliverAll();
    const matter = await matterOf(bid, 'dispute');
    expect(matter).toMatchObject({ amount: '10.50', dueAt: expect.any(String) });
    await market.stripe.closeDispute(dispute, 'won');
    if (matter) expect(await retryMatter(me(), matter)).toEqual({ matter: null });
  });

  it('have a PayPal case with the time for the seller’s answer', async () => {
    const bid = await market.paidBid({ by: 'paypal' });
    const { paypalCaptureId } = await paymentOf(market.ctx, bid);
    await market.paypal.openDispute(paypalCaptureId ?? '', { stage: 'CHARGEBACK' });
    await market.deliverAll();
    expect(await matterOf(bid, 'dispute')).toMatchObject({ provider: 'paypal', dueAt: expect.any(String) });
  });

  it('have a seller who cannot be paid, with what the provider needs and the money that waits', async () => {
    const seller = await market.readySeller();
    const bids = [await market.paidBid({ seller }), await market.paidBid({ seller })];
    const { receiverAccount } = await paymentOf(market.ctx, bids[0] as AcceptedBid);
    await market.stripe.setAccountState(receiverAccount, 'incomplete');
    await market.deliverAll();
    await market.passDays(4);
    const matter = (await matters()).find((found) => found.seller?.id === seller.id);
    expect(matter).toMatchObject({
      kind: 'seller',
      what: 'account_restricted',
      amount: '19.00',
      requirements: [expect.any(String)],
    });
    await market.stripe.setAccountState(receiverAccount, 'done');
    if (matter) expect(await retryMatter(me(), matter)).toEqual({ matter: null });
    for (const bid of bids) expect(await market.statusOf(bid)).toBe('completed');
  });

  it('have an event about nothing of ours, which can be tried again', async () => {
    const at = market.ctx.clock();
    await market.ctx.db
      .insertInto('webhookEvents')
      .values({
        provider: 'stripe',
        eventId: 'evt_orphan',
        type: 'charge.refunded',
        payload: Buffer.from('{}'),
        subject: JSON.stringify({
          kind: 'payment',
          ref: null,
          publicId: '0197a5c0-0000-7000-8000-000000000000',
        }),
        attempts: 12,
        lastError: 'It is about nothing of ours',
        nextTryAt: at,
        receivedAt: at,
        processedAt: at,
      })
      .execute();
    const matter = (await matters()).find(({ ref }) => ref === 'stripe-evt_orphan');
    expect(matter).toMatchObject({ kind: 'event', what: 'charge.refunded', paymentId: null });
    if (!matter) return;
    expect(await retryMatter(me(), matter)).toMatchObject({ matter: { attempts: 13 } });
    await handleMatter(me(), matter);
    expect((await matters()).map(({ ref }) => ref)).not.toContain('stripe-evt_orphan');
  });

  it('are paged, the oldest first', async () => {
    for (let count = 0; count < 3; count += 1) await reviewed();
    const all = await matters();
    expect(all.map(({ since }) => since)).toEqual(all.map(({ since }) => since).sort());
    const first = await listMatters(me(), { isHandled: false, page: 1, limit: 2 });
    expect(first).toMatchObject({ total: all.length });
    const second = await listMatters(me(), { isHandled: false, page: first.nextCursor ?? '', limit: 2 });
    expect([...first.items, ...second.items]).toEqual(all.slice(0, 4));
  });

  it('are counted by kind', async () => {
    await reviewed();
    const counted = await countMatters(market.ctx);
    const reviews = (await matters()).filter(({ kind }) => kind === 'review');
    expect(counted).toContainEqual({ kind: 'review', count: reviews.length });
  });
});

describe('an admin', () => {
  it('keeps notes on a matter, with who wrote them and when', async () => {
    const bid = await reviewed();
    const matter = await matterOf(bid, 'review');
    if (!matter) throw new Error('There is no matter');
    await noteMatter(me(), { ...matter, text: 'Asked the bank.' });
    await noteMatter(me(), { ...matter, text: 'It was a test.' });
    expect((await matterOf(bid, 'review'))?.notes).toMatchObject([
      { author: admin.username, text: 'Asked the bank.', createdAt: market.ctx.clock().toISOString() },
      { author: admin.username, text: 'It was a test.' },
    ]);
    expect((await auditOf('matter_noted'))[0]).toContain('Asked the bank.');
  });

  it('marks a matter as handled: one of two who do so at once wins', async () => {
    const bid = await reviewed();
    const matter = await matterOf(bid, 'review');
    if (!matter) throw new Error('There is no matter');
    const other = actingAs(market.ctx, await createUser(market.ctx, { role: 'admin' }));
    const answers = await Promise.allSettled([handleMatter(me(), matter), handleMatter(other, matter)]);
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await matterOf(bid, 'review')).toBeUndefined();
    const handled = (await matters({ isHandled: true })).find(({ ref }) => ref === matter.ref);
    expect(handled?.handledAt).toBe(market.ctx.clock().toISOString());
  });

  it('sees a handled matter again once something else is wrong, and not when the same is found again', async () => {
    const bid = await reviewed();
    const matter = await matterOf(bid, 'review');
    if (!matter) throw new Error('There is no matter');
    await handleMatter(me(), matter);
    market.ctx.clock.advanceDays(1);
    const payment = { id: matter.paymentId ?? 0, provider: 'stripe' as const };
    const ask = (reason: string) =>
      inTransaction(market.ctx.db, (trx) => askPerson(trx, payment, reason, market.ctx.clock()));
    await ask('Its amount is odd');
    expect(await matterOf(bid, 'review')).toBeUndefined();
    await ask('Its currency is USD');
    expect(await matterOf(bid, 'review')).toMatchObject({ lastError: 'Its currency is USD' });
  });
});

describe('the mail to admins', () => {
  it('is one for all new matters, not more than one an hour, and none for known ones', async () => {
    const reader = await createUser(market.ctx, { role: 'admin' });
    const mails = async () =>
      (await noticesOf(market.ctx, reader)).filter(({ link }) => link === '/admin?tab=money');
    market.ctx.clock.advanceDays(1);
    await reviewed();
    expect(await tellAdmins(market.ctx)).toBeGreaterThan(0);
    expect(await tellAdmins(market.ctx)).toBe(0);
    expect(await mails()).toHaveLength(1);
    await reviewed();
    await reviewed();
    market.ctx.clock.advanceDays(0.5 / 24);
    expect(await tellAdmins(market.ctx)).toBe(0);
    market.ctx.clock.advanceDays(0.5 / 24);
    expect(await tellAdmins(market.ctx)).toBe(2);
    expect((await mails()).map(({ content }) => content)).toContain(
      '2 payment matters need a decision. The Money tab says what has happened and what can be done.',
    );
    market.ctx.clock.advanceDays(1);
    expect(await tellAdmins(market.ctx)).toBe(0);
  });
});
