import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { addDays } from '#server/core/clock.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createUser } from '#tests/support/builders.ts';
import { insertLegClaim } from '#tests/support/claims.ts';
import { createRing, move, noticesOf } from '#tests/support/exchanges.ts';
import { insertImage } from '#tests/support/images.ts';
import { completeExchange } from '#tests/support/ratings.ts';
import { somebody } from '#tests/support/web/render.tsx';
import { renderWithServer } from '#tests/support/web/server.tsx';
import { injectUploads } from '#tests/support/web/uploads.ts';
import { ViewerProvider } from '#web/lib/viewer.tsx';
import { Component as ClaimsPage } from '#web/pages/claims.tsx';
import { Component as ExchangesPage } from '#web/pages/exchanges.tsx';
import { Component as UserPage } from '#web/pages/user.tsx';

const server = setUpApp();
const REASON = 'The till says that it was used in May.';
let ana: Actor;
let ben: Actor;

beforeEach(async () => {
  [ana, ben] = [await createUser(server.ctx), await createUser(server.ctx)];
});

async function show(who: Actor, exchangeId: number, address = `/exchanges?exchange=${exchangeId}`) {
  renderWithServer(server, who, <ExchangesPage />, { address });
  return within(await screen.findByRole('dialog', { name: `Exchange #${exchangeId}` }));
}
const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }));
const press = (name: string | RegExp, inside: ReturnType<typeof within>) =>
  fireEvent.click(inside.getByRole('button', { name }));
const write = (label: RegExp, value: string, inside: ReturnType<typeof within>) =>
  fireEvent.change(inside.getByRole('textbox', { name: label }), { target: { value } });

describe('a completed exchange', () => {
  it('lets whoever got a coupon claim, with pictures, that its code does not work, and withdraw the claim', async () => {
    const { dealId } = await completeExchange(server.ctx, ana, ben);
    const detail = await show(ana, dealId);
    await detail.findByRole('region', { name: /^Try your new code before Jun 18, 2035/ });
    press('The code does not work', detail);
    const form = await dialog('The code does not work');
    form.getByText(/The codes have been seen, so a coupon goes back only if it was paid for/);
    press('Send claim', form);
    form.getByText('Please say in at least 10 characters what did not work');
    write(/What happened/, REASON, form);
    const file = new File(['x'], 'till.png', { type: 'image/png' });
    for (const place of [1, 2, 3]) {
      const { url } = await insertImage(server.ctx, ana, { kind: 'evidence' });
      injectUploads(server, ana, { status: 201, body: JSON.stringify({ url, filePath: url }) });
      fireEvent.change(form.getByLabelText('Pictures: file'), { target: { files: [file] } });
      await form.findByAltText(`Your evidence ${place} of ${place}`);
    }
    expect(form.queryByLabelText('Pictures: file')).toBeNull();
    press('Remove evidence 2 of 3', form);
    press('Remove evidence 2 of 2', form);
    await form.findByAltText('Your evidence 1 of 1');
    press('Send claim', form);
    await screen.findByText('Claim sent');
    await detail.findByAltText('Your claim: evidence 1 of 1, in full');
    await detail.findByRole('region', { name: /^Your claim about “.*” is open$/ });
    detail.getByText(REASON);
    detail.getByText(new RegExp(`^${ben.username} can answer until Jun 18, 2035`));

    press('It works after all', detail);
    press('Withdraw claim', await dialog('Withdraw your claim?'));
    await detail.findByRole('region', { name: /was withdrawn$/ });
    expect(detail.queryByRole('button', { name: 'The code does not work' })).toBeNull();
  });

  it('asks whoever gave the coupon for their word; the moderator decides, and the profile tells', async () => {
    const claimId = await insertLegClaim(server.ctx, ana, ben);
    const { exchangeId } = await server.ctx.db
      .selectFrom('claims')
      .select('exchangeId')
      .where('id', '=', claimId)
      .executeTakeFirstOrThrow();
    const moderator = await createUser(server.ctx, { role: 'moderator' });
    const showList = () =>
      renderWithServer(
        server,
        moderator,
        <ViewerProvider
          viewer={{ user: somebody({ id: moderator.id, role: 'moderator' }), isLoading: false }}
        >
          <ClaimsPage />
        </ViewerProvider>,
      );
    const waiting = showList();
    await screen.findByText(new RegExp(`^${ben.username} can answer until Jun 18, 2035`));
    expect(screen.queryByRole('button', { name: /^Decide the claim about/ })).toBeNull();
    screen.getByRole('option', { name: 'Waiting for an answer: 1' });
    waiting.unmount();

    const notices = await noticesOf(server.ctx, ben);
    const link = notices.at(-1)?.link ?? '';
    const detail = await show(ben, exchangeId ?? 0, link);
    await detail.findByRole('region', { name: new RegExp(`^${ana.username} says that the code of`) });
    const answer = await dialog('Answer the claim');
    write(/What can you tell us/, 'It worked for me.', answer);
    press('Send answer', answer);
    await detail.findByText('It worked for me.');
    await waitFor(() => expect(detail.queryByRole('button', { name: 'Answer' })).toBeNull());

    // Two pages would share the toasts: the next one would wait until this one ends.
    cleanup();
    showList();
    fireEvent.click(await screen.findByRole('button', { name: /^Decide the claim about/ }));
    const decision = await dialog('Decide this claim');
    decision.getByText('It worked for me.');
    fireEvent.click(decision.getByRole('radio', { name: 'Uphold the claim' }));
    write(/Why/, 'The shop confirms it.', decision);
    press('Confirm decision', decision);
    await screen.findByText('Claim decided');
    await screen.findByRole('heading', { name: 'No open claims' });

    cleanup();
    await (await show(ana, exchangeId ?? 0)).findByText('The shop confirms it.');
    renderWithServer(
      server,
      ana,
      <Routes>
        <Route path="/users/:id" element={<UserPage />} />
      </Routes>,
      { address: `/users/${ben.id}` },
    );
    await screen.findByText(`${ben.username} gave 1 code that did not work, in 1 swap`);
  });
});

