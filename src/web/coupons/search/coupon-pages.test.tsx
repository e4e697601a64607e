import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { beforeEach, describe, expect, it } from 'vitest';
import { TEXTS } from '#contract/base/texts.ts';
import type { Actor } from '#server/context/context.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createCoupon, createUser } from '#tests/support/builders.ts';
import { move, propose } from '#tests/support/exchanges.ts';
import { address, dialog, press } from '#tests/support/web/acts.ts';
import { brokenAnswer, type Intercept, renderWithServer } from '#tests/support/web/server.tsx';
import { Component as CouponPage } from '#web/pages/coupon.tsx';
import { Component as HomePage } from '#web/pages/home.tsx';
import { Component as MyCouponsPage } from '#web/pages/my-coupons.tsx';

const server = setUpApp();
let me: Actor;
let other: Actor;
/** Only the titles of the current test's coupons contain this word. */
let word: string;
let tests = 0;

beforeEach(async () => {
  [me, other] = [await createUser(server.ctx), await createUser(server.ctx)];
  tests += 1;
  word = `zebra${tests}`;
});

const list = (owner: Actor, title: string, given = {}) =>
  createCoupon(server.ctx, owner, { title: `${word} ${title}`, ...given });

function show(address: string, intercept?: Intercept) {
  const pages = (
    <Routes>
      <Route path="/" element={<HomePage />} />
      <Route path="/coupons/:id" element={<CouponPage />} />
      <Route path="/my-coupons" element={<MyCouponsPage />} />
    </Routes>
  );
  return renderWithServer(server, me, pages, { address, intercept });
}

const ticket = (title: string) => screen.findByRole('article', { name: `${word} ${title}` });
const titles = () => screen.queryAllByRole('article').map((article) => article.getAttribute('aria-label'));

async function reveals(couponId: number): Promise<number> {
  const rows = await server.ctx.db
    .selectFrom('couponReveals')
    .selectAll()
    .where('couponId', '=', couponId)
    .execute();
  return rows.length;
}

describe('the marketplace', () => {
  it('filters by its address [spec/1 2.6]', async () => {
    await list(other, 'Cheap', { value: 500, category: 'food' });
    await list(other, 'Dear', { value: 5_000, category: 'food' });
    await list(other, 'Trip', { value: 500, category: 'travel' });
    show(`/?q=${word}&category=food&max=10`);
    await ticket('Cheap');
    expect(titles()).toEqual([`${word} Cheap`]);
    expect(screen.getByRole('heading', { name: '1 coupon' })).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>('Max value').value).toBe('10');
  });

  it('shows Add a Coupon, How It Works and six coupons to a page [spec/1 2.25 9.6]', async () => {
    for (const number of [1, 2, 3, 4, 5, 6, 7]) await list(other, `Meal ${number}`);
    const { unmount } = renderWithServer(server, me, <HomePage />, { address: '/' });
    const hero = within(await screen.findByRole('region', { name: /^Swap coupons/ }));
    expect(hero.getByRole('link', { name: 'How It Works' }).getAttribute('href')).toBe('/how-it-works');
    hero.getByRole('button', { name: 'Add a Coupon' });
    unmount();
    show(`/?q=${word}`);
    await ticket('Meal 7');
    expect(titles()).toHaveLength(6);
    press('Page 2');
    await ticket('Meal 1');
    expect(titles()).toHaveLength(1);
    press('Add a Coupon');
    await dialog('Add a New Coupon');
  });

  it('writes a filter into the address, and its chip removes it [spec/1 2.6]', async () => {
    await list(other, 'Meal', { category: 'food' });
    await list(other, 'Trip', { category: 'travel' });
    show(`/?q=${word}&page=1`);
    await ticket('Trip');
    fireEvent.click(screen.getByLabelText('Food'));
    await waitFor(() => expect(titles()).toEqual([`${word} Meal`]));
    expect(address()).toBe(`/?q=${word}&category=food`);
    press('Remove filter: Food');
    await ticket('Trip');
    expect(address()).toBe(`/?q=${word}`);
  });

  it('refuses an invalid amount [spec/1 5.14]', async () => {
    show('/');
    const min = screen.getByLabelText('Min value');
    fireEvent.change(min, { target: { value: '-5' } });
    fireEvent.blur(min);
    expect(screen.getByText('Must be 0 or more')).toBeTruthy();
    fireEvent.change(min, { target: { value: '4.5' } });
    fireEvent.keyDown(min, { key: 'Enter' });
    expect(address()).toBe('/?min=4.50');
  });

  it('searches when the typing pauses', async () => {
    await list(other, 'Meal');
    show('/?sort=oldest');
    const box = screen.getByLabelText('Search coupons');
    fireEvent.change(box, { target: { value: 'ze' } });
    expect(screen.getByText(/only the newest 2,000 coupons/)).toBeTruthy();
    fireEvent.change(box, { target: { value: `${word} ` } });
    await waitFor(() => expect(address()).toBe(`/?sort=oldest&q=${word}`));
    await waitFor(() => expect(titles()).toEqual([`${word} Meal`]));
    press('Clear search');
    expect(address()).toBe('/?sort=oldest');
  });

  it('says that nothing matches, and how to see more [spec/1 8.15]', async () => {
    await list(other, 'Meal');
    show(`/?q=${word}nothing&sort=oldest`);
    await screen.findByRole('heading', { name: TEXTS.coupons.noneFound() });
    press('Reset filters');
    await waitFor(() => expect(address()).toBe('/?sort=oldest'));
  });

  it('shows an error and loads again on Retry [spec/1 8.13]', async () => {
    await list(other, 'Meal');
    let isBroken = true;
    show(`/?q=${word}`, (procedure) =>
      isBroken && procedure === 'coupons.list' ? brokenAnswer() : undefined,
    );
    await screen.findByText(TEXTS.coupons.loadFailed());
    isBroken = false;
    press('Retry');
    await ticket('Meal');
  });

  it('offers to exchange other users’ coupons, and shows the code of own ones', async () => {
    await list(me, 'Mine');
    await list(other, 'Theirs');
    show(`/?q=${word}`);
    const labels = async (title: string) =>
      within(await ticket(title))
        .queryAllByRole('button')
        .map(({ textContent }) => textContent);
    expect(await labels('Mine')).toEqual(['Show code']);
    expect(await labels('Theirs')).toEqual(['Exchange', 'Bid', '', '', '']);
    const theirs = within(await ticket('Theirs'));
    expect(theirs.getByRole('button', { name: `Save ${word} Theirs` })).toBeTruthy();
    expect(theirs.getByRole('button', { name: `Validate ${word} Theirs` })).toBeTruthy();
    expect(theirs.getByRole('button', { name: `Report ${other.username}` })).toBeTruthy();
    press('Exchange', await ticket('Theirs'));
    await dialog('Propose Exchange');
  });

  it('opens the dialog in the address once', async () => {
    show('/?add=1');
    await dialog('Add a New Coupon');
    await waitFor(() => expect(address()).toBe('/'));
  });
});

