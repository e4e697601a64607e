import { beforeAll, describe, expect, it } from 'vitest';
import type { PaymentIssue, PaymentIssueKind } from '#contract/money/payment-issues.ts';
import type { Actor } from '#server/context/context.ts';
import { inTransaction } from '#server/database/client.ts';
import { confirmReceipt } from '#server/money/claims/sale-claims.ts';
import { askPerson } from '#server/money/payments/operations-store.ts';
import { actingAs, createUser } from '#tests/support/builders.ts';
import { noticesOf } from '#tests/support/exchanges.ts';
import { type AcceptedBid, paymentOf, setUpRefusingMarket } from '#tests/support/payments.ts';
import {
  countPaymentIssues,
  handlePaymentIssue,
  listPaymentIssues,
  notePaymentIssue,
  retryPaymentIssue,
  tellAdmins,
} from './service.ts';

const { market, refuse } = setUpRefusingMarket();
let admin: Actor;

beforeAll(async () => {
  admin = await createUser(market.ctx, { role: 'admin' });
});

const me = () => actingAs(market.ctx, admin);

async function issues({ isHandled = false } = {}): Promise<PaymentIssue[]> {
  return (await listPaymentIssues(me(), { isHandled, page: 1, limit: 100 })).items;
}

async function paymentIssueOf(bid: AcceptedBid, kind: PaymentIssueKind): Promise<PaymentIssue | undefined> {
  return (await issues()).find((issue) => issue.bidId === bid.id && issue.kind === kind);
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

describe('the issues for a person', () => {
  it('have a payout once it fails for a day or twelve times, and a retry pays it', async () => {
    const bid = await stuckPayout(0.5);
    expect(await paymentIssueOf(bid, 'operation')).toBeUndefined();
    const tried = (attempts: number) =>
      market.ctx.db.updateTable('providerOperations').set({ attempts }).where('doneAt', 'is', null).execute();
    await tried(12);
    expect(await paymentIssueOf(bid, 'operation')).toMatchObject({ attempts: 12 });
    await tried(4);
    await market.passDays(1);
    const issue = await paymentIssueOf(bid, 'operation');
    expect(issue).toMatchObject({
      what: 'payout',
      amount: '9.50',
      couponTitle: bid.coupon.title,
      buyer: { username: bid.buyer.username },
      seller: { username: bid.seller.username },
      lastError: expect.stringContaining('Stripe'),
      nextTryAt: expect.any(String),
    });
    if (!issue) return;
    const failed = await retryPaymentIssue(me(), issue);
    expect(failed.issue).toMatchObject({ attempts: expect.any(Number), since: issue.since });
    refuse(null);
    expect(await retryPaymentIssue(me(), issue)).toEqual({ issue: null });
    expect(await market.statusOf(bid)).toBe('completed');
    await expect(retryPaymentIssue(me(), issue)).rejects.toMatchObject({ code: 'conflict' });
    expect(await auditOf('payment_issue_retried')).toHaveLength(2);
  });

  it('have an operation that was given up; a retry that fails leaves it there', async () => {
    const bid = await stuckPayout(8);
    const issue = await paymentIssueOf(bid, 'operation');
    expect(issue).toMatchObject({ nextTryAt: null });
    if (!issue) return;
    const { issue: after } = await retryPaymentIssue(me(), issue);
    expect(after).toMatchObject({
      nextTryAt: null,
      attempts: issue.attempts + ((4 - (issue.attempts % 4)) % 4) + 1,
    });
    refuse(null);
    expect(await retryPaymentIssue(me(), issue)).toEqual({ issue: null });
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
    const tried = await auditOf('payment_issue_retried');
    await expect(retryPaymentIssue(me(), { kind: 'difference', ref: String(id) })).rejects.toMatchObject({
      code: 'bad_input',
      message: 'This is not one of our payments, so there is nothing to retry. Look for it at the provider.',
    });
    expect(await auditOf('payment_issue_retried')).toEqual(tried);
    expect(
      (await issues()).find(({ kind, ref }) => kind === 'difference' && ref === String(id)),
    ).toMatchObject({
      lastError: 'In our books: 0.00 CAD. At the provider: 77.00 CAD.',
    });
    await handlePaymentIssue(me(), { kind: 'difference', ref: String(id) });
  });

  it('have a dispute with the time for the evidence, until it ends', async () => {
    const bid = await market.paidBid();
    const { stripePaymentIntentId } = await paymentOf(market.ctx, bid);
    const dispute = await market.stripe.openDispute(stripePaymentIntentId ?? '');
    await market.deliverAll();
    const issue = await paymentIssueOf(bid, 'dispute');
    expect(issue).toMatchObject({ amount: '10.50', dueAt: expect.any(String) });
    await market.stripe.closeDispute(dispute, 'won');
    if (issue) expect(await retryPaymentIssue(me(), issue)).toEqual({ issue: null });
  });

  it('have a PayPal case with the time for the seller’s answer', async () => {
    const bid = await market.paidBid({ by: 'paypal' });
    const { paypalCaptureId } = await paymentOf(market.ctx, bid);
    await market.paypal.openDispute(paypalCaptureId ?? '', { stage: 'CHARGEBACK' });
    await market.deliverAll();
    expect(await paymentIssueOf(bid, 'dispute')).toMatchObject({
      provider: 'paypal',
      dueAt: expect.any(String),
    });
  });

  it('have a seller who cannot be paid, with what the provider needs and the money that waits', async () => {
    const seller = await market.readySeller();
    const bids = [await market.paidBid({ seller }), await market.paidBid({ seller })];
    const { receiverAccount } = await paymentOf(market.ctx, bids[0] as AcceptedBid);
    await market.stripe.setAccountState(receiverAccount, 'incomplete');
    await market.deliverAll();
    await market.passDays(4);
    const issue = (await issues()).find((found) => found.seller?.id === seller.id);
    expect(issue).toMatchObject({
      kind: 'seller',
      what: 'account_restricted',
      amount: '19.00',
      requirements: [expect.any(String)],
    });
    await market.stripe.setAccountState(receiverAccount, 'done');
    if (issue) expect(await retryPaymentIssue(me(), issue)).toEqual({ issue: null });
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
    const issue = (await issues()).find(({ ref }) => ref === 'stripe-evt_orphan');
    expect(issue).toMatchObject({ kind: 'event', what: 'charge.refunded', paymentId: null });
    if (!issue) return;
    expect(await retryPaymentIssue(me(), issue)).toMatchObject({ issue: { attempts: 13 } });
    await handlePaymentIssue(me(), issue);
    expect((await issues()).map(({ ref }) => ref)).not.toContain('stripe-evt_orphan');
  });

  it('are counted by kind', async () => {
    await reviewed();
    const counted = await countPaymentIssues(market.ctx);
    const reviews = (await issues()).filter(({ kind }) => kind === 'review');
    expect(counted).toContainEqual({ kind: 'review', count: reviews.length });
  });
});

describe('an admin', () => {
  it('keeps notes on an issue, with who wrote them and when', async () => {
    const bid = await reviewed();
    const issue = await paymentIssueOf(bid, 'review');
    if (!issue) throw new Error('There is no issue');
    await notePaymentIssue(me(), { ...issue, text: 'Asked the bank.' });
    await notePaymentIssue(me(), { ...issue, text: 'It was a test.' });
    expect((await paymentIssueOf(bid, 'review'))?.notes).toMatchObject([
      { author: admin.username, text: 'Asked the bank.', createdAt: market.ctx.clock().toISOString() },
      { author: admin.username, text: 'It was a test.' },
    ]);
    expect((await auditOf('payment_issue_noted'))[0]).toContain('Asked the bank.');
  });

  it('marks an issue as handled: one of two who do so at once wins', async () => {
    const bid = await reviewed();
    const issue = await paymentIssueOf(bid, 'review');
    if (!issue) throw new Error('There is no issue');
    const other = actingAs(market.ctx, await createUser(market.ctx, { role: 'admin' }));
    const answers = await Promise.allSettled([
      handlePaymentIssue(me(), issue),
      handlePaymentIssue(other, issue),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await paymentIssueOf(bid, 'review')).toBeUndefined();
    const handled = (await issues({ isHandled: true })).find(({ ref }) => ref === issue.ref);
    expect(handled?.handledAt).toBe(market.ctx.clock().toISOString());
  });

  it('sees a handled issue again once something else is wrong, and not when the same is found again', async () => {
    const bid = await reviewed();
    const issue = await paymentIssueOf(bid, 'review');
    if (!issue) throw new Error('There is no issue');
    await handlePaymentIssue(me(), issue);
    market.ctx.clock.advanceDays(1);
    const payment = { id: issue.paymentId ?? 0, provider: 'stripe' as const };
    const ask = (reason: string) =>
      inTransaction(market.ctx.db, (trx) => askPerson(trx, payment, reason, market.ctx.clock()));
    await ask('Its amount is odd');
    expect(await paymentIssueOf(bid, 'review')).toBeUndefined();
    await ask('Its currency is USD');
    expect(await paymentIssueOf(bid, 'review')).toMatchObject({ lastError: 'Its currency is USD' });
  });
});

describe('the mail to admins', () => {
  it('is one for all new issues, not more than one an hour, and none for known ones', async () => {
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
      '2 payment issues need a decision. See the Money tab for what happened and what you can do.',
    );
    market.ctx.clock.advanceDays(1);
    expect(await tellAdmins(market.ctx)).toBe(0);
  });

  it('counts for each admin the sales of others alone', async () => {
    market.ctx.clock.advanceDays(1);
    await tellAdmins(market.ctx);
    const { seller, buyer } = await reviewed();
    const other = await createUser(market.ctx, { role: 'admin' });
    for (const { id } of [seller, buyer])
      await market.ctx.db.updateTable('users').set({ role: 'admin' }).where('id', '=', id).execute();
    market.ctx.clock.advanceDays(1);
    expect(await tellAdmins(market.ctx)).toBe(1);
    const isTold = async (who: Actor) =>
      (await noticesOf(market.ctx, who)).some(({ link }) => link === '/admin?tab=money');
    expect(await Promise.all([seller, buyer, other].map(isTold))).toEqual([false, false, true]);
  });
});
