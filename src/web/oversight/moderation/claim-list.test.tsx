import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { paths } from '#contract/base/pages.ts';
import type { UserRole } from '#contract/people/roles.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createUser } from '#tests/support/builders.ts';
import { insertHeldSale } from '#tests/support/sales.ts';
import { address } from '#tests/support/web/acts.ts';
import { somebody } from '#tests/support/web/render.tsx';
import { renderWithServer } from '#tests/support/web/server.tsx';
import { ViewerProvider } from '#web/lib/viewer.tsx';
import { Component as ClaimsPage } from '#web/pages/claims.tsx';

const server = setUpApp();

beforeEach(async () => {
  await server.ctx.db.deleteFrom('claims').execute();
});

/** Renders the page for somebody with this role. */
async function show(role: UserRole, at: string = paths.claims) {
  const who = await createUser(server.ctx, { role });
  renderWithServer(
    server,
    who,
    <ViewerProvider viewer={{ user: somebody({ id: who.id, role }), isLoading: false }}>
      <ClaimsPage />
    </ViewerProvider>,
    { address: at },
  );
}

/** A paid bid of 20 CAD whose buyer says that the code does not work; its seller has answered, unless told otherwise. */
async function createClaim(given: { isDisputed?: boolean } = {}, isAnswered = true) {
  const { ctx } = server;
  const [buyer, seller] = [await createUser(ctx), await createUser(ctx)];
  const answer = isAnswered ? 'It worked for me.' : undefined;
  const { bidId, paymentId } = await insertHeldSale(ctx, buyer, seller, { withClaim: true, answer });
  if (given.isDisputed !== undefined)
    await ctx.db.updateTable('paymentTransactions').set(given).where('id', '=', paymentId).execute();
  const coupon = await ctx.db
    .selectFrom('bids')
    .innerJoin('coupons', 'coupons.id', 'bids.couponId')
    .select(['coupons.id', 'coupons.title'])
    .where('bids.id', '=', bidId)
    .executeTakeFirstOrThrow();
  return { buyer, seller, coupon };
}

async function openDialog(title: string) {
  fireEvent.click(await screen.findByRole('button', { name: `Decide the claim about ${title}` }));
  return within(await screen.findByRole('dialog', { name: 'Decide this claim' }));
}

describe('the claims page', () => {
  it('shows who cannot sell until a moderator has looked, and lets them sell again', async () => {
    const { id, username } = await createUser(server.ctx);
    const at = server.ctx.clock();
    await server.ctx.db.updateTable('users').set({ salesStoppedAt: at }).where('id', '=', id).execute();
    await show('moderator');
    const section = await screen.findByRole('region', { name: 'Sellers to check' });
    within(section).getByRole('button', { name: `Record of ${username}` });
    fireEvent.click(within(section).getByRole('button', { name: `Let ${username} sell` }));
    const confirm = within(await screen.findByRole('dialog', { name: `Let ${username} sell again?` }));
    fireEvent.click(confirm.getByRole('button', { name: `Let ${username} sell` }));
    await waitFor(() => expect(section.isConnected).toBe(false));
    const row = server.ctx.db.selectFrom('users').select('salesStoppedAt').where('id', '=', id);
    expect(await row.executeTakeFirstOrThrow()).toEqual({ salesStoppedAt: null });
  });

  it.each(['moderator', 'admin'] as const)('shows a %s the open claims [decisions 5.3.1]', async (role) => {
    const { buyer, seller, coupon } = await createClaim();
    await show(role);
    await screen.findByRole('heading', { name: coupon.title });
    for (const text of [buyer.username, seller.username, '$21.00 CAD']) screen.getByText(text);
    screen.getByText('The till did not take it.');
  });

  it('shows the whole case when asked, before a decision', async () => {
    const { buyer, coupon } = await createClaim();
    await show('moderator');
    fireEvent.click(await screen.findByRole('button', { name: `Show the whole case about ${coupon.title}` }));
    await screen.findByRole('heading', { name: 'Who gave the code' });
    expect(screen.getAllByRole('link', { name: buyer.username })).toHaveLength(1);
    screen.getByText(`${buyer.username} has the coupon now, unused. Nobody else has seen its code.`);
    fireEvent.click(screen.getByRole('button', { name: `Hide the case about ${coupon.title}` }));
    expect(screen.queryByText('Who gave the code')).toBeNull();
  });

  it('says how many can be decided now, and shows these or those that wait for an answer', async () => {
    const [answered, silent] = [await createClaim(), await createClaim({}, false)];
    await show('moderator');
    await screen.findByRole('option', { name: 'All open claims: 2' });
    await screen.findByText('Answered');
    const titles = () => screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
    expect(titles()).toEqual([answered.coupon.title, silent.coupon.title]);
    expect(screen.getAllByRole('button', { name: /^Decide the claim about/ })).toHaveLength(1);
    const filter = screen.getByRole('combobox', { name: 'Which claims' });
    for (const [value, name, { coupon }] of [
      ['answer', 'Waiting for an answer: 1', silent],
      ['decision', 'Can be decided now: 1', answered],
    ] as const) {
      screen.getByRole('option', { name });
      fireEvent.change(filter, { target: { value } });
      await waitFor(() => expect(titles()).toEqual([coupon.title]));
    }
  });

  it('shows the first page when another filter is chosen on a later one', async () => {
    const { coupon } = await createClaim();
    await show('moderator', `${paths.claims}?page=2`);
    await screen.findByText('This page is now empty');
    fireEvent.change(screen.getByRole('combobox', { name: 'Which claims' }), {
      target: { value: 'decision' },
    });
    await screen.findByRole('heading', { name: coupon.title });
    expect(address()).toBe(`${paths.claims}?waitsFor=decision`);
  });

  it('requires a decision and a reason', async () => {
    const { coupon } = await createClaim();
    await show('moderator');
    const dialog = await openDialog(coupon.title);
    fireEvent.click(dialog.getByRole('button', { name: 'Confirm decision' }));
    await dialog.findByText('Choose a decision');
    dialog.getByText('Please say why: we tell both parties');
  });

  it('moves the focus to the list after a decision', async () => {
    const { coupon } = await createClaim();
    await show('moderator');
    const dialog = await openDialog(coupon.title);
    fireEvent.click(dialog.getByRole('radio', { name: /^Pay / }));
    fireEvent.change(dialog.getByRole('textbox', { name: /Why/ }), { target: { value: 'It works.' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Confirm decision' }));
    await screen.findByRole('heading', { name: 'No open claims' });
    await waitFor(() => expect(document.activeElement?.id).toBe('claims'));
  });

  it("shows the server's refusal of a decision", async () => {
    const { coupon } = await createClaim();
    await show('moderator');
    const dialog = await openDialog(coupon.title);
    await server.ctx.db.deleteFrom('claims').execute();
    fireEvent.click(dialog.getByRole('radio', { name: /^Refund/ }));
    fireEvent.change(dialog.getByRole('textbox', { name: /Why/ }), { target: { value: 'It was used.' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Refund $21.00 CAD' }));
    await screen.findByText('Claim not decided');
    screen.getByText('Claim not found');
  });

  it('offers no refund during a dispute with the bank', async () => {
    const { coupon } = await createClaim({ isDisputed: true });
    await show('moderator');
    const dialog = await openDialog(coupon.title);
    expect(dialog.getByRole('radio', { name: /^Refund/ })).toHaveProperty('disabled', true);
    dialog.getByText('You cannot refund it for now: the buyer could be paid twice.');
  });
});
