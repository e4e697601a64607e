import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { TEXTS } from '#contract/base/texts.ts';
import type { Actor } from '#server/context/context.ts';
import { checkLedger } from '#server/money/books/ledger.ts';
import { createCoupon, createUser } from '#tests/support/builders.ts';
import { checkInvariants } from '#tests/support/invariants.ts';
import { closePages, expectNoAxeViolations, type OpenedPage, openPage, sharedBrowser } from './harness.ts';
import { goTo, press, typeInto } from './keyboard.ts';
import { openSite, type Site, signIn } from './site.ts';

/** From an offer to a paid, protected sale, as a seller, a buyer and a moderator see it. */

const CODE = 'PAID-FOR-5518';

let site: Site;
let browser: Browser;
let seller: Actor;
let buyer: Actor;
const opened: OpenedPage[] = [];

beforeAll(async () => {
  site = await openSite({ withDemo: false });
  browser = await sharedBrowser();
  seller = await createUser(site.ctx, { username: 'sela' });
  buyer = await createUser(site.ctx, { username: 'bodo' });
});
afterAll(async () => {
  await closePages();
  await site?.close();
});

// An open page answers to every live event.
afterEach(() => Promise.all(opened.map(({ context }) => context.close())));

/** A window in which somebody is signed in. */
async function windowOf(who: Actor, view: { width?: number; colorScheme?: 'light' | 'dark' } = {}) {
  const window = await openPage(browser, { baseUrl: site.baseUrl, height: 900, ...view });
  await signIn(site, window.context, who);
  opened.push(window);
  return window;
}

/** A bid on a new coupon, accepted by the seller. @returns its id */
async function acceptedBid(title: string, amount = '20.00'): Promise<number> {
  const coupon = await createCoupon(site.ctx, seller, { title, code: `${CODE}-${title}` });
  const placed = await site.trpc(buyer, 'mutation', 'bids.place', { couponId: coupon.id, amount });
  const { id } = placed.json().result.data;
  const accepted = await site.trpc(seller, 'mutation', 'bids.setStatus', { id, status: 'accepted' });
  expect(accepted.statusCode, accepted.body).toBe(200);
  return id;
}

async function fillCard(page: Page, number: string): Promise<void> {
  await page.getByLabel('Card number').fill(number);
  await page.getByLabel(/Expiration/).fill('1240');
  await page.getByLabel('Security code').fill('123');
}

const payButton = (page: Page) => page.getByRole('button', { name: /^Pay \$/ });

async function expectPaid(page: Page): Promise<void> {
  await page.waitForURL(/\/payment-complete/);
  await page.getByText(TEXTS.paymentResult.successfulText()).first().waitFor();
  await page.waitForURL(/\/my-coupons/);
}

async function statusOf(bidId: number): Promise<string | undefined> {
  const row = await site.ctx.db
    .selectFrom('paymentTransactions')
    .select('status')
    .where('bidId', '=', bidId)
    .orderBy('id', 'desc')
    .executeTakeFirst();
  return row?.status;
}

async function expectNobodyCheated(): Promise<void> {
  expect(await checkInvariants(site.ctx.db)).toEqual([]);
  expect((await checkLedger(site.ctx)).broken).toEqual([]);
}

it('the seller sets up an account with Stripe [spec/3 2.41]', async () => {
  const { page } = await windowOf(seller);
  await page.goto('/seller-onboarding');
  await page.getByRole('button', { name: 'Set up Stripe' }).click();
  await page
    .getByText(/no real money/i)
    .first()
    .waitFor();
  await expectNoAxeViolations(page);
  await page.getByRole('button', { name: 'Finish set-up' }).click();
  await page.waitForURL(/\/seller-onboarding/);
  await page.getByRole('region', { name: 'Stripe' }).getByText('Active', { exact: true }).waitFor();
});

