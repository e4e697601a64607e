import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { Updateable } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import type { PaymentStatus } from '#contract/money/payments.ts';
import type { Actor } from '#server/context/context.ts';
import { addDays } from '#server/core/clock.ts';
import type { DB } from '#server/database/types.ts';
import { answerClaim } from '#server/money/claims/claims.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createBid, paySale } from '#tests/support/bids.ts';
import { actingAs, createUser } from '#tests/support/builders.ts';
import { noticesOf } from '#tests/support/exchanges.ts';
import { dialog, press } from '#tests/support/web/acts.ts';
import { aProtection } from '#tests/support/web/builders.ts';
import { brokenAnswer, type Intercept, renderWithServer } from '#tests/support/web/server.tsx';
import { protectionWords } from '#web/deals/bids/protection-wording.ts';
import { Component as MyBidsPage } from '#web/pages/my-bids.tsx';

const server = setUpApp();
let sale: Awaited<ReturnType<typeof createBid>>;
let paymentId: number;

beforeEach(async () => {
  const { ctx } = server;
  sale = await createBid(ctx, 'accepted');
  paymentId = await paySale(ctx, sale.id);
  await setPayment({ holdUntil: addDays(ctx.clock(), 3) });
});

/** Sets the payment's columns directly. */
async function setPayment(columns: Updateable<DB['paymentTransactions']>) {
  await server.ctx.db.updateTable('paymentTransactions').set(columns).where('id', '=', paymentId).execute();
}

/** Moves the payment through these states, one after the other. */
async function advance(...statuses: PaymentStatus[]) {
  for (const status of statuses) {
    const isEnd = status === 'completed' || status === 'refunded' || status === 'charged_back';
    await setPayment({ status, ...(isEnd && { endedAt: server.ctx.clock() }) });
  }
}

const REASON = 'The till says that it was used in May.';

async function claim() {
  const { statusCode, body } = await server.trpc(sale.bidder, 'mutation', 'payments.openClaim', {
    bidId: sale.id,
    reason: REASON,
  });
  expect(statusCode, body).toBe(200);
}

async function decide(decision: 'refund' | 'release', note: string) {
  const moderator = await createUser(server.ctx, { role: 'moderator' });
  const { id } = await server.ctx.db
    .selectFrom('claims')
    .select('id')
    .where('bidId', '=', sale.id)
    .executeTakeFirstOrThrow();
  await answerClaim(actingAs(server.ctx, sale.owner), { id, answer: 'It worked for me.' });
  const { statusCode, body } = await server.trpc(moderator, 'mutation', 'payments.decideClaim', {
    id,
    decision,
    note,
  });
  expect(statusCode, body).toBe(200);
}

/** Renders the sale's details for one of its parties. */
async function show(who: Actor, intercept?: Intercept): Promise<HTMLElement> {
  renderWithServer(server, who, <MyBidsPage />, { address: `/my-bids?bid=${sale.id}`, intercept });
  const detail = await screen.findByRole('dialog', { name: `Bid #${sale.id}` });
  return within(detail).findByRole('region');
}

const labels = (element: HTMLElement) =>
  within(element)
    .queryAllByRole('button')
    .concat(within(element).queryAllByRole('link'))
    .map(({ textContent }) => textContent);
const heading = (panel: HTMLElement) => within(panel).getByRole('heading').textContent;

