import { describe, expect, test } from 'vitest';
import { openPaypalHarness } from '#server/testing/paypal-harness.ts';
import { publicIdOf } from '#server/testing/public-ids.ts';

const cad = (value: string) => ({ currency_code: 'CAD', value });
const NOTES = { evidences: [{ evidence_type: 'OTHER', notes: 'The code was shown twice.' }] };

/** A capture of 31.50. */
async function openPaid() {
  const harness = await openPaypalHarness();
  const { api, sandbox } = harness;
  const paid = await harness.makePaid();
  const path = (id: string) => `/v1/customer/disputes/${id}`;
  return {
    ...harness,
    paid,
    capture: paid.chargeRef,
    read: (id: string) => api.get(path(id), paid.receiver),
    ask: (id: string, act: string, body: object) => api.post(`${path(id)}/${act}`, body, paid.receiver),
    async movementsOf(id: string) {
      const { money_movements: movements } = await api.get(path(id));
      return movements;
    },
    events: () =>
      sandbox
        .waiting()
        .flatMap(({ type }) => /^CUSTOMER\.DISPUTE\.(.+)|CAPTURE\.(REVERSED)/.exec(type)?.slice(1) ?? [])
        .filter((name) => name !== undefined),
  };
}

const movement = (type: string, reason: string, amount: object) =>
  expect.objectContaining({ affected_party: 'SELLER', type, reason, amount });
const TAKEN = movement('DEBIT', 'DISPUTE_SETTLEMENT', cad('31.50'));
const RETURNED = movement('CREDIT', 'DISPUTE_SETTLEMENT', cad('31.50'));

describe('an inquiry', () => {
  test('is between buyer and seller, and goes from stage to stage', async () => {
    const { sandbox, capture, read, ask, events } = await openPaid();
    const id = await sandbox.openDispute(capture, { stage: 'INQUIRY' });
    expect(id).toMatch(/^PP-R-[A-Z]{3}-\d{8}$/);
    expect(await read(id)).toMatchObject({
      ...{ status: 'OPEN', dispute_state: 'OPEN_INQUIRIES', dispute_life_cycle_stage: 'INQUIRY' },
      disputed_transactions: [
        {
          seller_transaction_id: capture,
          custom: publicIdOf(7),
          invoice_number: `clipswap-${publicIdOf(7)}`,
        },
      ],
    });
    await expect(ask(id, 'provide-evidence', NOTES)).rejects.toMatchObject({
      code: 'ACTION_NOT_ALLOWED_IN_CURRENT_DISPUTE_STATE',
    });
    const stages = [];
    for (let step = 0; step < 3; step += 1) {
      await sandbox.escalateDispute(id);
      const { dispute_life_cycle_stage: stage, status } = await read(id);
      stages.push([stage, status]);
    }
    expect(stages).toEqual(
      ['CHARGEBACK', 'PRE_ARBITRATION', 'ARBITRATION'].map((stage) => [stage, 'WAITING_FOR_SELLER_RESPONSE']),
    );
    expect(events()).toEqual(['CREATED', 'UPDATED', 'UPDATED', 'UPDATED']);
  });

  test('that the buyer takes back moves no money', async () => {
    const { sandbox, capture, read } = await openPaid();
    const id = await sandbox.openDispute(capture, { stage: 'INQUIRY' });
    await sandbox.closeDispute(id, 'cancelled');
    const dispute = await read(id);
    expect(dispute).toMatchObject({
      status: 'RESOLVED',
      dispute_outcome: { outcome_code: 'CANCELED_BY_BUYER' },
    });
    expect(dispute).not.toHaveProperty('money_movements');
  });
});

