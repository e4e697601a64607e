import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { createUser } from '#tests/support/builders.ts';
import { type AcceptedBid, type Market, marketOf, paymentOf } from '#tests/support/payments.ts';
import { closePages, type OpenedPage, openPage, sharedBrowser } from './harness.ts';
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

it('a refund of a part in Stripe’s dashboard is seen by the buyer and by the seller without a reload', async () => {
  await buyers.page.goto(`/my-bids?bid=${sale.id}`);
  await sellers.page.goto(`/my-bids?tab=received&bid=${sale.id}`);
  await buyers.page.getByRole('heading', { name: /^Protected until / }).waitFor();
  await sellers.page.getByRole('heading', { name: /^Paid, and held until / }).waitFor();
  await playOutside(admins, sale, 'Refund in the dashboard', '3.00');
  for (const { page } of [buyers, sellers])
    await page.getByText('Refunded so far: $3.00 CAD.', { exact: true }).waitFor();
  // The sale itself stays.
  await buyers.page.getByRole('heading', { name: /^Protected until / }).waitFor();
});

it('the books are right, and no page had an error', async () => {
  expect(await market.broken()).toEqual([]);
  for (const window of [buyers, sellers, admins]) window.assertNoConsoleErrors();
});
