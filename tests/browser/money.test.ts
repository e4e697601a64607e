import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Actor } from '#server/domains/context.ts';
import { confirmReceipt } from '#server/domains/payments/protection.ts';
import { actingAs, createUser } from '#server/testing/builders.ts';
import { itLong } from '#server/testing/long-form.ts';
import { type AcceptedBid, type Market, marketOf, paymentOf } from '#server/testing/payments.ts';
import { settle } from './good-pages.ts';
import { closePages, expectNoAxeViolations, type OpenedPage, openPage, sharedBrowser } from './harness.ts';
import { openSite, type Site, signIn } from './site.ts';

/** What happens to the money of a sale after it was paid, as buyer, seller and an admin see it. */

let site: Site;
let market: Market;
let browser: Browser;
let seller: Actor;
let buyer: Actor;
let buyers: OpenedPage;
let sellers: OpenedPage;
let admins: OpenedPage;
let sale: AcceptedBid;

beforeAll(async () => {
  [site, browser] = await Promise.all([openSite({ withDemo: false }), sharedBrowser()]);
  market = marketOf(site);
  const admin = await createUser(site.ctx, { role: 'admin' });
  seller = await market.readySeller(['stripe']);
  buyer = await createUser(site.ctx);
  sale = await paidSale();
  buyers = await windowOf(buyer, 390);
  sellers = await windowOf(seller, 1280);
  admins = await windowOf(admin, 1280);
});
afterAll(async () => {
  await closePages();
  await site?.close();
});

async function windowOf(who: Actor, width: number): Promise<OpenedPage> {
  const window = await openPage(browser, { baseUrl: site.baseUrl, height: 900, width });
  await signIn(site, window.context, who);
  return window;
}

/** A sale of 20.00, paid by card: the buyer paid 21.00, the seller is due 19.00. */
async function paidSale(): Promise<AcceptedBid> {
  const bid = await market.acceptedBid({ amount: 2_000, seller, buyer });
  await market.payByCard(bid);
  return bid;
}

async function refOf(bid: AcceptedBid): Promise<string> {
  return (await paymentOf(site.ctx, bid)).stripePaymentIntentId ?? '';
}

/** Chooses an act on the page that plays the outside. */
async function playOutside({ page }: OpenedPage, bid: AcceptedBid, act: string, amount = ''): Promise<void> {
  await page.goto('/sandbox');
  const form = page.getByRole('form', { name: new RegExp(await refOf(bid)) });
  await form.getByLabel('Act').selectOption({ label: act });
  await form.getByLabel('Amount').fill(amount);
  await form.getByRole('button', { name: 'Do it' }).click();
  await page.getByText(`Done: ${act}.`).waitFor();
}

async function expectRefunded(amount: string): Promise<void> {
  for (const { page } of [buyers, sellers]) {
    await page.getByText(`Refunded so far: $${amount} CAD.`, { exact: true }).waitFor();
  }
}

it('a refund of a part in Stripe’s dashboard is seen by the buyer and by the seller without a reload', async () => {
  await buyers.page.goto(`/my-bids?bid=${sale.id}`);
  await sellers.page.goto(`/my-bids?tab=received&bid=${sale.id}`);
  await buyers.page.getByRole('heading', { name: /^Protected until / }).waitFor();
  await sellers.page.getByRole('heading', { name: /^Paid, and held until / }).waitFor();
  await playOutside(admins, sale, 'Refund in the dashboard', '3.00');
  await expectRefunded('3.00');
  // The sale itself stays.
  await buyers.page.getByRole('heading', { name: /^Protected until / }).waitFor();
});

itLong('an admin refunds a part on the tab Money, and the buyer and the seller see the sum', async () => {
  const { page } = admins;
  await page.goto('/admin?tab=fees');
  await page
    .getByRole('row')
    .filter({ hasText: sale.coupon.title })
    .getByRole('link', { name: /^Payment #/ })
    .click();
  const dialog = page.getByRole('dialog', { name: /^Payment #/ });
  await dialog.getByLabel(/^Refund in CAD/).fill('5.00');
  await dialog.getByLabel(/^Reason/).fill('One of the two coffees was sold out.');
  await settle(admins);
  await expectNoAxeViolations(page);
  await dialog.getByRole('button', { name: 'Refund a part' }).click();
  await page.getByText(/^\$5\.00 CAD go back to /).waitFor();
  await market.passDays(0);
  await expectRefunded('8.00');
});

itLong(
  'an admin opens a dispute and copies the prepared evidence, which does not contain the code',
  async () => {
    const disputed = await paidSale();
    await site.trpc(buyer, 'mutation', 'coupons.reveal', { id: disputed.coupon.id });
    await playOutside(admins, disputed, 'Dispute it');
    await expect.poll(async () => (await paymentOf(site.ctx, disputed)).isDisputed).toBe(true);
    const { page, context } = admins;
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto('/admin?tab=money');
    const row = page.getByRole('row').filter({ hasText: disputed.coupon.title });
    await row.getByText('Dispute', { exact: true }).waitFor();
    await row.getByRole('button', { name: /^Evidence/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Evidence for the bank' });
    await dialog.getByLabel('Evidence').waitFor();
    await settle(admins);
    await expectNoAxeViolations(page);
    await dialog.getByRole('button', { name: 'Copy' }).click();
    await page.getByText('Evidence copied').waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toBe(await dialog.getByLabel('Evidence').inputValue());
    expect(copied).toContain(`Buyer: ${buyer.username}`);
    expect(copied).toContain(disputed.coupon.title);
    expect(copied).not.toContain(disputed.coupon.code);
  },
);

itLong('a seller sees a debt, what it takes from the next payout, and that it is settled', async () => {
  const undone = await paidSale();
  await confirmReceipt(actingAs(site.ctx, buyer), undone.id);
  await playOutside(admins, undone, 'Empty the balance: no reversals');
  await playOutside(admins, undone, 'Refund in the dashboard');
  await expect.poll(() => market.statusOf(undone)).toBe('refunded');
  await market.passDays(1 / 24 / 60);
  const next = await paidSale();

  const { page } = sellers;
  await page.goto('/seller-onboarding');
  const debts = page.getByRole('region', { name: 'You owe $19.00 CAD' });
  const lineOf = (bid: AcceptedBid) => debts.getByRole('listitem').filter({ hasText: bid.coupon.title });
  await lineOf(undone).getByText('It is kept back from your next payouts by Stripe.').waitFor();
  // The first sale is still held and paid out first: 8.00 of 21.00 were refunded, 11.76 of 19.00 are left. The payout
  // of the disputed one waits.
  await lineOf(sale).getByText('$11.76 CAD of $11.76 CAD are kept back').waitFor();
  await lineOf(next).getByText('$7.24 CAD of $19.00 CAD are kept back').waitFor();
  await settle(sellers);
  await expectNoAxeViolations(page);

  await confirmReceipt(actingAs(site.ctx, buyer), next.id);
  await page.goto(`/my-bids?tab=received&bid=${next.id}`);
  await page.getByText('Kept back for what you owed for an earlier sale: $19.00 CAD.').waitFor();
  await page.goto('/seller-onboarding');
  await settle(sellers);
  expect(await page.getByText(/You owe/).count()).toBe(0);
});

it('the books are right, and no page had an error', async () => {
  expect(await market.broken()).toEqual([]);
  for (const window of [buyers, sellers, admins]) window.assertNoConsoleErrors();
});