describe('a claim that PayPal decides', () => {
  test('is listed in short and read whole', async () => {
    const { api, sandbox, capture, read, makePaid } = await openPaid();
    const other = await makePaid(8);
    await sandbox.openDispute(other.chargeRef);
    const id = await sandbox.openDispute(capture, { amount: 1_000 });
    const { items } = await api.get(`/v1/customer/disputes?disputed_transaction_id=${capture}`);
    expect(items).toEqual([
      expect.objectContaining({ dispute_id: id, dispute_amount: cad('10.00'), dispute_channel: 'INTERNAL' }),
    ]);
    expect(JSON.stringify(items)).not.toContain('disputed_transactions');
    expect(await read(id)).toMatchObject({ seller_response_due_date: expect.any(String) });
  });

  test('takes evidence as JSON and as a form', async () => {
    const { sandbox, settings, capture, paid, read, ask } = await openPaid();
    const id = await sandbox.openDispute(capture);
    await ask(id, 'provide-evidence', NOTES);
    expect(await read(id)).toMatchObject({
      ...{ status: 'UNDER_REVIEW', dispute_state: 'UNDER_PAYPAL_REVIEW' },
      evidences: [{ ...NOTES.evidences[0], source: 'SUBMITTED_BY_SELLER' }],
    });
    await sandbox.escalateDispute(id);
    const form = new FormData();
    form.set('input', new Blob([JSON.stringify(NOTES)], { type: 'application/json' }));
    const basic = Buffer.from(`${settings.clientId}:${settings.clientSecret}`).toString('base64');
    const token = await fetch(`${sandbox.url}/v1/oauth2/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${basic}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    const { access_token } = await token.json();
    const answer = await fetch(`${sandbox.url}/v1/customer/disputes/${id}/provide-evidence`, {
      method: 'POST',
      headers: { authorization: `Bearer ${access_token}` },
      body: form,
    });
    expect([answer.status, (await read(id)).evidences]).toEqual([
      200,
      expect.objectContaining({ length: 2 }),
    ]);
    expect(paid.receiver).toMatch(/^[2-9A-HJ-NP-Z]{13}$/);
  });

  test('takes the money when it is lost, and returns it after an appeal', async () => {
    const { sandbox, capture, read, ask, movementsOf, events } = await openPaid();
    const id = await sandbox.openDispute(capture);
    expect(await movementsOf(id)).toBeUndefined();
    await sandbox.closeDispute(id, 'lost');
    expect(await read(id)).toMatchObject({
      dispute_outcome: { outcome_code: 'RESOLVED_BUYER_FAVOUR', amount_refunded: cad('31.50') },
    });
    expect(await movementsOf(id)).toEqual([TAKEN]);
    await ask(id, 'appeal', NOTES);
    expect(await read(id)).toMatchObject({ status: 'UNDER_REVIEW' });
    await sandbox.closeDispute(id, 'won');
    expect((await read(id)).dispute_outcome).toEqual({ outcome_code: 'RESOLVED_SELLER_FAVOUR' });
    expect(await movementsOf(id)).toEqual([TAKEN, RETURNED]);
    expect(events()).toEqual(['CREATED', 'RESOLVED', 'REVERSED', 'UPDATED', 'RESOLVED']);
  });

  test('can be accepted', async () => {
    const { sandbox, capture, read, ask, movementsOf } = await openPaid();
    const id = await sandbox.openDispute(capture);
    const acceptance = { note: 'We agree.', accept_claim_type: 'REFUND' };
    await ask(id, 'accept-claim', acceptance);
    expect(await read(id)).toMatchObject({ dispute_outcome: { outcome_code: 'ACCEPTED' } });
    expect(await movementsOf(id)).toEqual([TAKEN]);
    await expect(ask(id, 'accept-claim', acceptance)).rejects.toMatchObject({
      code: 'ACTION_NOT_ALLOWED_IN_CURRENT_DISPUTE_STATE',
    });
  });

  test('paid by PayPal itself leaves the money with the seller', async () => {
    const { sandbox, capture, read, movementsOf } = await openPaid();
    const id = await sandbox.openDispute(capture);
    await sandbox.closeDispute(id, 'payout');
    expect(await read(id)).toMatchObject({ dispute_outcome: { outcome_code: 'RESOLVED_WITH_PAYOUT' } });
    expect(await movementsOf(id)).toBeUndefined();
  });

  test('allows no refund of a part while it is open', async () => {
    const { api, sandbox, capture, paid } = await openPaid();
    await sandbox.openDispute(capture);
    const refund = (body: object) => api.post(`/v2/payments/captures/${capture}/refund`, body, paid.receiver);
    await expect(refund({ amount: cad('1.00') })).rejects.toMatchObject({
      code: 'CAPTURE_DISPUTED_PARTIAL_REFUND_NOT_ALLOWED',
    });
    expect(await refund({})).toMatchObject({ amount: cad('31.50') });
  });
});

test('a bank’s chargeback takes the money and a fee at once; winning returns the money', async () => {
  const { sandbox, capture, movementsOf, events } = await openPaid();
  const id = await sandbox.openDispute(capture, { channel: 'EXTERNAL' });
  const fee = movement('DEBIT', 'CHARGEBACK_FEE', cad('20.00'));
  expect(await movementsOf(id)).toEqual([fee, TAKEN]);
  await sandbox.closeDispute(id, 'won');
  expect(await movementsOf(id)).toEqual([fee, TAKEN, RETURNED]);
  expect(events()).toEqual(['CREATED', 'REVERSED', 'RESOLVED']);
});
