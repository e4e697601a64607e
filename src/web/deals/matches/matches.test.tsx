import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { notifyOfCoupons } from '#server/coupons/wants/notify-of-coupons.ts';
import { findMatches } from '#server/deals/matches/find-matches.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createCoupon, createUser } from '#tests/support/builders.ts';
import { insertMatch } from '#tests/support/matches.ts';
import { press } from '#tests/support/web/acts.ts';
import { type Intercept, renderWithServer } from '#tests/support/web/server.tsx';
import { Component as CouponPage } from '#web/pages/coupon.tsx';
import { Component as HomePage } from '#web/pages/home.tsx';
import { Component as MatchesPage } from '#web/pages/matches.tsx';

const server = setUpApp();
let me: Actor;
let ana: Actor;
let bo: Actor;

beforeEach(async () => {
  me = await createUser(server.ctx);
  ana = await createUser(server.ctx);
  bo = await createUser(server.ctx);
});

const show = (address = '/matches', intercept?: Intercept) =>
  renderWithServer(
    server,
    me,
    <Routes>
      <Route path="/" element={<HomePage />} />
      <Route path="/coupons/:id" element={<CouponPage />} />
      <Route path="/matches" element={<MatchesPage />} />
    </Routes>,
    { address, intercept },
  );
const dialogNamed = async (name: string) => within(await screen.findByRole('dialog', { name }));

/** A coupon of each whose title is a word that the other looks for: mine is worth $10. */
async function wantEachOthers(worth = 1_200): Promise<{ mine: string; theirs: string; theirsId: number }> {
  const [mine, theirs] = [me, ana].map(({ username }) => `w${username.replace(/\W/g, '')}`);
  if (!mine || !theirs) throw new Error('no words');
  await createCoupon(server.ctx, me, { title: mine, value: 1_000 });
  const { id: theirsId } = await createCoupon(server.ctx, ana, { title: theirs, value: worth });
  for (const [who, search] of [
    [me, theirs],
    [ana, mine],
  ] as const) {
    await server.trpc(who, 'mutation', 'wants.create', { search, gives: 'any' });
  }
  await notifyOfCoupons(server.ctx);
  await findMatches(server.ctx);
  return { mine, theirs, theirsId };
}

