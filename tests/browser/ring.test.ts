import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import type { Actor } from '#server/domains/context.ts';
import { findMatches } from '#server/domains/matches/finding.ts';
import { tellOfCoupons } from '#server/domains/wants/telling.ts';
import { createCoupon, createUser } from '#server/testing/builders.ts';
import { checkInvariants } from '#server/testing/invariants.ts';
import { itLong } from '#server/testing/long-form.ts';
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
    people.push({ actor, opened });
  }
});

/** Ana looks for what Bo has, Bo for what Cy has, and Cy for what Ana has. */
async function wantEachOthers(titles: readonly string[], codes: readonly string[] = []): Promise<void> {
  for (const [index, { actor }] of people.entries()) {
    const code = codes[index];
    await createCoupon(site.ctx, actor, { title: titles[index] ?? '', ...(code && { code }) });
    await wantFirstWordOf(actor, titles[(index + 1) % titles.length]);
  }
  await find();
}

async function wantFirstWordOf(actor: Actor, title = ''): Promise<void> {
  const [search] = title.split(' ');
  await site.trpc(actor, 'mutation', 'wants.create', { search, gives: 'any' });
}

async function find(): Promise<void> {
  await tellOfCoupons(site.ctx);
  await findMatches(site.ctx);
}

afterAll(async () => {
  await closePages();
  await site?.close();
});

itLong('three people swap in a ring, and each has the code that came to them', async () => {
  const [ana, bo, cy] = people.map(({ opened }) => opened);
  if (!ana || !bo || !cy) throw new Error('There are three');
  await wantEachOthers(TITLES, CODES);
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
  await cy.page.getByRole('dialog').getByRole('link', { name: 'See your new coupon' }).waitFor();
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

itLong('the third person declines, and those who remain have the ring with another at once', async () => {
  const [ana, bo, cy] = people;
  if (!ana || !bo || !cy) throw new Error('There are three');
  const titles = ['Willow broom', 'Copper kettle', 'Linen cloth'];
  await wantEachOthers(titles);
  const [match] = (await site.trpc(ana.actor, 'query', 'matches.list')).json().result.data;
  await site.trpc(ana.actor, 'mutation', 'matches.propose', { id: match.id, message: null });
  const dee = await createUser(site.ctx, { username: 'dee' });
  await createCoupon(site.ctx, dee, { title: 'Linen apron' });
  await wantFirstWordOf(dee, titles[0]);

  const remaining = [ana, bo].map(({ opened }) => opened.page);
  for (const page of remaining) {
    await page.goto('/matches');
    await page.getByText('No matches yet').waitFor();
  }
  const { page } = cy.opened;
  await page.goto('/exchanges');
  await page
    .getByRole('button', { name: /^Details/ })
    .first()
    .click();
  await page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click();
  await page
    .getByRole('dialog', { name: 'Decline the ring' })
    .getByRole('button', { name: 'Decline' })
    .click();
  await page.getByText('You declined it.').waitFor();
  await find();
  for (const [index, sentence] of [
    'You give dee “Willow broom”, dee gives ben “Linen apron”, ben gives you “Copper kettle”.',
    'You give ana “Copper kettle”, ana gives dee “Willow broom”, dee gives you “Linen apron”.',
  ].entries()) {
    // Their pages were open: the news came to them.
    await remaining[index]
      ?.getByRole('article', { name: /^Ring of three with/ })
      .getByText(sentence)
      .waitFor();
  }
  await page.goto('/matches');
  await page.getByText('No matches yet').waitFor();
  for (const { opened } of people) opened.assertNoConsoleErrors();
});
