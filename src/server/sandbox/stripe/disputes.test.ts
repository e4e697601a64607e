import { describe, expect, test } from 'vitest';
import { openStripeHarness } from '#server/testing/stripe-harness.ts';

/** A paid charge of 31.50. */
async function openPaid(card?: string) {
  const harness = await openStripeHarness();
  const { stripe, sandbox } = harness;
  const paid = await harness.makePaid(7, card);
  return {
    ...harness,
    paid,
    async disputeOf(id: string) {
      const { status, is_charge_refundable, balance_transactions } = await stripe.disputes.retrieve(id);
      const moved = balance_transactions.map(({ amount, fee, type }) => [type, amount, fee]);
      return { status, isRefundable: is_charge_refundable, moved };
    },
    latest: async () => (await stripe.disputes.list({ payment_intent: paid.ref })).data[0]?.id ?? '',
    /** The kinds of the events about disputes, oldest first. */
    events: () => sandbox.waiting().flatMap(({ type }) => /^charge\.dispute\.(.+)/.exec(type)?.[1] ?? []),
  };
}

const WITHDRAWN = ['adjustment', -3_150, 1_500];
const RETURNED = ['adjustment', 3_150, 0];

describe('a chargeback', () => {
  test('withdraws the amount and 15.00, and returns the amount when it is won', async () => {
    const { sandbox, disputeOf, latest, events } = await openPaid('4000000000000259');
    const id = await latest();
    expect(await disputeOf(id)).toEqual({
      ...{ status: 'needs_response', isRefundable: false },
      moved: [WITHDRAWN],
    });
    await sandbox.closeDispute(id, 'won');
    expect(await disputeOf(id)).toMatchObject({ status: 'won', moved: [WITHDRAWN, RETURNED] });
    expect(events()).toEqual(['created', 'funds_withdrawn', 'closed', 'funds_reinstated']);
  });

  test('may be about a part, also of a refunded charge', async () => {
    const { stripe, sandbox, paid, disputeOf } = await openPaid();
    await stripe.refunds.create({ payment_intent: paid.ref });
    const id = await sandbox.openDispute(paid.ref, { amount: 1_000 });
    expect((await stripe.disputes.retrieve(id)).amount).toBe(1_000);
    expect(await disputeOf(id)).toMatchObject({ moved: [['adjustment', -1_000, 1_500]] });
  });

  test('is lost, won on appeal, and lost again', async () => {
    const { stripe, sandbox, paid, disputeOf, events } = await openPaid();
    const id = await sandbox.openDispute(paid.ref);
    await sandbox.closeDispute(id, 'lost');
    expect(await disputeOf(id)).toMatchObject({ status: 'lost', moved: [WITHDRAWN] });
    await sandbox.appealDispute(id);
    await stripe.disputes.update(id, { evidence: { uncategorized_text: 'The code works.' } });
    expect(await disputeOf(id)).toMatchObject({ status: 'appeal_under_review', moved: [WITHDRAWN] });
    await sandbox.closeDispute(id, 'won');
    expect(await disputeOf(id)).toMatchObject({ status: 'won', moved: [WITHDRAWN, RETURNED] });
    await sandbox.closeDispute(id, 'lost');
    const again = ['adjustment', -3_150, 0];
    expect(await disputeOf(id)).toMatchObject({ status: 'lost', moved: [WITHDRAWN, RETURNED, again] });
    expect(events().slice(-2)).toEqual(['closed', 'funds_withdrawn']);
    await expect(sandbox.closeDispute(id, 'warning_closed')).rejects.toThrow('lost');
  });

  test('takes evidence, once it is submitted no more', async () => {
    const { stripe, sandbox, paid, disputeOf } = await openPaid();
    const id = await sandbox.openDispute(paid.ref);
    const draft = { access_activity_log: 'Seen twice.', product_description: 'A coupon.' };
    const staged = await stripe.disputes.update(id, { evidence: draft, submit: false });
    expect(staged).toMatchObject({
      status: 'needs_response',
      evidence: draft,
      evidence_details: { has_evidence: true, submission_count: 0 },
    });
    const submitted = await stripe.disputes.update(id, { metadata: { by: 'admin' } });
    expect(submitted).toMatchObject({
      ...{ status: 'under_review', evidence: draft, metadata: { by: 'admin' } },
      evidence_details: { submission_count: 1, submission_method: 'manual' },
    });
    await expect(stripe.disputes.update(id, { evidence: draft })).rejects.toMatchObject({ statusCode: 400 });
    await expect(stripe.disputes.close(id)).rejects.toThrow('closed');
    expect(await disputeOf(id)).toMatchObject({ status: 'under_review' });
  });

  test.each([
    ['winning_evidence', 'won'],
    ['losing_evidence', 'lost'],
  ])('with %s is %s', async (text, status) => {
    const { stripe, sandbox, paid } = await openPaid();
    const id = await sandbox.openDispute(paid.ref);
    const decided = await stripe.disputes.update(id, { evidence: { uncategorized_text: text } });
    expect(decided.status).toBe(status);
  });

  test('is accepted by closing it', async () => {
    const { stripe, sandbox, paid } = await openPaid();
    const id = await sandbox.openDispute(paid.ref);
    expect(await stripe.disputes.close(id)).toMatchObject({ status: 'lost' });
    await expect(stripe.disputes.close(id)).rejects.toMatchObject({ statusCode: 400 });
  });
});

describe('an inquiry', () => {
  test('takes nothing, lets the charge be refunded, and closes', async () => {
    const { stripe, sandbox, paid, disputeOf, latest } = await openPaid('4000000000001976');
    const id = await latest();
    expect(await disputeOf(id)).toEqual({
      ...{ status: 'warning_needs_response', isRefundable: true, moved: [] },
    });
    await stripe.refunds.create({ payment_intent: paid.ref, amount: 100 });
    await stripe.disputes.update(id, { evidence: { uncategorized_text: 'It works.' } });
    expect(await disputeOf(id)).toMatchObject({ status: 'warning_under_review' });
    await sandbox.closeDispute(id, 'warning_closed');
    expect(await disputeOf(id)).toMatchObject({ status: 'warning_closed', moved: [] });
    await expect(sandbox.escalateInquiry(id)).rejects.toThrow('inquiry');
  });

  test('becomes a chargeback', async () => {
    const { sandbox, paid, disputeOf, events } = await openPaid();
    const id = await sandbox.openDispute(paid.ref, { kind: 'inquiry' });
    await expect(sandbox.closeDispute(id, 'lost')).rejects.toThrow('cannot become lost');
    await sandbox.escalateInquiry(id);
    expect(await disputeOf(id)).toEqual({
      ...{ status: 'needs_response', isRefundable: false },
      moved: [WITHDRAWN],
    });
    expect(events()).toEqual(['created', 'updated', 'funds_withdrawn']);
  });
});

test('a prevented dispute returns the money at once, without a fee', async () => {
  const { stripe, sandbox, paid, disputeOf } = await openPaid();
  const id = await sandbox.openDispute(paid.ref, { kind: 'prevented' });
  expect(await disputeOf(id)).toMatchObject({
    status: 'prevented',
    moved: [['adjustment', -3_150, 0]],
  });
  await expect(stripe.refunds.create({ payment_intent: paid.ref })).rejects.toMatchObject({
    code: 'charge_disputed',
  });
});