it('the seller sets up an account with PayPal in a new window [spec/3 2.28 2.41]', async () => {
  const { page, context } = await windowOf(seller, { width: 390, colorScheme: 'dark' });
  await page.goto('/seller-onboarding');
  const [popup] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('button', { name: /Set up PayPal/ }).click(),
  ]);
  await popup.getByRole('button', { name: 'Finish set-up' }).click();
  await popup.waitForURL(/\/seller-onboarding/);
  await popup.getByRole('region', { name: 'PayPal' }).getByText('Active', { exact: true }).waitFor();
});

describe('the buyer pays', () => {
  it('at the asking price, by card with the keyboard alone, gets the code, and confirms it, so that the seller is paid [spec/2 2.26 4.20]', async () => {
    const shears = { title: 'Garden shears', code: `${CODE}-Garden shears`, askingPrice: '20.00' };
    const { id } = await createCoupon(site.ctx, seller, shears);
    const { page } = await windowOf(buyer);
    await page.goto(`/coupons/${id}`);
    await press(page, page.getByRole('button', { name: 'Buy now' }));
    const buying = page.getByRole('dialog', { name: 'Buy now' });
    await buying.getByText('$21.00 CAD').waitFor();
    await expectNoAxeViolations(page);
    await press(page, buying.getByRole('button', { name: 'Buy now' }));
    await page.waitForURL(/\/checkout\/\d+$/);
    const bidId = Number(page.url().split('/').at(-1));
    await typeInto(page, page.getByLabel('Card number'), '4242424242424242');
    await typeInto(page, page.getByLabel(/Expiration/), '1240');
    await typeInto(page, page.getByLabel('Security code'), '123');
    await press(page, payButton(page));
    await expectPaid(page);

    const ticket = page.getByRole('article', { name: 'Garden shears' }).first();
    await press(page, ticket.getByRole('button', { name: /Show code/ }));
    const code = page.getByRole('dialog', { name: 'Your coupon code' }).getByLabel('Coupon code');
    expect(await code.textContent()).toBe(`${CODE}-Garden shears`);
    expect(await statusOf(bidId)).toBe('held');

    await page.goto(`/my-bids?bid=${bidId}`);
    await page.getByRole('button', { name: 'The code works' }).first().click();
    await page
      .getByRole('dialog')
      .last()
      .getByRole('button', { name: /Pay the seller/ })
      .click();
    await expect.poll(() => statusOf(bidId)).toBe('completed');
    await expectNobodyCheated();
  });

  it('with a card whose bank asks for a confirmation, refused and then given [spec/2 7.18]', async () => {
    const bidId = await acceptedBid('Chess set');
    const { page } = await windowOf(buyer);
    await page.goto(`/checkout/${bidId}`);
    await fillCard(page, '4000002500003155');
    await payButton(page).click();
    const bank = page.getByRole('dialog', { name: /3-D Secure/ });
    await bank.waitFor();
    await expectNoAxeViolations(page);
    await bank.getByRole('button', { name: 'Fail authentication' }).click();
    await page.getByText(TEXTS.checkout.failed()).first().waitFor();
    await payButton(page).click();
    await bank.getByRole('button', { name: 'Complete authentication' }).click();
    await expectPaid(page);
    expect(await statusOf(bidId)).toBe('held');
  });

  it('by PayPal with the keyboard alone', async () => {
    const bidId = await acceptedBid('Wool socks', '12.34');
    const { page } = await windowOf(buyer, { width: 390 });
    await page.goto(`/checkout/${bidId}`);
    await goTo(page, page.getByRole('tab', { selected: true }));
    await goTo(page, page.getByRole('tab', { name: 'PayPal' }), 'ArrowRight');
    await press(page, page.getByRole('button', { name: 'Pay with PayPal' }));
    const dialog = page.getByRole('dialog', { name: 'PayPal sandbox' });
    await dialog.waitFor();
    await expectNoAxeViolations(page);
    await press(page, dialog.getByRole('button', { name: 'Pay now' }));
    await expectPaid(page);
    expect(await statusOf(bidId)).toBe('held');
    await expectNobodyCheated();
  });
});

