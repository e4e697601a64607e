import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { pictureIdOf } from '#contract/people/picture-addresses.ts';
import type { UserRole } from '#contract/people/roles.ts';
import type { Actor } from '#server/context/context.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createCoupon, createUser } from '#tests/support/builders.ts';
import { insertPicture } from '#tests/support/pictures.ts';
import { press } from '#tests/support/web/acts.ts';
import { somebody } from '#tests/support/web/render.tsx';
import { brokenAnswer, type Intercept, renderWithServer } from '#tests/support/web/server.tsx';
import { ViewerProvider } from '#web/lib/viewer.tsx';
import { Component as AdminReportsPage } from '#web/pages/admin-reports.tsx';

const server = setUpApp();
let reported: Actor;
let reporter: Actor;

beforeEach(async () => {
  await server.ctx.db.deleteFrom('userReports').execute();
  [reported, reporter] = [await createUser(server.ctx), await createUser(server.ctx)];
});

async function show(role: UserRole, address = '/admin-reports', intercept?: Intercept) {
  const who = await createUser(server.ctx, { role });
  renderWithServer(
    server,
    who,
    <ViewerProvider viewer={{ user: somebody({ id: who.id, role }), isLoading: false }}>
      <AdminReportsPage />
    </ViewerProvider>,
    { address, ...(intercept && { intercept }) },
  );
  return who;
}

async function report(given: Record<string, unknown> = {}) {
  const input = { reportedUserId: reported.id, description: 'The code was used before.', ...given };
  const { statusCode, body } = await server.trpc(reporter, 'mutation', 'moderation.report', input);
  if (statusCode !== 200) throw new Error(body);
}

async function openReview() {
  fireEvent.click(await screen.findByRole('button', { name: `Review the report on ${reported.username}` }));
  return within(await screen.findByRole('dialog', { name: 'Review this report' }));
}

const statusOf = async ({ id }: Actor) =>
  (await server.ctx.db.selectFrom('users').select('status').where('id', '=', id).executeTakeFirstOrThrow())
    .status;

