import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { notifyOfCoupons } from '#server/coupons/wants/notify-of-coupons.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createCoupon, createUser } from '#tests/support/builders.ts';
import { press } from '#tests/support/web/acts.ts';
import { renderWithServer } from '#tests/support/web/server.tsx';
import { Component as HomePage } from '#web/pages/home.tsx';
import { Component as WantsPage } from '#web/pages/wants.tsx';

const server = setUpApp();
let me: Actor;

beforeEach(async () => {
  me = await createUser(server.ctx);
});

const stored = () =>
  server.ctx.db
    .selectFrom('wants')
    .select(['search', 'category', 'maxValue', 'gives', 'isPaused'])
    .where('userId', '=', me.id)
    .execute();
const dialogNamed = async (name: string) => within(await screen.findByRole('dialog', { name }));

describe('“Alert me”', () => {
  it('keeps a search that finds nothing, and what I would give [decisions 3.15.1]', async () => {
    const { id } = await createCoupon(server.ctx, me, { title: 'My tea' });
    renderWithServer(server, me, <HomePage />, { address: '/?q=unicorn&category=travel&max=20' });
    fireEvent.click(await screen.findByRole('button', { name: 'Alert me' }));
    const dialog = await dialogNamed('Alert me');
    expect(dialog.getByRole<HTMLInputElement>('textbox', { name: 'Words' }).value).toBe('unicorn');
    fireEvent.click(dialog.getByRole('radio', { name: 'Some of mine' }));
    fireEvent.click(await dialog.findByRole('checkbox', { name: /My tea/ }));
    fireEvent.click(dialog.getByRole('button', { name: 'Alert me' }));
    await screen.findByText('Wish saved');
    expect(await stored()).toEqual([
      { search: 'unicorn', category: 'travel', maxValue: 2_000, gives: 'some', isPaused: false },
    ]);
    const gifts = await server.ctx.db
      .selectFrom('wantGifts')
      .select('couponId')
      .where('couponId', '=', id)
      .execute();
    expect(gifts).toHaveLength(1);
  });

  it('asks for a word, a merchant or a category', async () => {
    await createCoupon(server.ctx, me, { value: 1_500 });
    renderWithServer(server, me, <HomePage />, { address: '/?max=20' });
    fireEvent.click(await screen.findByRole('button', { name: 'Alert me' }));
    const dialog = await dialogNamed('Alert me');
    fireEvent.click(dialog.getByRole('button', { name: 'Alert me' }));
    await dialog.findByText('Say what you are looking for: a word, a merchant or a category');
    expect(await stored()).toEqual([]);
  });

  it('is not offered where nothing is searched', async () => {
    renderWithServer(server, me, <HomePage />);
    await screen.findAllByRole('heading', { level: 2 });
    expect(screen.queryByRole('button', { name: 'Alert me' })).toBeNull();
  });
});

describe('the page of wants', () => {
  it('shows what was found and what is new, and pauses, edits and deletes [decisions 3.15.8]', async () => {
    const word = `w${me.username.replace(/\W/g, '')}`;
    await server.trpc(me, 'mutation', 'wants.create', { search: word, maxValue: 2_000 });
    await createCoupon(server.ctx, await createUser(server.ctx), { title: `One ${word}` });
    await notifyOfCoupons(server.ctx);
    server.ctx.clock.advanceDays(0.01);
    // The want was made at the same moment as its find.
    await server.ctx.db
      .updateTable('wants')
      .set({ lookedAt: new Date(0) })
      .where('userId', '=', me.id)
      .execute();
    renderWithServer(server, me, <WantsPage />);
    const title = `“${word}” · At most $20.00 CAD`;
    await screen.findByRole('heading', { name: title });
    screen.getByText('1 found, 1 new');
    const now = screen.getByRole('link', { name: /^Search/ });
    expect(now.getAttribute('href')).toBe(`/?q=${word}&max=20`);
    press(/^Show results/);
    await screen.findByRole('link', { name: `One ${word}` });
    await waitFor(async () => {
      const answer = await server.trpc(me, 'query', 'wants.list');
      expect(answer.json().result.data[0].fresh).toBe(0);
    });

    press(/^Pause/);
    await screen.findByText('Paused');
    press(/^Edit/);
    const dialog = await dialogNamed('Edit wish');
    fireEvent.click(dialog.getByRole('radio', { name: 'Food' }));
    fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
    await screen.findByRole('heading', { name: `“${word}” · Food · At most $20.00 CAD` });
    expect(await stored()).toMatchObject([{ category: 'food', isPaused: true }]);

    press(/^Delete/);
    fireEvent.click((await dialogNamed('Delete this wish?')).getByRole('button', { name: 'Delete' }));
    await screen.findByText('Your wish list is empty');
    expect(await stored()).toEqual([]);
  });
});
