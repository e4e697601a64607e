import { describe, expect, test } from 'vitest';
import { publicIdOf } from '#server/testing/public-ids.ts';
import { openStripeHarness } from '#server/testing/stripe-harness.ts';

const RETURN = 'http://localhost:3000/seller-onboarding?back=1';
const REFRESH = 'http://localhost:3000/seller-onboarding?again=1';

describe("a seller's account", () => {
  test('reads as null before it is created', async () => {
    const { provider } = await openStripeHarness();
    expect(await provider.readAccount({ userId: 1, accountRef: null })).toBeNull();
    expect(await provider.readAccount({ userId: 1, accountRef: 'acct_nobody' })).toBeNull();
  });

  test('lists what is still missing, until it is ready', async () => {
    const { provider, sandbox, startSeller, stripe } = await openStripeHarness();
    const { accountRef } = await startSeller();
    expect(await provider.readAccount({ userId: 1, accountRef })).toEqual({
      accountRef,
      failedPayout: null,
      isReady: false,
      paymentsReceivable: false,
      primaryEmailConfirmed: true,
      isRestricted: false,
      requirements: [
        'Legal name',
        'Date of birth',
        'Home address',
        'Identity document',
        'Bank account for payouts',
        "Stripe's terms of service",
      ],
    });
    await sandbox.finishOnboarding(accountRef);
    expect(await provider.readAccount({ userId: 1, accountRef })).toEqual({
      accountRef,
      failedPayout: null,
      isReady: true,
      paymentsReceivable: true,
      primaryEmailConfirmed: true,
      isRestricted: false,
      requirements: [],
    });
    const { metadata, identity } = await stripe.v2.core.accounts.retrieve(accountRef, {
      include: ['identity'],
    });
    expect({ metadata, country: identity?.country }).toEqual({ metadata: { seller_id: '1' }, country: 'ca' });
  });

  test('is created once, with a new link every time', async () => {
    const { startSeller } = await openStripeHarness();
    const [first, second] = [await startSeller(), await startSeller()];
    expect(second.accountRef).toBe(first.accountRef);
    expect(second.url).not.toBe(first.url);
  });

  test('that exists gets a link', async () => {
    const { provider, startSeller } = await openStripeHarness();
    const { accountRef } = await startSeller();
    const request = { userId: 1, email: 's@example.com', displayName: 's', country: 'CA' };
    const urls = { returnUrl: RETURN, refreshUrl: REFRESH, idempotencyKey: 'other' };
    const again = await provider.startOnboarding({ ...request, ...urls, accountRef });
    expect(again.accountRef).toBe(accountRef);
  });
});

describe("Stripe's pages for a seller", () => {
  test('say that no real money moves, and need neither script nor inline style', async () => {
    const { browse, startSeller } = await openStripeHarness();
    const { path, url } = await startSeller();
    expect(url).toMatch(/^http:\/\/localhost:3000\/sandbox\/stripe\/browser\/onboarding\/\w{32}$/);
    const page = await browse(path);
    expect(page.status).toBe(200);
    expect(page.text).toContain('No real money moves.');
    expect(page.text).not.toMatch(/<script|<style|style=/);
    expect(page.headers.get('content-security-policy')).toContain('http://localhost:3000');
    expect(page.text).toContain('href="/sandbox/page.css"');
  });

  test.each([
    ['finish', { isReady: true, isRestricted: false, requirements: [] }],
    ['incomplete', { isReady: false, isRestricted: true, requirements: ['Identity document'] }],
    ['leave', { isReady: false, isRestricted: false, requirements: expect.arrayContaining(['Legal name']) }],
  ])('redirect back after %s, and work once', async (choice, expected) => {
    const { browse, provider, startSeller } = await openStripeHarness();
    const { accountRef, path } = await startSeller();
    const back = await browse(path, `choice=${choice}`);
    expect([back.status, back.headers.get('location')]).toEqual([303, RETURN]);
    expect(await provider.readAccount({ userId: 1, accountRef })).toMatchObject(expected);
    for (const body of [undefined, 'choice=finish']) {
      const again = await browse(path, body);
      expect([again.status, again.headers.get('location')]).toEqual([303, REFRESH]);
    }
    expect(await provider.readAccount({ userId: 1, accountRef })).toMatchObject(expected);
  });

  test('with an unknown link are not found', async () => {
    const { browse } = await openStripeHarness();
    expect((await browse('/browser/onboarding/none')).status).toBe(404);
  });
});

describe('a payout', () => {
  const payoutOf = (paid: { chargeRef: string; receiver: string }, idempotencyKey: string) => ({
    ...{
      publicId: publicIdOf(7),
      amount: 2_850,
      receiver: paid.receiver,
      chargeRef: paid.chargeRef,
      idempotencyKey,
    },
  });

  test('transfers from its charge, once for one key', async () => {
    const { makePaid, provider, stripe } = await openStripeHarness();
    const paid = await makePaid();
    const payout = await provider.payOut(payoutOf(paid, 'payout-1'));
    expect(payout).toEqual({
      ref: expect.stringMatching(/^tr_/),
      status: 'succeeded',
      amount: 2_850,
      reversed: 0,
      receiver: paid.receiver,
      failure: null,
    });
    expect(await provider.payOut(payoutOf(paid, 'payout-1'))).toEqual(payout);
    expect((await provider.readPayment(paid.ref))?.payouts).toEqual([payout]);
    const { data } = await stripe.transfers.list({ transfer_group: `payment_${publicIdOf(7)}` });
    expect(data.map(({ source_transaction, metadata }) => ({ source_transaction, metadata }))).toEqual([
      { source_transaction: paid.chargeRef, metadata: { payment_id: publicIdOf(7) } },
    ]);
  });

  test('to an account that is not ready is refused', async () => {
    const { makePaid, provider, startSeller } = await openStripeHarness();
    const paid = await makePaid();
    const { accountRef } = await startSeller(99);
    await expect(provider.payOut(payoutOf({ ...paid, receiver: accountRef }, 'p'))).rejects.toMatchObject({
      name: 'ProviderRefusal',
      code: 'insufficient_capabilities_for_transfer',
    });
  });

  test('larger than its charge is refused', async () => {
    const { makePaid, provider } = await openStripeHarness();
    const paid = await makePaid();
    await expect(provider.payOut({ ...payoutOf(paid, 'p'), amount: 3_151 })).rejects.toMatchObject({
      name: 'ProviderRefusal',
    });
  });

  test('is reversed once', async () => {
    const { makePaid, provider, stripe } = await openStripeHarness();
    const paid = await makePaid();
    const { ref } = await provider.payOut(payoutOf(paid, 'payout-1'));
    const reversal = await provider.reversePayout({ ref, amount: 2_850, idempotencyKey: 'r1' });
    expect(reversal).toEqual({ ref: expect.stringMatching(/^trr_/) });
    expect(await provider.reversePayout({ ref, amount: 2_850, idempotencyKey: 'r1' })).toEqual(reversal);
    expect((await stripe.transfers.retrieve(ref)).amount_reversed).toBe(2_850);
    expect((await provider.readPayment(paid.ref))?.payouts).toMatchObject([
      { amount: 2_850, reversed: 2_850 },
    ]);
    await expect(stripe.transfers.createReversal(ref, { amount: 1 })).rejects.toThrow('unreversed');
  });
});