describe('the reports page', () => {
  it.each(['moderator', 'admin'] as const)(
    'shows a %s the reporter, the reported person, the reason and the coupon [spec/1 6.5]',
    async (role) => {
      const coupon = await createCoupon(server.ctx, reported);
      const evidence = 'https://example.org/picture <b>bold</b>';
      await report({ reason: 'scam', evidence, relatedEntityType: 'coupon', relatedEntityId: coupon.id });
      await show(role);
      await screen.findByRole('heading', { name: 'Scam or fraud' });
      screen.getByText('The code was used before.');
      // In the list. Of the person it counts once a moderator finds it right.
      expect(screen.getAllByText('1 report')).toHaveLength(1);
      screen.getByText('no other reports');
      screen.getByText('has never had a deal with this person');
      expect(screen.getByRole('link', { name: new RegExp(reported.username) }).getAttribute('href')).toBe(
        `/users/${reported.id}`,
      );
      expect(screen.getByRole('link', { name: `Coupon ${coupon.id}` }).getAttribute('href')).toBe(
        `/coupons/${coupon.id}`,
      );
      // Links and HTML of other users are shown as text.
      expect(screen.getByText(evidence).querySelector('a, b')).toBeNull();
      screen.getByRole('button', { name: 'Copy' });
    },
  );

  it('shows the reported picture, which a moderator removes with a reason', async () => {
    const url = await insertPicture(server.ctx);
    await createCoupon(server.ctx, reported, { pictureId: pictureIdOf(url) });
    await report({ pictureUrl: url });
    await show('moderator');
    await screen.findByRole('img', { name: `The reported picture of ${reported.username}` });
    press('Remove picture');
    const dialog = within(await screen.findByRole('dialog', { name: 'Remove this picture?' }));
    fireEvent.click(dialog.getByRole('button', { name: 'Remove picture' }));
    await dialog.findByText('Please say why: we send it to the owner');
    fireEvent.change(dialog.getByRole('textbox', { name: /Reason/ }), { target: { value: 'Not theirs.' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Remove picture' }));
    await screen.findByText('The reported picture is no longer shown.');
    expect(screen.queryByRole('button', { name: 'Remove picture' })).toBeNull();
  });

  it('lists or removes the coupons of a person that wait, all at once', async () => {
    const [owner, twin] = [await createUser(server.ctx), await createUser(server.ctx)];
    for (const [who, title] of [
      [owner, 'Free tea'],
      [owner, 'Free cake'],
      [twin, 'A guess'],
    ] as const) {
      const { id } = await createCoupon(server.ctx, who, { title });
      const waiting = server.ctx.db.updateTable('coupons').set({ waitingSince: new Date() });
      await waiting.where('id', '=', id).execute();
    }
    await show('moderator');
    const heading = await screen.findByRole('heading', { name: 'Coupons to check' });
    screen.getByText('Free tea');
    press(`List 2 coupons of ${owner.username}`);
    await screen.findByText('2 listed.');
    await waitFor(() => expect(screen.queryByText('Free cake')).toBeNull());
    press(`Remove 1 coupon of ${twin.username}`);
    const dialog = within(
      await screen.findByRole('dialog', { name: `Remove 1 coupon of ${twin.username}?` }),
    );
    fireEvent.click(dialog.getByRole('button', { name: 'Remove' }));
    await screen.findByText('1 removed.');
    await waitFor(() => expect(heading.isConnected).toBe(false));
  });

  it("shows 'No Pending Reports' if there are none [spec/3 4.1]", async () => {
    await show('moderator');
    await screen.findByRole('heading', { name: 'No Pending Reports' });
  });

  it("shows 'Failed to fetch reports', and loads again on Retry [spec/3 4.8]", async () => {
    let isBroken = true;
    await show('moderator', '/admin-reports', (procedure) =>
      isBroken && procedure === 'moderation.reports' ? brokenAnswer() : undefined,
    );
    await screen.findByRole('heading', { name: 'Failed to fetch reports' });
    isBroken = false;
    press('Retry');
    await screen.findByRole('heading', { name: 'No Pending Reports' });
  });
});

describe('reviewing a report', () => {
  it('offers Dismiss Report, Warn User, Suspend User and Ban User, with their consequences [spec/3 4.2]', async () => {
    await report();
    await show('moderator');
    const dialog = await openReview();
    const names = dialog
      .getAllByRole('radio')
      .map((radio) => radio.closest('div[class*=Radio-root]')?.textContent);
    expect(
      names.map((text) => /^(Dismiss Report|Warn User|Suspend User|Ban User)/.exec(text ?? '')?.[1]),
    ).toEqual(['Dismiss Report', 'Warn User', 'Suspend User', 'Ban User']);
    dialog.getByText(/is signed out everywhere and cannot sign in again/);
    fireEvent.click(dialog.getByRole('button', { name: 'Confirm action' }));
    await dialog.findByText('Choose an action');
  });

  it.each([
    ['Dismiss Report', 'active', 'dismissed'],
    ['Warn User', 'warned', 'resolved'],
    ['Suspend User', 'suspended', 'resolved'],
  ] as const)(
    'with %s sets the person to %s and the report to %s [spec/3 4.2]',
    async (label, status, state) => {
      await report();
      await show('moderator');
      const dialog = await openReview();
      fireEvent.click(dialog.getByRole('radio', { name: label }));
      fireEvent.change(dialog.getByRole('textbox', { name: /Action notes/ }), { target: { value: 'Seen.' } });
      fireEvent.click(dialog.getByRole('button', { name: label }));
      await screen.findByText('Report reviewed');
      await screen.findByRole('heading', { name: 'No Pending Reports' });
      expect(await statusOf(reported)).toBe(status);
      const rows = await server.ctx.db
        .selectFrom('userReports')
        .select(['status', 'moderatorNotes'])
        .execute();
      expect(rows).toEqual([{ status: state, moderatorNotes: 'Seen.' }]);
    },
  );

  it('asks for confirmation before a ban', async () => {
    await report();
    await show('moderator');
    const dialog = await openReview();
    fireEvent.click(dialog.getByRole('radio', { name: 'Ban User' }));
    fireEvent.click(dialog.getByRole('button', { name: 'Ban User' }));
    const question = within(await screen.findByRole('dialog', { name: `Ban ${reported.username}?` }));
    expect(await statusOf(reported)).toBe('active');
    fireEvent.click(question.getByRole('button', { name: `Ban ${reported.username}` }));
    await screen.findByText('Report reviewed');
    await waitFor(async () => expect(await statusOf(reported)).toBe('banned'));
  });

  it("shows 'Action Failed' with the server's message after a conflict, and then the true state [spec/3 4.9]", async () => {
    await report();
    await show('moderator');
    const dialog = await openReview();
    await server.ctx.db
      .updateTable('userReports')
      .set({ status: 'dismissed', actionTaken: 'dismiss', moderatorId: reporter.id })
      .execute();
    fireEvent.click(dialog.getByRole('radio', { name: 'Warn User' }));
    fireEvent.click(dialog.getByRole('button', { name: 'Warn User' }));
    await screen.findByText('Action Failed');
    screen.getByText('This report is already dismissed.');
    await screen.findByRole('heading', { name: 'No Pending Reports' });
  });

  it('is shown afterwards with moderator and notes [spec/3 4.7]', async () => {
    await report();
    const moderator = await createUser(server.ctx, { role: 'moderator' });
    const { id } = await server.ctx.db.selectFrom('userReports').select('id').executeTakeFirstOrThrow();
    const input = { id, action: 'warn', notes: 'The first time.' };
    await server.trpc(moderator, 'mutation', 'moderation.review', input);
    await show('moderator', '/admin-reports?status=resolved');
    await screen.findByText('The first time.');
    screen.getByText(new RegExp(`by ${moderator.username}`));
    expect(screen.queryByRole('button', { name: /^Review/ })).toBeNull();
  });
});
