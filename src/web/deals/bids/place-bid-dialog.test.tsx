import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Currency } from '#contract/base/money.ts';
import { TEXTS } from '#contract/base/texts.ts';
import type { Actor } from '#server/context/context.ts';
import { setUpApp } from '#tests/support/app.ts';
import { bidOn } from '#tests/support/bids.ts';
import { createCoupon, createUser, type TestCoupon } from '#tests/support/builders.ts';
import { shortOrLong } from '#tests/support/rounds.ts';
import { address, press } from '#tests/support/web/acts.ts';
import { type Intercept, renderWithServer } from '#tests/support/web/server.tsx';
import { noteSignIn } from '#web/lib/viewer-storage.ts';
import { Component as CouponPage } from '#web/pages/coupon.tsx';
import { Component as HomePage } from '#web/pages/home.tsx';

const server = setUpApp();
let me: Actor;
let wanted: TestCoupon;

beforeEach(async () => {
  me = await createUser(server.ctx);
  wanted = await createCoupon(server.ctx, await createUser(server.ctx));
});

/** Renders the pages for a member, or for a visitor, who has no currency. */
function showPages(address: string, currency: Currency | null, intercept?: Intercept) {
  renderWithServer(
    server,
    currency && me,
    <Routes>
      <Route path="/" element={<HomePage />} />
      <Route path="/coupons/:id" element={<CouponPage />} />
      <Route path="/my-bids" element="The bids" />
      <Route path="/auth" element="Sign in here" />
    </Routes>,
    { address, intercept, user: { ...(currency && { preferredCurrency: currency }) } },
  );
}

async function show({ currency = 'CAD', intercept }: { currency?: Currency; intercept?: Intercept } = {}) {
  showPages(`/coupons/${wanted.id}?bid=1`, currency, intercept);
  return screen.findByRole('dialog', { name: 'Place a Bid' });
}

const amount = () => screen.getByLabelText<HTMLInputElement>(/^Your bid \(CAD\)/);
const type = (value: string) => fireEvent.change(amount(), { target: { value } });
const send = () => press('Place bid');

async function myBids() {
  const { body } = await server.trpc(me, 'query', 'bids.list', { role: 'bidder' });
  return JSON.parse(body).result.data.items;
}

describe('a bid', () => {
  it('is placed with the amount and the message, and after one second the bids are shown [spec/1 4.8] [spec/2 3.6]', async () => {
    const dialog = await show();
    expect(within(dialog).getByText(wanted.title)).toBeTruthy();
    type(' 12.5 ');
    fireEvent.change(screen.getByLabelText('Message'), { target: { value: '  For my aunt.  ' } });
    send();
    await screen.findByText('Bid placed');
    expect(address()).toBe(`/coupons/${wanted.id}`);
    expect(await myBids()).toMatchObject([
      { couponId: wanted.id, amount: '12.50', message: 'For my aunt.', status: 'pending' },
    ]);
    await screen.findByText('The bids');
    expect(address()).toBe('/my-bids');
  });

  const refused = [
    ['', TEXTS.bids.amountRequired()],
    ['12.345', TEXTS.bids.amountPositive()],
    ['2.99', TEXTS.bids.amountTooSmall('$3.00')],
    ['10000.01', TEXTS.bids.amountTooLarge('$10,000.00')],
    ['abc', TEXTS.bids.amountPositive()],
    ['-5', TEXTS.bids.amountPositive()],
    ['0.00', TEXTS.bids.amountPositive()],
  ] as const;
  it.each(shortOrLong(refused.slice(0, 4), refused))(
    'of “%s” is refused at once: %s [spec/1 5.5 9.1] [spec/2 5.3 9.10]',
    async (value, text) => {
      await show();
      type(value);
      send();
      expect(screen.getByText(text)).toBeTruthy();
      expect(await myBids()).toEqual([]);
    },
  );

  it('is called binding in the dialog', async () => {
    const dialog = await show();
    expect(dialog.textContent).toContain('Bids are binding');
    expect(dialog.textContent).toContain('48 hours to pay');
  });

  it('for the second time is refused with the server’s text, and the amount is kept [spec/1 8.5]', async () => {
    await bidOn(server.ctx, me, wanted);
    await show();
    type('20');
    send();
    await screen.findByText(TEXTS.bids.placeFailedTitle());
    expect(screen.getByText(TEXTS.bids.alreadyPending())).toBeTruthy();
    expect(amount().value).toBe('20');
  });

  it('as it was typed before can be started over', async () => {
    await show();
    type('20');
    cleanup();
    await show();
    press('Start over');
    expect(amount().value).toBe('');
    cleanup();
    await show();
    expect(amount().value).toBe('');
  });

  it("shows 'Failed to place bid' if the answer has no text of the server's [spec/2 8.13]", async () => {
    const data = { code: 'INTERNAL_SERVER_ERROR', httpStatus: 502 };
    const error = { message: 'Bad Gateway', code: -32_603, data };
    await show({
      intercept: (name) => (name === 'bids.place' ? Response.json({ error }, { status: 502 }) : undefined),
    });
    type('20');
    send();
    await screen.findByText('Failed to Place Bid');
    expect(screen.getByText('Failed to place bid')).toBeTruthy();
  });
});