describe('the page of matches', () => {
  it('shows what I give and get, and proposes it with a message [decisions 3.15.22]', async () => {
    const { mine, theirs, theirsId } = await wantEachOthers();
    show();
    const card = await screen.findByRole('article', { name: `Exchange with ${ana.username}` });
    const tickets = within(card).getAllByRole('article');
    expect(tickets.map((ticket) => ticket.getAttribute('aria-label'))).toEqual([mine, theirs]);
    expect(card.textContent).toMatch(new RegExp(`You give.*${mine}.*You get.*${theirs}`));
    within(card).getByText(
      'When you both have agreed, both coupons change owners at the same moment. Nobody can be left empty-handed.',
    );
    within(card).getByText('On your wish list');
    within(card).getByText(/^You get \$2\.00 CAD more than you give\./);
    press('Exchange');
    const dialog = await dialogNamed(`Propose: Exchange with ${ana.username}`);
    dialog.getByText(`By proposing, you agree. ${ana.username} has to agree too.`);
    fireEvent.change(dialog.getByRole('textbox', { name: 'Message' }), { target: { value: 'Shall we?' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Send exchange request' }));
    await screen.findByText('Exchange request sent');
    await screen.findByText('No matches yet');
    const { items } = (await server.trpc(ana, 'query', 'exchanges.list', { tab: 'all' })).json().result.data;
    expect(items).toMatchObject([
      { message: 'Shall we?', requesterId: me.id, requestedCoupon: { id: theirsId } },
    ]);
  });

  it('asks for the deposit that is suggested, or settles the difference with money', async () => {
    await wantEachOthers(3_000);
    const sent: unknown[] = [];
    show('/matches', (procedure, input) => {
      if (procedure === 'matches.propose') sent.push(input);
      const terms = { isAvailable: true, deposit: '5.00' };
      return procedure === 'exchanges.depositTerms' ? Response.json({ result: { data: terms } }) : undefined;
    });
    await screen.findByRole('article', { name: `Exchange with ${ana.username}` });
    press('Exchange');
    const dialog = await dialogNamed(`Propose: Exchange with ${ana.username}`);
    const amount = await dialog.findByRole<HTMLInputElement>('textbox', { name: /^Deposit/ });
    expect(amount.value).toBe('5.00');
    dialog.getByText(/loses it to the person who got it\.$/);
    dialog.getByText(/Complete the exchange within 4 days of the first deposit/);
    fireEvent.click(dialog.getByRole('checkbox', { name: 'Settle the difference with money' }));
    expect(dialog.queryByRole('textbox', { name: /^Deposit/ })).toBeNull();
    fireEvent.click(dialog.getByRole('checkbox', { name: 'Settle the difference with money' }));
    fireEvent.click(dialog.getByRole('button', { name: 'Send exchange request' }));
    await waitFor(() => expect(sent).toMatchObject([{ deposit: '5.00' }]));
  });

  it('promises nothing of a coupon without a code', async () => {
    const { couponIds } = await insertMatch(server.ctx, [me, ana]);
    await server.ctx.db.deleteFrom('couponSecrets').where('couponId', 'in', couponIds).execute();
    show();
    await screen.findByText(/both coupons change owners/);
    expect(screen.queryByText(/empty-handed/)).toBeNull();
  });

  it('without a coupon and without a match asks for the first coupon', async () => {
    show();
    await screen.findByRole('heading', { name: 'List one coupon and see what you could get' });
    screen.getByRole('button', { name: 'Add a Coupon' });
    cleanup();
    await createCoupon(server.ctx, me);
    show();
    await screen.findByRole('heading', { name: 'No matches yet' });
  });

  it('draws a ring as one sentence, and dismisses it for a person in it [decisions 3.15.23]', async () => {
    const { id, couponIds } = await insertMatch(server.ctx, [me, ana, bo]);
    await server.ctx.db
      .updateTable('users')
      .set({ totalRating: 17, ratingCount: 2 })
      .where('id', '=', ana.id)
      .execute();
    const titles = await server.ctx.db
      .selectFrom('coupons')
      .select('title')
      .where('id', 'in', couponIds)
      .orderBy('id')
      .execute();
    const [mine, anas, bos] = titles.map(({ title }) => title);
    show();
    const name = `Ring of 3 with ${ana.username} and ${bo.username}`;
    const card = await screen.findByRole('article', { name });
    expect(card.textContent).toContain(
      `You give ${ana.username}: “${mine}”. ${ana.username} gives ${bo.username}: “${anas}”. ${bo.username} gives you: “${bos}”.`,
    );
    within(card).getByText(
      'When all 3 have agreed, all coupons change owners at the same moment. Nobody can be left empty-handed.',
    );
    const people = within(within(card).getByRole('list', { name: 'Who is in it' })).getAllByRole('listitem');
    expect(people.map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(`${ana.username}8\\.5 of 10 from 2 people$`),
      expect.stringMatching(`${bo.username}No ratings yet$`),
    ]);
    within(card).getByText('You may like this');
    press('Not for me');
    const dialog = await dialogNamed('Why is this match not for you?');
    fireEvent.click(
      dialog.getByRole('radio', { name: `I do not want to exchange coupons with ${bo.username}` }),
    );
    fireEvent.click(dialog.getByRole('button', { name: 'Dismiss match' }));
    await screen.findByText('No matches yet');
    const { state } = await server.ctx.db
      .selectFrom('matches')
      .select('state')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(state).toBe('dismissed');
    const lessons = await server.ctx.db
      .selectFrom('matchDismissals')
      .select(['reason', 'personId'])
      .where('userId', '=', me.id)
      .execute();
    expect(lessons).toEqual([{ reason: 'person', personId: bo.id }]);
  });
});

describe('matches on other pages', () => {
  it('are counted on Home, badges of its tickets, and named on the page of a coupon [decisions 3.15.27]', async () => {
    const { mine, theirs, theirsId } = await wantEachOthers();
    const { title } = await createCoupon(server.ctx, bo, { title: 'On sale', askingPrice: '8.00' });
    show('/');
    const badge = async (name: string) => {
      const ticket = await screen.findByRole('article', { name });
      return ['In a match', 'Buy now for $8.00 CAD'].filter((text) => within(ticket).queryByText(text));
    };
    await waitFor(async () => expect(await badge(mine)).toEqual(['In a match']));
    expect([await badge(theirs), await badge(title)]).toEqual([['In a match'], ['Buy now for $8.00 CAD']]);
    const waiting = within(await screen.findByRole('region', { name: 'Waiting for you' }));
    await waiting.findByText('1 exchange is waiting for you.');
    expect(waiting.getByRole('link', { name: 'See matches' }).getAttribute('href')).toBe('/matches');
    cleanup();

    show(`/coupons/${theirsId}`);
    const section = await screen.findByRole('region', { name: 'Matches with this coupon' });
    expect(section.textContent).toContain(`${ana.username} would exchange this for your “${mine}”.`);
    expect(within(section).getByRole('link', { name: 'Exchange' }).getAttribute('href')).toBe(
      `/coupons/${theirsId}?exchange=1`,
    );
    within(section).getByText(/You have 1 match with this coupon\./);
  });
});