describe('a code', () => {
  it('is requested only on a press, and removed when the dialog closes', async () => {
    const { id, code } = await list(me, 'Mine');
    show('/my-coupons');
    const mine = await ticket('Mine');
    expect(await reveals(id)).toBe(0);
    press('Show code', mine);
    const open = await dialog('Your coupon code');
    await within(open).findByText(me.username);
    await within(open).findByText(String(code));
    press('Show as QR code', open);
    expect((await within(open).findByAltText(/QR code/)).getAttribute('src')).toContain(
      `/api/coupons/${id}/`,
    );
    expect(await reveals(id)).toBe(1);
    fireEvent.keyDown(open, { key: 'Escape' });
    await waitFor(() => expect(screen.queryByText(String(code))).toBeNull());
    expect(await reveals(id)).toBe(1);
  });
});

describe('my coupons', () => {
  it('says why a reserved coupon cannot be changed', async () => {
    const mine = await list(me, 'Mine');
    const theirs = await list(other, 'Theirs');
    const exchange = await server.trpc(me, 'mutation', 'exchanges.propose', {
      requestedCouponId: theirs.id,
      offeredCouponId: mine.id,
    });
    const { id } = exchange.json().result.data;
    await server.trpc(other, 'mutation', 'exchanges.setStatus', { id, status: 'accepted' });
    show('/my-coupons');
    const shown = await ticket('Mine');
    expect(within(shown).getByText(/Part of a deal/)).toBeTruthy();
    expect(within(shown).queryByRole('button', { name: /^(Edit|Delete)/ })).toBeNull();
  });

  it('deletes a coupon after a confirmation, and it leaves the list [spec/1 2.12 2.29]', async () => {
    await list(me, 'Mine');
    await list(me, 'Kept');
    show('/my-coupons');
    press(`Delete ${word} Mine`, await ticket('Mine'));
    press('Delete coupon', await dialog('Delete this coupon?'));
    await screen.findByText('Coupon deleted');
    expect(titles()).toEqual([`${word} Kept`]);
  });

  it.each([
    ['the reason of the server', () => refusedAnswer('Not now'), 'Not now'],
    ['its own words where the server gives none', brokenAnswer, TEXTS.coupons.deleteFailed()],
  ])('shows %s if a deletion fails [spec/1 8.14]', async (_, answer, text) => {
    await list(me, 'Mine');
    show('/my-coupons', (procedure) => (procedure === 'coupons.remove' ? answer() : undefined));
    press(`Delete ${word} Mine`, await ticket('Mine'));
    press('Delete coupon', await dialog('Delete this coupon?'));
    await screen.findByText(text);
    expect(titles()).toEqual([`${word} Mine`]);
  });

  it('shows the coupon in the address, if the viewer owns it', async () => {
    const { id } = await list(me, 'Mine');
    show(`/my-coupons?coupon=${id}`);
    await screen.findByRole('region', { name: 'Here is your coupon' });
    press('Show all coupons');
    expect(address()).toBe('/my-coupons');
    cleanup();
    const theirs = await list(other, 'Theirs');
    show(`/my-coupons?coupon=${theirs.id}`);
    await screen.findByRole('region', { name: 'This coupon is no longer yours' });
    expect(screen.queryByRole('article', { name: `${word} Theirs` })).toBeNull();
  });
});

