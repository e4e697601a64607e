import { fireEvent, screen, waitFor } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { beforeEach, describe, expect, it } from 'vitest';
import { TEXTS } from '#contract/base/texts.ts';
import type { Actor } from '#server/context/context.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createCoupon, createUser } from '#tests/support/builders.ts';
import { address, press } from '#tests/support/web/acts.ts';
import { brokenAnswer, type Intercept, renderWithServer } from '#tests/support/web/server.tsx';
import { ViewerProvider } from '#web/lib/viewer.tsx';
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

const list = (owner: Actor, title: string) => createCoupon(server.ctx, owner, { title: `${word} ${title}` });

function show(address: string, intercept?: Intercept) {
  const pages = (
    <Routes>
      <Route path="/" element={<HomePage />} />
      <Route path="/my-coupons" element={<MyCouponsPage />} />
    </Routes>
  );
  return renderWithServer(server, me, pages, { address, intercept });
}

function showVisitor(address: string) {
  const pages = (
    <ViewerProvider viewer={{ user: null, isLoading: false }}>
      <Routes>
        <Route path="/" element={<HomePage />} />
        <Route path="*" />
      </Routes>
    </ViewerProvider>
  );
  return renderWithServer(server, me, pages, { address });
}

const ticket = (title: string) => screen.findByRole('article', { name: `${word} ${title}` });
const titles = () => screen.queryAllByRole('article').map((article) => article.getAttribute('aria-label'));

describe('saving', () => {
  const bookmark = (title: string) => screen.findByRole('button', { name: `Save ${word} ${title}` });
  const saved = async () =>
    (await server.ctx.db.selectFrom('savedCoupons').selectAll().where('userId', '=', me.id).execute()).map(
      ({ couponId }) => couponId,
    );

  it('toggles with the bookmark button', async () => {
    const { id } = await list(other, 'Theirs');
    show(`/?q=${word}`);
    fireEvent.click(await bookmark('Theirs'));
    expect((await bookmark('Theirs')).getAttribute('aria-pressed')).toBe('true');
    await waitFor(async () => expect(await saved()).toEqual([id]));
    fireEvent.click(await bookmark('Theirs'));
    expect((await bookmark('Theirs')).getAttribute('aria-pressed')).toBe('false');
    await waitFor(async () => expect(await saved()).toEqual([]));
  });

  it.each([
    ['the reason of the server', () => refusedAnswer('Not now'), 'Error: Not now'],
    ['its own words where the server gives none', brokenAnswer, TEXTS.saved.failed()],
  ])('that fails is undone, and shows %s [spec/1 8.12]', async (_, answer, text) => {
    await list(other, 'Theirs');
    show(`/?q=${word}`, (procedure) => (procedure === 'coupons.save' ? answer() : undefined));
    fireEvent.click(await bookmark('Theirs'));
    await screen.findByText(text);
    expect((await bookmark('Theirs')).getAttribute('aria-pressed')).toBe('false');
  });

  it.each([
    ['Save', () => '/?sort=oldest'],
    ['Validate', (id: number) => `/coupons/${id}?validate=1`],
  ])('sends a visitor to sign in before %s, and back [decisions 6.1.1]', async (act, from) => {
    const { id } = await list(other, 'Theirs');
    showVisitor('/?sort=oldest');
    fireEvent.change(screen.getByLabelText('Search coupons'), { target: { value: word } });
    fireEvent.click(await screen.findByRole('button', { name: `${act} ${word} Theirs` }));
    expect(address()).toMatch(new RegExp(`^/auth[?]tab=register&from=${encodeURIComponent(from(id))}`));
  });

  it('lists the coupon in My Coupons, where it can be removed and restored', async () => {
    const { id } = await list(other, 'Theirs');
    await server.trpc(me, 'mutation', 'coupons.save', { couponId: id });
    await list(me, 'Mine');
    show('/my-coupons');
    await ticket('Mine');
    fireEvent.click(screen.getByRole('tab', { name: 'Saved' }));
    expect(address()).toBe('/my-coupons?tab=saved');
    await ticket('Theirs');
    expect(titles()).toEqual([`${word} Theirs`]);
    press(`Remove ${word} Theirs from Saved`);
    await screen.findByRole('heading', { name: 'Nothing saved yet' });
    expect(screen.getByRole('link', { name: 'Browse Coupons' }).getAttribute('href')).toBe('/');
    fireEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    await ticket('Theirs');
    await waitFor(async () => expect(await saved()).toEqual([id]));
  });
});

function refusedAnswer(text: string): Response {
  const wire = { error: text, code: 'coupon_reserved' };
  const data = { code: 'CONFLICT', httpStatus: 409, wire };
  return Response.json({ error: { message: text, code: -32_009, data } }, { status: 409 });
}