describe('the cost of a bid', () => {
  const rows = (dialog: HTMLElement) =>
    [...dialog.querySelectorAll('dl > div')].map((row) =>
      [...row.children].map(({ textContent }) => textContent).join(': '),
    );

  it('is shown while typing', async () => {
    const dialog = await show();
    expect(rows(dialog)).toEqual(['Your bid: –', 'Fee (5%): –', 'You would pay: –']);
    type('12.50');
    expect(rows(dialog)).toEqual([
      'Your bid: $12.50 CAD',
      'Fee (5%): $0.63 CAD',
      'You would pay: $13.13 CAD',
    ]);
    type('2');
    expect(rows(dialog)).toEqual(['Your bid: –', 'Fee (5%): –', 'You would pay: –']);
  });

  it('is shown in the viewer’s own currency, too', async () => {
    const dialog = await show({ currency: 'JPY' });
    type('20');
    expect(rows(dialog)).toContain('You would pay: $21.00 CAD');
    expect(rows(dialog)).toContain('About: ¥2,372 JPY');
  });
});

describe('the Bid button', () => {
  it('is shown on other people’s coupons [spec/1 2.27] [spec/2 2.25]', async () => {
    showPages('/', 'CAD');
    const ticket = await screen.findByRole('article', { name: wanted.title });
    press('Bid', ticket);
    await screen.findByRole('dialog', { name: 'Place a Bid' });
  });

  it('is hidden on own coupons, and a link opens no dialog there [spec/1 2.11]', async () => {
    const mine = await createCoupon(server.ctx, me);
    showPages(`/coupons/${mine.id}?bid=1`, 'CAD');
    await screen.findByRole('heading', { name: mine.title });
    await waitFor(() => expect(address()).toBe(`/coupons/${mine.id}`));
    expect(screen.queryByRole('button', { name: 'Bid' })).toBeNull();
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it.each([
    ['/', 'register', false],
    ['coupon', 'sign in, in a browser that they have signed in with before,', true],
  ])('sends visitors from %s to %s and back [spec/1 5.6 8.6] [spec/2 5.12]', async (from, _, isKnown) => {
    localStorage.removeItem('clipswap.account');
    if (isKnown) noteSignIn();
    const page = `/coupons/${wanted.id}`;
    showPages(from === '/' ? '/' : page, null);
    const ticket = await screen.findByRole('article', { name: wanted.title });
    if (from === '/') press('Bid', ticket);
    else press('Bid');
    await screen.findByText(TEXTS.requests.logIn());
    expect(screen.getByText(TEXTS.requests.logInToBid())).toBeTruthy();
    const comeBack = encodeURIComponent(`${page}?bid=1`);
    expect(address()).toBe(isKnown ? `/auth?from=${comeBack}` : `/auth?tab=register&from=${comeBack}`);
  });
});