describe('an own public code', () => {
  it('can be shown, edited and deleted, and shows no amount', async () => {
    const { id } = await list(me, 'Public');
    await server.ctx.db
      .updateTable('coupons')
      .set({ category: 'imported', value: 0, isActive: false })
      .where('id', '=', id)
      .execute();
    show('/my-coupons');
    const mine = within(await ticket('Public'));
    expect(mine.getByText('A public code, for personal use')).toBeTruthy();
    expect(mine.getByText('Offer')).toBeTruthy();
    for (const name of ['Show code', `Edit ${word} Public`, `Delete ${word} Public`]) {
      expect(mine.getByRole('button', { name })).toBeTruthy();
    }
    cleanup();
    show(`/coupons/${id}`);
    await screen.findAllByText('See terms');
    expect(document.body.textContent).not.toContain('0.00');
  });
});

describe('a coupon’s page', () => {
  it('names its countries and limits, and asks who got it in a deal whether the code worked', async () => {
    const offered = await list(me, 'Tea');
    const requested = await list(other, 'Cake', { regions: ['CA', 'DE'], transferable: 'no' });
    const { id } = await propose(server.ctx, me, { offered, requested });
    await move(server.ctx, other, id, 'accepted');
    await move(server.ctx, me, id, 'completed');
    show(`/coupons/${requested.id}`);
    await screen.findByRole('heading', { name: 'Does the code work?' });
    expect(screen.getByText('Valid only in Canada and Germany')).toBeTruthy();
    expect(screen.getByText('Not transferable')).toBeTruthy();
    press('Worked');
    await screen.findByText(/Worked for 1 of 1 in the last 30 days/);
  });

  it('waits for what was said of its code, so that nothing moves, but not for a failing server', async () => {
    const { id, title } = await list(other, 'Bun');
    let fail = (_answer: Response) => {};
    const answer = new Promise<Response>((resolve) => (fail = resolve));
    show(`/coupons/${id}`, (procedure) => (procedure === 'coupons.feedback' ? answer : undefined));
    await expect(screen.findByRole('heading', { name: title }, { timeout: 300 })).rejects.toThrow();
    fail(brokenAnswer());
    await screen.findByRole('heading', { name: title });
  });

  it('shows all details [spec/1 2.28]', async () => {
    const given = {
      description: 'Tea and scones for two',
      terms: 'Weekdays only',
      sourceUrl: 'https://tea.example/x',
    };
    const { id } = await list(other, 'Tea', given);
    show(`/coupons/${id}`);
    await screen.findByRole('heading', { level: 1, name: `${word} Tea` });
    for (const text of ['Tea and scones for two', 'Weekdays only', 'Last day: Jul 15, 2035']) {
      expect(screen.getByText(text, { exact: false })).toBeTruthy();
    }
    expect(screen.getByRole('link', { name: /tea\.example/ }).getAttribute('rel')).toContain('noopener');
  });

  it('names the two acts as its card does, each with a sentence', async () => {
    const { id } = await list(other, 'Tea');
    show(`/coupons/${id}`);
    const exchange = within(await screen.findByRole('region', { name: 'Exchange' }));
    exchange.getByRole('button', { name: 'Exchange' });
    exchange.getByText('Free. You give one or more of your coupons.');
    const bid = within(screen.getByRole('region', { name: 'Bid' }));
    bid.getByRole('button', { name: 'Bid' });
    bid.getByText(/^You name the price\./);
  });

  it.each(['2147483647', 'abc', '0', '1.5', '-1', '99999999999'])(
    "shows 'Coupon not found' for the id %s",
    async (id) => {
      show(`/coupons/${id}`);
      await screen.findByRole('heading', { level: 1, name: 'Coupon not found' });
    },
  );
});

function refusedAnswer(text: string): Response {
  const wire = { error: text, code: 'coupon_reserved' };
  const data = { code: 'CONFLICT', httpStatus: 409, wire };
  return Response.json({ error: { message: text, code: -32_009, data } }, { status: 409 });
}
