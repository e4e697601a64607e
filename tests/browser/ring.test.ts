import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Actor } from '#server/domains/context.ts';
import { findMatches } from '#server/domains/matches/finding.ts';
import { tellOfCoupons } from '#server/domains/wants/telling.ts';
import { createCoupon, createUser } from '#server/testing/builders.ts';
import { checkInvariants } from '#server/testing/invariants.ts';
import { expectGoodState, WINDOWS } from './good-pages.ts';
import { closePages, type OpenedPage, openPage, sharedBrowser } from './harness.ts';
import { openSite, type Site, signIn } from './site.ts';

/** A ring of three from end to end: each of them gives to one, and gets from the other. */

const CODES = ['MOSSY-1187', 'BRAMBLE-2204', 'HEATHER-3391'];
const TITLES = ['Mossy lamp', 'Bramble jam', 'Heather honey'];

let site: Site;
let browser: Browser;
let people: { readonly actor: Actor; readonly opened: OpenedPage }[];

beforeAll(async () => {
  site = await openSite({ withDemo: false });
  browser = await sharedBrowser();
  people = [];
  for (const [index, username] of ['ana', 'ben', 'cyd'].entries()) {
    const actor = await createUser(site.ctx, { username });
    const phone = { width: 390, height: 844, colorScheme: 'dark' } as const;
    const opened = await openPage(browser, { baseUrl: site.baseUrl, ...(index === 1 && phone) });
    await signIn(site, opened.context, actor);
    await createCoupon(site.ctx, actor, { title: TITLES[index] ?? '', code: CODES[index] ?? '' });
    // Ana looks for what Bo has, Bo for what Cy has, and Cy for what Ana has.
    const [search] = (TITLES[(index + 1) % TITLES.length] ?? '').split(' ');
    await site.trpc(actor, 'mutation', 'wants.create', { search, gives: 'any' });
    people.push({ actor, opened });
  }
  await tellOfCoupons(site.ctx);
  await findMatches(site.ctx);
});
afterAll(async () => {
  await closePages();
  await site?.close();
});

it('three people swap in a ring, and each has the code that came to them', async () => {
  const [ana, bo, cy] = people.map(({ opened }) => opened);
  if (!ana || !bo || !cy) throw new Error('There are three');
  await ana.page.goto('/');
  await ana.page.getByRole('link', { name: 'See matches' }).click();
  const card = ana.page.getByRole('article', { name: 'Ring of three with cyd and ben' });
  await card
    .getByText('You give cyd “Mossy lamp”, cyd gives ben “Heather honey”, ben gives you “Bramble jam”.')
    .waitFor();
  await expectGoodState(ana, [WINDOWS[0], WINDOWS[1]]);
  await card.getByRole('button', { name: 'Propose' }).click();
  const proposal = ana.page.getByRole('dialog', { name: /^Propose/ });
  await proposal.getByLabel('Message').fill('All three at once?');
  await proposal.getByRole('button', { name: 'Propose' }).click();
  await ana.page.getByText('No matches yet').waitFor();

  for (const { page } of [bo, cy]) {
    await page.goto('/exchanges');
    await page.getByRole('button', { name: /^Details/ }).click();
    const details = page.getByRole('dialog').filter({ hasText: 'All three at once?' });
    await details.getByRole('button', { name: 'Agree' }).click();
    await page
      .getByRole('dialog', { name: 'Agree to the ring' })
      .getByRole('button', { name: 'Agree' })
      .click();
    await details.getByRole('button', { name: 'Agree' }).waitFor({ state: 'detached' });
  }
  await cy.page.getByText(/^Everybody has agreed/).waitFor();
  await cy.page.getByRole('dialog').getByRole('button', { name: 'Complete' }).click();
  await cy.page.getByRole('button', { name: 'Complete the ring' }).click();
  await cy.page.getByRole('link', { name: 'See your new coupon' }).waitFor();
  expect(await checkInvariants(site.ctx.db)).toEqual([]);

  for (const [index, { page }] of [ana, bo, cy].entries()) {
    const got = (index + 1) % TITLES.length;
    await page.goto('/my-coupons');
    const ticket = page.getByRole('article', { name: TITLES[got] });
    await ticket.getByRole('button', { name: /Show code/ }).click();
    const code = page.getByRole('dialog', { name: 'Your coupon code' }).getByLabel('Coupon code');
    expect(await code.textContent()).toBe(CODES[got]);
    expect(await page.getByRole('heading', { name: TITLES[index] }).count()).toBe(0);
  }
  for (const { assertNoConsoleErrors } of [ana, bo, cy]) assertNoConsoleErrors();
});
