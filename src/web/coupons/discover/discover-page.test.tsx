import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { TEXTS } from '#contract/base/texts.ts';
import type { FeedOffer } from '#contract/coupons/discover.ts';
import type { Actor } from '#server/context/context.ts';
import { importFeed } from '#server/coupons/discover/importing.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createUser } from '#tests/support/builders.ts';
import { address, press } from '#tests/support/web/acts.ts';
import { brokenAnswer, type Intercept, renderWithServer } from '#tests/support/web/server.tsx';
import { Component as DiscoverPage } from '#web/pages/discover.tsx';
import { endingText, shortTerms } from './offer-ticket.tsx';

const server = setUpApp();
let me: Actor;

beforeEach(async () => {
  me = await createUser(server.ctx);
});

function offer(merchant: string, code: string, given: Partial<FeedOffer> = {}): FeedOffer {
  return {
    merchant,
    code,
    title: `${code} at ${merchant}`,
    description: 'Off everything in the shop',
    value: 500,
    discountType: 'fixed',
    startDate: null,
    isValueRead: false,
    expiryDate: null,
    endTime: null,
    regions: [],
    terms: null,
    sourceUrl: null,
    imageUrl: null,
    ...given,
  };
}

/** Imports the only feed of these tests; offers that it no longer has are removed. */
async function feed(offers: readonly FeedOffer[]): Promise<void> {
  await importFeed(server.ctx, {
    name: 'test',
    rows: (async function* () {
      yield* offers.map((each, index) => ({ line: index + 1, offer: each }));
    })(),
  });
}

const many = (merchant: string, count: number) =>
  Array.from({ length: count }, (_, index) =>
    offer(merchant, `${merchant.slice(0, 3).toUpperCase()}${index}`),
  );

const show = (address = '/discover', intercept?: Intercept) =>
  renderWithServer(server, me, <DiscoverPage />, { address, intercept });
const ticket = (title: string) => screen.findByRole('article', { name: title });
const titles = () => screen.queryAllByRole('article').map((article) => article.getAttribute('aria-label'));
const imported = async () => {
  const page = await server.trpc(me, 'query', 'coupons.mine', {});
  return page.json().result.data.items.map(({ title }: { title: string }) => title);
};

describe('with no feed', () => {
  it('says that there are no offers, and links to the coupons', async () => {
    show();
    await screen.findByRole('heading', { name: 'No offers to discover yet' });
    expect(screen.getByRole('link', { name: 'Browse Coupons' }).getAttribute('href')).toBe('/');
  });
});

describe('the offers', () => {
  it('are those of the first merchant, and of another one after a press on its tab [spec/3 2.18]', async () => {
    await feed([offer('Ada', 'A1'), offer('Bea', 'B1')]);
    show();
    await ticket('A1 at Ada');
    screen.getByRole('tab', { name: 'Ada 1 offer' });
    fireEvent.click(screen.getByRole('tab', { name: 'Bea 1 offer' }));
    await ticket('B1 at Bea');
    expect(titles()).toEqual(['B1 at Bea']);
    expect(address()).toBe('/discover?merchant=Bea');
  });

  it('show everything in the feed, and no amount if it has none [spec/3 2.38]', async () => {
    const terms = `${'Weekdays only. '.repeat(10)}`;
    await feed([
      offer('Ada', 'A1', { value: null, discountType: null, terms, sourceUrl: 'https://ada.example/a' }),
      offer('Ada', 'A2', { value: 2_000, discountType: 'percentage', expiryDate: '2035-07-15' }),
    ]);
    show();
    const unstated = within(await ticket('A1 at Ada'));
    for (const text of ['Offer', 'See terms', 'A1', 'Off everything in the shop', 'No expiry']) {
      expect(unstated.getByText(text)).toBeTruthy();
    }
    expect(unstated.getByText(/^Terms: /).textContent).toBe(`Terms: ${terms.slice(0, 80).trimEnd()}…`);
    expect(unstated.getByRole('link', { name: /See it/ }).getAttribute('rel')).toContain('noopener');
    const stated = within(await ticket('A2 at Ada'));
    expect(stated.getByText('20.00%')).toBeTruthy();
    expect(stated.getByText('Until Jul 15, 2035')).toBeTruthy();
    expect(document.body.textContent).not.toContain('0.00 CAD');
    expect(stated.queryByText(/Taken from the title/)).toBeNull();
  });

  it('of a merchant far down the list can be opened by a link', async () => {
    await feed(
      Array.from({ length: 25 }, (_, index) => offer(`Shop ${String(index).padStart(2, '0')}`, 'X')),
    );
    show('/discover?merchant=Shop+24');
    await ticket('X at Shop 24');
    expect(screen.getByRole('tab', { selected: true }).textContent).toContain('Shop 24');
    press('More merchants');
    await waitFor(() => expect(screen.getAllByRole('tab')).toHaveLength(25));
    expect(screen.queryByRole('button', { name: 'More merchants' })).toBeNull();
  });

  it('are found by the merchant’s name [decisions 3.15.2]', async () => {
    await feed([offer('Ada', 'A1'), offer('Bea', 'B1')]);
    show('/discover?merchant=Ada');
    const box = await screen.findByLabelText('Search merchants');
    fireEvent.change(box, { target: { value: 'be' } });
    await screen.findByRole('article', { name: 'B1 at Bea' });
    expect(address()).toBe('/discover?q=be');
    expect(screen.getAllByRole('tab')).toHaveLength(1);
    fireEvent.change(box, { target: { value: 'nobody' } });
    await screen.findByRole('heading', { name: 'No merchant with that name' });
    press('Alert me');
    const want = within(await screen.findByRole('dialog', { name: 'Alert me' }));
    expect(want.getByRole<HTMLInputElement>('textbox', { name: 'Merchant' }).value).toBe('nobody');
    press('Alert me', screen.getByRole('dialog'));
    await screen.findByText('Wish saved');
    const wants = await server.trpc(me, 'query', 'wants.list');
    expect(wants.json().result.data).toMatchObject([{ merchant: 'nobody', search: null }]);
    press('Show all merchants');
    await ticket('A1 at Ada');
    expect(address()).toBe('/discover');
  });
});