describe('the buyer of a held payment', () => {
  it('sees the last day of the protection, and can say whether the code works', async () => {
    const panel = await show(sale.bidder);
    expect(heading(panel)).toMatch(/^Protected until Jun 18, 2035/);
    expect(labels(panel)).toEqual([
      'The code works',
      'The code does not work',
      'See your new coupon',
      'Receipt',
    ]);
    const link = within(panel).getByRole('link', { name: 'See your new coupon' });
    expect(link.getAttribute('href')).toBe(`/my-coupons?coupon=${sale.coupon.id}`);
    const receipt = within(panel).getByRole('link', { name: 'Receipt' });
    expect(receipt.getAttribute('href')).toBe(`/sales/${paymentId}`);
  });

  it('releases the money after a confirmation', async () => {
    const panel = await show(sale.bidder);
    press('The code works', panel);
    const question = await dialog('Does the code work?');
    expect(question.textContent).toContain('You cannot undo this');
    press('Pay the seller', question);
    await screen.findByText('The money is on its way to the seller.', { selector: 'p' });
    await waitFor(() => expect(heading(panel)).toBe('The sale is final'));
    expect(labels(panel)).toEqual(['See your new coupon', 'Receipt']);
    const payment = await server.ctx.db
      .selectFrom('paymentTransactions')
      .select('status')
      .where('id', '=', paymentId)
      .executeTakeFirstOrThrow();
    expect(payment.status).toBe('releasing');
  });

  it('opens a claim with a reason, and withdraws it', async () => {
    const panel = await show(sale.bidder);
    press('The code does not work', panel);
    const form = await dialog('The code does not work');
    expect(form.textContent).toContain('A moderator and the seller will read your claim');
    const reason = within(form).getByRole('textbox', { name: /What happened/ });
    fireEvent.change(reason, { target: { value: 'Broken' } });
    press('Send claim', form);
    within(form).getByText('Please say in at least 10 characters what did not work');
    fireEvent.change(reason, { target: { value: REASON } });
    press('Send claim', form);
    await screen.findByText('Claim sent');
    await waitFor(() => expect(heading(panel)).toBe('Your claim is open'));
    within(panel).getByText(REASON);
    expect(labels(panel)).toEqual(['Withdraw claim', 'See your new coupon', 'Receipt']);

    press('Withdraw claim', panel);
    press('Withdraw claim', await dialog('Withdraw your claim?'));
    await screen.findByText('Claim withdrawn');
    await waitFor(() => expect(heading(panel)).toMatch(/^Protected until/));
    within(panel).getByText('Your claim, withdrawn');
    // There can be one claim for each sale.
    expect(labels(panel)).toEqual(['The code works', 'See your new coupon', 'Receipt']);
  });

  it('sees the true state after a confirmation that comes too late', async () => {
    const panel = await show(sale.bidder);
    press('The code works', panel);
    const question = await dialog('Does the code work?');
    await claim();
    press('Pay the seller', question);
    await screen.findByText('You made a claim about this code. Withdraw it first.');
    await waitFor(() => expect(heading(panel)).toBe('Your claim is open'));
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Does the code work?' })).toBeNull());
  });

  it('can try again after a failure, and the text is kept', async () => {
    let isBroken = true;
    const panel = await show(sale.bidder, (name) =>
      isBroken && name === 'payments.openClaim' ? brokenAnswer() : undefined,
    );
    press('The code does not work', panel);
    const form = await dialog('The code does not work');
    const reason = within(form).getByRole<HTMLTextAreaElement>('textbox', { name: /What happened/ });
    fireEvent.change(reason, { target: { value: REASON } });
    press('Send claim', form);
    await screen.findByText('Claim not sent');
    expect(reason.value).toBe(REASON);
    isBroken = false;
    press('Send claim', form);
    await screen.findByText('Claim sent');
  });

  it('has no buttons during a dispute with the bank', async () => {
    await setPayment({ isDisputed: true });
    const panel = await show(sale.bidder);
    expect(heading(panel)).toBe('The bank disputes this payment');
    expect(labels(panel)).toEqual(['See your new coupon', 'Receipt']);
  });
});

describe('after a decision', () => {
  it('for the buyer, both parties see the reason and no buttons', async () => {
    await claim();
    await decide('refund', 'The shop confirms it.');
    await advance('refunded');
    for (const [who, paper] of [
      [sale.bidder, 'Receipt'],
      [sale.owner, 'Fee statement'],
    ] as const) {
      const panel = await show(who);
      expect(heading(panel)).toBe('Refunded');
      within(panel).getByText('Reason');
      within(panel).getByText('The shop confirms it.');
      expect(labels(panel)).toEqual([paper]);
      cleanup();
    }
  });
});

describe('the seller', () => {
  it('sees until when the money is held, and has no buttons', async () => {
    const panel = await show(sale.owner);
    expect(heading(panel)).toMatch(/^Paid, and held until Jun 18, 2035/);
    expect(labels(panel)).toEqual(['Fee statement']);
  });

  it('sees the buyer’s claim, and answers it once', async () => {
    await claim();
    const panel = await show(sale.owner);
    expect(heading(panel)).toBe('The buyer says that the code does not work');
    within(panel).getByText(REASON);
    expect(labels(panel)).toEqual(['Answer', 'Fee statement']);
    press('Answer', panel);
    const form = await dialog('Answer the claim');
    fireEvent.change(within(form).getByRole('textbox'), { target: { value: 'It worked for me.' } });
    press('Send answer', form);
    await screen.findByText('Answer sent');
    await within(panel).findByText('It worked for me.');
    await waitFor(() => expect(labels(panel)).toEqual(['Fee statement']));
  });

  it('finds the form for an answer in front, with the focus in it, behind the link of the notice', async () => {
    await claim();
    const { link } = (await noticesOf(server.ctx, sale.owner)).at(-1) ?? {};
    renderWithServer(server, sale.owner, <MyBidsPage />, { address: link ?? '' });
    const form = await dialog('Answer the claim');
    const words = within(form).getByRole('textbox', { name: /What can you tell us/ });
    await waitFor(() => expect(document.activeElement).toBe(words));
  });

  it.each([
    ['Your money is on its way', ['releasing']],
    ['You have been paid', ['releasing', 'completed']],
    ['Refund in progress', ['refunding']],
    ['Taken back by the bank', ['charged_back']],
  ] as const)('sees “%s” after the payment has become %j', async (title, statuses) => {
    await advance(...statuses);
    expect(heading(await show(sale.owner))).toBe(title);
  });
});

describe('the texts', () => {
  it('ask the buyer to try the code only if no claim is open or decided', () => {
    for (const status of ['open', 'released', 'withdrawn'] as const) {
      const given = {
        id: 1,
        status,
        reason: REASON,
        createdAt: '2026-11-03T12:00:00.000Z',
        answerBy: null,
        announcedEnd: null,
        finding: null,
        answer: null,
        note: null,
        isLate: false,
        shopAnswer: null,
        claimantPictures: [],
        giverPictures: [],
      };
      const text = protectionWords(aProtection({ claim: given }), 'bidder')?.text ?? '';
      expect(text.startsWith('Try the code')).toBe(status === 'withdrawn');
    }
  });
});