it('a claim that nobody has decided says how it ends; whoever would lose asks an admin, once', async () => {
  const id = await insertLegClaim(server.ctx, ana, ben);
  const end = { defaultFor: 'claimant', defaultAt: addDays(server.ctx.clock(), 2) };
  await server.ctx.db.updateTable('claims').set(end).where('id', '=', id).execute();
  const { exchangeId } = await server.ctx.db
    .selectFrom('claims')
    .select('exchangeId')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const winner = await show(ana, exchangeId ?? 0);
  await winner.findByText(/^If no one decides this claim before .*, it will be upheld\.$/);
  expect(winner.queryByRole('button', { name: 'Ask an admin' })).toBeNull();
  cleanup();
  const loser = await show(ben, exchangeId ?? 0);
  fireEvent.click(await loser.findByRole('button', { name: 'Ask an admin' }));
  press('Ask an admin', await dialog('Ask an admin to decide?'));
  await loser.findByText('An admin decides this claim: one side has asked for it.');
  expect(loser.queryByRole('button', { name: 'Ask an admin' })).toBeNull();
});

it('what the merchant says is shown to both sides; whoever would lose by it asks a moderator, once', async () => {
  const id = await insertLegClaim(server.ctx, ana, ben);
  const now = server.ctx.clock();
  const found = { finding: 'works', findingAt: now, findingFor: 'giver' };
  const end = { defaultFor: 'giver', defaultAt: addDays(now, 1) };
  const row = server.ctx.db.updateTable('claims').where('id', '=', id);
  const { exchangeId } = await row
    .set({ ...found, ...end })
    .returning('exchangeId')
    .executeTakeFirstOrThrow();
  const loser = await show(ana, exchangeId ?? 0);
  await loser.findByText('The merchant says that the code was never used and is valid.');
  await loser.findByText(/^The claim will be declined on /);
  fireEvent.click(await loser.findByRole('button', { name: 'Ask a moderator' }));
  press('Ask a moderator', await dialog('Ask a moderator to decide?'));
  await waitFor(() => expect(loser.queryByText(/^The claim will be declined on /)).toBeNull());
  loser.getByText('The merchant says that the code was never used and is valid.');
  expect(loser.queryByRole('button', { name: 'Ask a moderator' })).toBeNull();
});

describe('a completed ring', () => {
  it('is rated on both sides: whoever gave, and whoever got', async () => {
    const ring = await createRing(server.ctx, { consents: 2 });
    await move(server.ctx, ring.author.actor, ring.id, 'completed');
    const detail = await show(ring.second.actor, ring.id);
    for (const { actor } of [ring.author, ring.third]) {
      const name = actor.username;
      const form = within(await detail.findByRole('form', { name: `Rate ${name}` }));
      fireEvent.click(form.getByRole('radio', { name: '9 of 10' }));
      press('Send rating', form);
      const ratings = within(await detail.findByRole('region', { name: `Ratings of you and ${name}` }));
      await ratings.findByText('You gave 9 of 10');
    }
    const rated = await server.ctx.db.selectFrom('userRatings').select('ratedUserId').orderBy('id').execute();
    expect(rated.map(({ ratedUserId }) => ratedUserId)).toEqual([ring.author.actor.id, ring.third.actor.id]);
  });
});