describe('importing', () => {
  it('adds the offer to My Coupons, and shows it as imported at once and later [spec/3 2.18]', async () => {
    await feed([offer('Ada', 'A1'), offer('Ada', 'A2')]);
    show();
    press(/Import to My Coupons/, await ticket('A1 at Ada'));
    const link = await screen.findByRole('link', { name: /In My Coupons/ });
    expect(link.getAttribute('href')).toBe('/my-coupons?q=Ada');
    await screen.findByText('Coupon imported');
    expect(await imported()).toEqual(['A1 at Ada']);
    cleanup();
    show();
    await within(await ticket('A1 at Ada')).findByRole('link', { name: /In My Coupons/ });
    within(await ticket('A2 at Ada')).getByRole('button', { name: /Import to My Coupons/ });
  });

  it('shows a failure, and can be tried again [spec/3 2.20]', async () => {
    await feed([offer('Ada', 'A1')]);
    show('/discover', (procedure) => (procedure === 'discover.import' ? brokenAnswer() : undefined));
    press(/Import to My Coupons/, await ticket('A1 at Ada'));
    await screen.findByText(TEXTS.discover.importFailed());
    screen.getByText(TEXTS.discover.importFailedText());
    within(await ticket('A1 at Ada')).getByRole('button', { name: /Import to My Coupons/ });
  });

  it('all offers of a merchant shows how many were imported', async () => {
    await feed([...many('Ada', 3), offer('Bea', 'B1')]);
    await server.trpc(me, 'mutation', 'discover.import', { merchant: 'Ada', code: 'ADA1' });
    show();
    await ticket('ADA0 at Ada');
    press('Import All');
    await screen.findByText('2 coupons imported');
    await screen.findByText('All in My Coupons');
    expect(screen.getAllByRole('link', { name: /In My Coupons/ })).toHaveLength(3);
    expect((await imported()).sort()).toEqual(['ADA0 at Ada', 'ADA1 at Ada', 'ADA2 at Ada']);
  });
});

it('marks a value that is read from the title, and names the countries', async () => {
  await feed([
    offer('Ada', 'A1', {
      value: 1_500,
      discountType: 'percentage',
      isValueRead: true,
      regions: ['DE', 'AT', 'CH'],
    }),
  ]);
  show();
  const shown = within(await ticket('A1 at Ada'));
  shown.getByText('Taken from the title: please check with the merchant.');
  shown.getByText('Valid only in Austria, Germany, and 1 more');
});

it.each([
  ['2035-07-15T23:59:59', null],
  ['2035-07-15T18:00:00', 'Ends Jul 15, 2035 at 18:00 (the merchant’s time)'],
  ['2035-07-15T18:00:00Z', /^Ends Jul 1[456], 2035, .* \(your time\)$/],
])('tells the time of an end where it says more than the day: %s', (endTime, text) => {
  const shown = endingText(endTime);
  if (text instanceof RegExp) expect(shown).toMatch(text);
  else expect(shown).toBe(text);
});

it.each([
  ['Weekdays only', 'Weekdays only'],
  ['x'.repeat(80), 'x'.repeat(80)],
  ['x'.repeat(81), `${'x'.repeat(80)}…`],
  [`${'x'.repeat(79)} yyy`, `${'x'.repeat(79)}…`],
  // It does not cut a character in half.
  ['🎟'.repeat(81), `${'🎟'.repeat(80)}…`],
])('cuts terms after 80 characters: %s [spec/3 2.19]', (terms, shown) => {
  expect(shortTerms(terms)).toBe(shown);
});
