import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import { beforeEach, describe, expect, it } from 'vitest';
import { paths } from '#contract/base/pages.ts';
import { SETTINGS_PAGE_NAMES, SETTINGS_PAGES } from '#contract/base/settings-sections.ts';
import type { SessionUser } from '#contract/people/accounts.ts';
import type { Actor } from '#server/context/context.ts';
import { startSession } from '#server/people/sessions/sessions.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createUser, TEST_PASSWORD } from '#tests/support/builders.ts';
import { address, press } from '#tests/support/web/acts.ts';
import { renderFor, somebody } from '#tests/support/web/render.tsx';
import { type Intercept, renderWithServer } from '#tests/support/web/server.tsx';
import { ViewerProvider } from '#web/lib/viewer.tsx';
import { Component as ProfileSettingsPage } from '#web/pages/profile-settings.tsx';
import { DeviceList } from './device-list.tsx';
import { DeleteAccount, PasswordForm, ProfileForm } from './settings-forms.tsx';

const server = setUpApp();
let me: Actor;

beforeEach(async () => {
  me = await createUser(server.ctx);
});

interface Given {
  readonly who?: Actor;
  readonly as?: Partial<SessionUser>;
  readonly at?: string;
  readonly intercept?: Intercept;
}

/** Shows one section, or with `ProfileSettingsPage` the page at an address. */
function show(section: (user: SessionUser) => ReactNode, given: Given = {}) {
  const { who = me, as, at, intercept } = given;
  const email = `${who.username}@example.org`;
  const user = somebody({ id: who.id, username: who.username, email, ...as });
  return renderWithServer(
    server,
    who,
    <ViewerProvider viewer={{ user, isLoading: false }}>{section(user)}</ViewerProvider>,
    { ...(at && { address: at }), ...(intercept && { intercept }) },
  );
}

const profileForm = (user: SessionUser) => <ProfileForm user={user} />;
const passwordForm = ({ username }: SessionUser) => <PasswordForm username={username} />;
const form = (name: string) => within(screen.getByRole('form', { name }));
const type = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } });
const stored = () =>
  server.ctx.db.selectFrom('users').selectAll().where('id', '=', me.id).executeTakeFirstOrThrow();

it('shows a visitor that the page is for members, and returns after the login [spec/3 2.59]', () => {
  renderFor(null, <ProfileSettingsPage />, paths.settings('your-data'));
  screen.getByRole('heading', { name: 'Access Denied – Please log in to access your profile settings.' });
  const link = screen.getByRole('link', { name: 'Sign in' });
  expect(link.getAttribute('href')).toBe('/auth?from=%2Fprofile-settings%23your-data');
});

const headings = () => screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
const currentPage = () => screen.getByRole('link', { current: 'page' }).getAttribute('href');

it('has four pages, the first with the sections of the documents [spec/3 2.60]', () => {
  show(() => <ProfileSettingsPage />, { at: '/profile-settings' });
  const links = within(screen.getByRole('navigation', { name: 'Settings' })).getAllByRole('link');
  expect(links.map((link) => link.firstChild?.textContent)).toEqual([
    'Me',
    'Safety',
    'Messages from us',
    'Programs',
  ]);
  expect(currentPage()).toBe('/profile-settings?tab=me');
  expect(headings().slice(0, 3)).toEqual(['Profile', 'Password', 'Danger zone']);
  fireEvent.click(screen.getByRole('link', { name: /^Safety/ }));
  expect(currentPage()).toBe('/profile-settings?tab=safety');
  expect(headings()).toContain('Signed-in devices');
});

it.each(
  SETTINGS_PAGE_NAMES.flatMap((page) =>
    SETTINGS_PAGES[page]
      // Shown where another service signs people in.
      .filter((section) => section !== 'identities')
      .map((section) => [section, page] as const),
  ),
)('the link to %s, in mails and notices too, opens its page', (section, page) => {
  show(() => <ProfileSettingsPage />, { at: paths.settings(section) });
  within(document.getElementById(section) as HTMLElement).getByRole('heading', { level: 2 });
  expect(currentPage()).toBe(paths.settingsPage(page));
});