it('two people swap and one pays besides: both hold the coupons once it is paid', async () => {
  const tea = await createCoupon(site.ctx, buyer, { title: 'Tea tin', code: `${CODE}-Tea tin` });
  const lamp = await createCoupon(site.ctx, seller, { title: 'Desk lamp', code: `${CODE}-Desk lamp` });
  const { page } = await windowOf(buyer);
  await page.goto(`/coupons/${lamp.id}`);
  await page.getByRole('button', { name: 'Exchange' }).click();
  const dialog = page.getByRole('dialog', { name: 'Propose Exchange' });
  await dialog.getByRole('checkbox', { name: /Tea tin/ }).check();
  await dialog.getByLabel('You pay sela').check();
  await dialog.getByLabel('Amount (CAD)').fill('20');
  await dialog.getByText('You pay $21.00 CAD with the fee, and sela gets $19.00 CAD.').waitFor();
  await expectNoAxeViolations(page);
  await dialog.getByRole('button', { name: 'Send exchange request' }).click();
  await page.getByText('Exchange request sent').first().waitFor();

  const other = await windowOf(seller, { width: 390, colorScheme: 'dark' });
  await other.page.goto('/deals');
  await other.page.getByText('bodo also pays you $20.00 CAD, $19.00 CAD after the fee.').first().waitFor();
  await other.page.getByRole('button', { name: /^Accept exchange #/ }).click();
  const terms = other.page.getByRole('dialog', { name: 'Accept exchange' });
  await terms.getByText('bodo also pays you $20.00 CAD').waitFor();
  await expectNoAxeViolations(other.page);
  await terms.getByRole('button', { name: 'Accept', exact: true }).click();
  await other.page
    .getByText(/^To be paid within/)
    .first()
    .waitFor();

  await page.goto('/deals');
  await page.getByRole('link', { name: /^Pay \$21\.00/ }).click();
  await page.getByText('In your exchange, to sela').waitFor();
  await expectNoAxeViolations(page);
  await fillCard(page, '4242424242424242');
  await payButton(page).click();
  await expectPaid(page);
  const owners = await site.ctx.db
    .selectFrom('coupons')
    .select(['id', 'ownerId'])
    .where('id', 'in', [tea.id, lamp.id])
    .orderBy('id')
    .execute();
  expect(owners.map(({ ownerId }) => ownerId)).toEqual([seller.id, buyer.id]);
  await expectNobodyCheated();
});

it('“Didn’t work” is a claim after two taps, and the seller’s notice opens the answer', async () => {
  const bidId = await acceptedBid('Bird house');
  const { page } = await windowOf(buyer, { width: 390 });
  await page.goto(`/checkout/${bidId}`);
  await fillCard(page, '4242424242424242');
  await payButton(page).click();
  await expectPaid(page);
  await page.goto('/deals');
  let taps = 0;
  const tap = async (name: string) => {
    await page.getByRole('button', { name }).click();
    taps += 1;
  };
  await tap('Didn’t work: Bird house');
  const claim = page.getByRole('dialog', { name: 'The code does not work' });
  // The words take the focus: nobody has to tap into them.
  await claim.locator('textarea:focus').waitFor();
  await page.keyboard.type('The till says that it was used.');
  await tap('Send claim');
  await page.getByText('Claim sent').first().waitFor();
  expect(taps).toBe(2);

  const sellers = await windowOf(seller, { width: 390, colorScheme: 'dark' });
  await sellers.page.goto('/notifications');
  await sellers.page.getByRole('link', { name: /the code of “Bird house” does not work/ }).click();
  const answer = sellers.page.getByRole('dialog', { name: 'Answer the claim' });
  await answer.locator('textarea:focus').waitFor();
  await expectNoAxeViolations(sellers.page);
  await sellers.page.keyboard.type('I have not used it.');
  await answer.getByRole('button', { name: 'Send answer' }).click();
  await sellers.page.getByText('Answer sent').first().waitFor();
});

it('no page had an error', () => {
  // A declined card, a blocked script and a bank's refusal appear in the console, as with the real providers.
  const expected = [/402|sandbox\/stripe|Failed to load/];
  for (const window of opened) window.assertNoConsoleErrors(expected);
});
