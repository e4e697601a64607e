import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { TEXTS } from '#contract/base/texts.ts';
import { REPORT_REASONS } from '#contract/oversight/moderation.ts';
import { pictureIdOf } from '#contract/people/picture-addresses.ts';
import type { Actor } from '#server/context/context.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createCoupon, createUser, type TestCoupon } from '#tests/support/builders.ts';
import { insertPicture } from '#tests/support/pictures.ts';
import { press } from '#tests/support/web/acts.ts';
import { renderWithServer } from '#tests/support/web/server.tsx';
import { ViewerProvider } from '#web/lib/viewer.tsx';
import { ReportButton } from './report-button.tsx';

const server = setUpApp();
let reporter: Actor;
let owner: Actor;
let coupon: TestCoupon;

beforeEach(async () => {
  reporter = await createUser(server.ctx);
  owner = await createUser(server.ctx);
  coupon = await createCoupon(server.ctx, owner);
});

const button = (userId: number | null = owner.id) => (
  <ReportButton
    userId={userId}
    username={owner.username}
    relatedEntityType="coupon"
    relatedEntityId={coupon.id}
  />
);
const open = async () => {
  press(`Report ${owner.username}`);
  return within(await screen.findByRole('dialog', { name: 'Report User' }));
};
const describeIt = (dialog: Awaited<ReturnType<typeof open>>, text: string) =>
  fireEvent.change(dialog.getByRole('textbox', { name: /What happened/ }), { target: { value: text } });
const send = (dialog: Awaited<ReturnType<typeof open>>) =>
  fireEvent.click(dialog.getByRole('button', { name: 'Send report' }));
const stored = () =>
  server.ctx.db
    .selectFrom('userReports')
    .select(['reason', 'description', 'evidence', 'relatedEntityType', 'relatedEntityId'])
    .where('reporterId', '=', reporter.id)
    .execute();

describe('the Report User dialog', () => {
  it('offers the six reasons in plain words, a fake coupon first [spec/1 5.18] [spec/3 4.4]', async () => {
    renderWithServer(server, reporter, button());
    const dialog = await open();
    const reason = dialog.getByRole<HTMLSelectElement>('combobox', { name: /Reason/ });
    expect(reason.value).toBe('fake_coupon');
    expect([...reason.options].map(({ value }) => value)).toEqual([...REPORT_REASONS]);
    expect([...reason.options].some(({ text }) => text.includes('_'))).toBe(false);
  });

  it("requires 10 characters: 'Please provide at least 10 characters describing the issue' [spec/1 5.17]", async () => {
    renderWithServer(server, reporter, button());
    const dialog = await open();
    describeIt(dialog, 'too short');
    dialog.getByText('1 more character');
    send(dialog);
    await dialog.findByText('Please provide at least 10 characters describing the issue');
    expect(await stored()).toEqual([]);
  });

  it('names the picture only if the box is ticked', async () => {
    const url = await insertPicture(server.ctx);
    const values = { pictureId: pictureIdOf(url) };
    await server.ctx.db.updateTable('coupons').set(values).where('id', '=', coupon.id).execute();
    renderWithServer(
      server,
      reporter,
      <ReportButton userId={owner.id} username={owner.username} pictureUrl={url} />,
    );
    const dialog = await open();
    const box = dialog.getByRole<HTMLInputElement>('checkbox', { name: 'This is about the picture' });
    expect(box.checked).toBe(false);
    fireEvent.click(box);
    describeIt(dialog, 'This is not their bread.');
    send(dialog);
    const pictureOf = async () =>
      (
        await server.ctx.db
          .selectFrom('userReports')
          .select('pictureId')
          .where('reporterId', '=', reporter.id)
          .execute()
      )[0];
    await waitFor(async () => expect(await pictureOf()).toEqual(values));
  });

  it('sends the report and shows a confirmation [spec/1 3.25]', async () => {
    renderWithServer(server, reporter, button());
    const dialog = await open();
    fireEvent.change(dialog.getByRole('combobox', { name: /Reason/ }), { target: { value: 'scam' } });
    describeIt(dialog, 'The code was used before.');
    fireEvent.change(dialog.getByRole('textbox', { name: /Evidence/ }), { target: { value: 'He said so.' } });
    send(dialog);
    await screen.findByText(TEXTS.reports.sent());
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(await stored()).toEqual([
      {
        reason: 'scam',
        description: 'The code was used before.',
        evidence: 'He said so.',
        relatedEntityType: 'coupon',
        relatedEntityId: coupon.id,
      },
    ]);
  });

  it('offers what was written again after a reload, until it is sent', async () => {
    const written = (dialog: Awaited<ReturnType<typeof open>>) =>
      dialog.getByRole<HTMLTextAreaElement>('textbox', { name: /What happened/ }).value;
    renderWithServer(server, reporter, button());
    describeIt(await open(), 'The code was used before.');
    cleanup();
    renderWithServer(server, reporter, button());
    const dialog = await open();
    expect(written(dialog)).toBe('The code was used before.');
    send(dialog);
    await screen.findByText(TEXTS.reports.sent());
    cleanup();
    renderWithServer(server, reporter, button());
    expect(written(await open())).toBe('');
  });

  it("shows 'Report Failed' with the server's message for a second report [spec/1 8.17]", async () => {
    const about = { reportedUserId: owner.id, description: 'The same as before.' };
    await server.trpc(reporter, 'mutation', 'moderation.report', about);
    renderWithServer(server, reporter, button());
    const dialog = await open();
    describeIt(dialog, 'The same as before.');
    send(dialog);
    await screen.findByText('Report Failed');
    screen.getByText(TEXTS.reports.alreadyReported());
  });

  it("shows 'No user selected for reporting' if the account is deleted", async () => {
    renderWithServer(server, reporter, button(null));
    const dialog = await open();
    describeIt(dialog, 'The code was used before.');
    send(dialog);
    await screen.findByText('Report Failed');
    screen.getByText('No user selected for reporting');
  });
});

describe('the Report button', () => {
  it('is hidden for the viewer themselves [spec/3 4.11]', () => {
    renderWithServer(server, owner, button());
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('sends a visitor to sign in and back to the open dialog [decisions 6.1.1]', async () => {
    const here = `/coupons/${coupon.id}?page=2`;
    renderWithServer(
      server,
      reporter,
      <ViewerProvider viewer={{ user: null, isLoading: false }}>{button()}</ViewerProvider>,
      { address: here },
    );
    press(`Report ${owner.username}`);
    const address = new URL(screen.getByTestId('address').textContent ?? '', 'http://localhost');
    expect(address.pathname).toBe('/auth');
    const back = address.searchParams.get('from') ?? '';
    expect(back).toBe(`${here}&report=coupon-${coupon.id}`);
    cleanup();
    renderWithServer(server, reporter, button(), { address: back });
    await screen.findByRole('dialog', { name: 'Report User' });
    await waitFor(() => expect(screen.getByTestId('address').textContent).toBe(here));
  });
});