describe('the profile form', () => {
  const save = () => press('Save profile');

  it('saves the public fields, and counts the characters of the bio up to 500 [spec/3 2.61]', async () => {
    show(profileForm);
    const bio = form('Profile').getByRole('textbox', { name: 'About you' });
    expect(bio.getAttribute('maxlength')).toBe('500');
    form('Profile').getByText('0/500');
    type(bio, 'Bread!');
    form('Profile').getByText('6/500');
    save();
    await screen.findByText('Profile saved');
    expect(await stored()).toMatchObject({ bio: 'Bread!', preferredCurrency: 'CAD', country: 'CA' });
  });

  it('asks for the password before a new address, and says which address is in use until it is confirmed', async () => {
    show(profileForm);
    type(form('Profile').getByRole('textbox', { name: 'Email address' }), 'new@example.org');
    save();
    await screen.findByText('Update failed');
    form('Profile').getByText('Password required');
    type(form('Profile').getByLabelText(/^Your password/), TEST_PASSWORD);
    save();
    await screen.findByText(
      `We sent a link to new@example.org. Until you confirm it, we keep using ${me.username}@example.org.`,
    );
    expect(await stored()).toMatchObject({
      email: `${me.username}@example.org`,
      pendingEmail: 'new@example.org',
    });
  });
});

describe('the password form', () => {
  const field = (name: string) => form('Password').getByLabelText(name, { exact: false, selector: 'input' });
  const fill = (current: string, next: string, again = next) => {
    type(field('Current password'), current);
    type(form('Password').getByLabelText(/^New password/), next);
    type(form('Password').getByLabelText(/^Confirm new password/), again);
    press('Change password');
  };

  it.each([
    ['Password too short', TEST_PASSWORD, 'Ab1', 'Ab1'],
    ['Password too weak', TEST_PASSWORD, 'all-small-letters', 'all-small-letters'],
    ['Passwords don’t match'.replace('’', "'"), TEST_PASSWORD, 'Tickets4All', 'Tickets5All'],
    ['Password required', '', 'Tickets4All', 'Tickets4All'],
  ])('shows “%s” [spec/3 2.62]', (text, current, next, again) => {
    show(passwordForm);
    fill(current, next, again);
    form('Password').getByText(text);
  });

  it('shows while typing which rules the new password does not meet yet', () => {
    show(passwordForm);
    const demands = () =>
      within(form('Password').getByRole('list', { name: 'A new password needs' }))
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent);
    type(form('Password').getByLabelText(/^New password/), 'abcdefgh');
    expect(demands()).toEqual([
      'At least 8 characters (met)',
      'A lowercase letter (met)',
      'An uppercase letter',
      'A digit',
    ]);
  });

  it('changes the password, and says that other devices are signed out [spec/3 2.67]', async () => {
    const before = (await stored()).passwordHash;
    show(passwordForm);
    fill(TEST_PASSWORD, 'Nine-Tickets-9');
    await screen.findByText('Password changed');
    screen.getByText('You are signed out everywhere else.');
    expect((await stored()).passwordHash).not.toBe(before);
    expect(field('Current password')).toHaveProperty('value', '');
  });

  it('marks a wrong current password: Password change failed [spec/3 2.65]', async () => {
    show(passwordForm);
    fill('not my password', 'Nine-Tickets-9');
    await screen.findByText('Password change failed');
    form('Password').getByText('This is not your current password');
  });
});

describe('signed-in devices', () => {
  it('are listed, this one marked, and signed out one by one or all at once', async () => {
    for (const _ of [1, 2]) await startSession(server.ctx.db, server.ctx.clock, me.id);
    show(() => <DeviceList />);
    const list = await screen.findByRole('list', { name: 'Signed-in devices' });
    within(list).getByText('This device');
    fireEvent.click(within(list).getAllByRole('button', { name: /^Sign out / })[0] as HTMLElement);
    await screen.findByText('Signed out');
    press('Sign out everywhere else');
    const dialog = await screen.findByRole('dialog', { name: 'Sign out everywhere else?' });
    press('Sign out everywhere else', dialog);
    await screen.findByText('Signed out everywhere else');
    screen.getByText('You are now signed in only here.');
  });
});

describe('deleting the account', () => {
  async function ask(password: string): Promise<HTMLElement> {
    press('Delete account');
    const dialog = await screen.findByRole('dialog', { name: 'Delete your account?' });
    type(within(dialog).getByLabelText(/^Your password/), password);
    press('Delete account', dialog);
    return dialog;
  }

  it('shows the consequences, and requires the password: Password required [spec/3 2.63]', async () => {
    show(() => <DeleteAccount />);
    const dialog = await ask('');
    within(dialog).getByText('Password required');
    within(dialog).getByText('Your coupons are no longer listed, and your open deals are cancelled.');
    press('Keep my account', dialog);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('marks a wrong password: Deletion failed [spec/3 2.65]', async () => {
    show(() => <DeleteAccount />);
    const dialog = await ask('not my password');
    await screen.findByText('Deletion failed');
    within(dialog).getByText('This is not your current password');
  });

  it('leads home, signed out [spec/3 2.64]', async () => {
    show(() => <DeleteAccount />);
    await ask(TEST_PASSWORD);
    await screen.findByText('Account deleted');
    expect(address()).toBe('/');
    expect((await stored()).deletedAt).not.toBeNull();
  });
});
