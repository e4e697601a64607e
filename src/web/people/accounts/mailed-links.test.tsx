import { cleanup, fireEvent, screen } from '@testing-library/react';
import { StrictMode } from 'react';
import { Route, Routes } from 'react-router-dom';
import { beforeEach, describe, expect, it } from 'vitest';
import type { SessionUser } from '#contract/people/accounts.ts';
import type { Actor } from '#server/context/context.ts';
import { inTransaction } from '#server/database/client.ts';
import { accountLinks } from '#server/people/accounts/links.ts';
import { unsubscribeToken } from '#server/people/notifications/preferences.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createPasskey, createUser, TEST_PASSWORD } from '#tests/support/builders.ts';
import { press } from '#tests/support/web/acts.ts';
import { somebody } from '#tests/support/web/render.tsx';
import { type Intercept, renderWithServer } from '#tests/support/web/server.tsx';
import { ViewerProvider } from '#web/lib/viewer.tsx';
import { Component as ForgotPasswordPage } from '#web/pages/forgot-password.tsx';
import { Component as NotMePage } from '#web/pages/not-me.tsx';
import { Component as ResetPasswordPage } from '#web/pages/reset-password.tsx';
import { Component as UnsubscribePage } from '#web/pages/unsubscribe.tsx';
import { Component as VerifyEmailPage } from '#web/pages/verify-email.tsx';
import { VerifyEmailBanner } from './email-verification.tsx';
import { LoginForm } from './login-form.tsx';

const server = setUpApp();
let me: Actor;
const address = () => `${me.username}@example.org`;

beforeEach(async () => {
  me = await createUser(server.ctx, { emailVerifiedAt: null });
});

const SPENT = 'This link has been used or has expired. Ask for a new one.';
const DONE = 'You have already used this link.';

/** The path of the link in such a mail. */
async function mailedPath(kind: 'verifyEmail' | 'resetPassword'): Promise<string> {
  const link = await inTransaction(server.ctx.db, (trx) =>
    kind === 'verifyEmail'
      ? accountLinks.verifyEmail(trx, server.ctx, me.id, null)
      : accountLinks.resetPassword(trx, server.ctx, address()),
  );
  if (!link) throw new Error('there is nobody to write to');
  return link.path;
}

function show(
  page: React.ReactNode,
  at: string,
  { as, intercept }: { as?: Partial<SessionUser> | null; intercept?: Intercept } = {},
) {
  const user = as === null ? null : somebody({ id: me.id, username: me.username, email: address(), ...as });
  return renderWithServer(
    server,
    as === null ? null : me,
    <ViewerProvider viewer={{ user, isLoading: false }}>{page}</ViewerProvider>,
    { address: at, ...(intercept && { intercept }) },
  );
}

describe('a forgotten password', () => {
  it('has a link on the login form', () => {
    show(<LoginForm />, '/auth', { as: null });
    const link = screen.getByRole('link', { name: 'Forgot your password?' });
    expect(link.getAttribute('href')).toBe('/forgot-password');
  });

  it.each([
    ['of a member', () => address()],
    ['of nobody', () => 'nobody@example.org'],
  ])('gets the same answer for an address %s', async (_whose, email) => {
    show(<ForgotPasswordPage />, '/forgot-password', { as: null });
    fireEvent.change(screen.getByRole('textbox', { name: 'Email address' }), { target: { value: email() } });
    press('Send me a link');
    await screen.findByText(
      'If there is an account with this email address, we have sent a link to it. The link works for one hour.',
    );
  });
});

describe('the link to a new password', () => {
  beforeEach(() =>
    server.ctx.db
      .updateTable('users')
      .set({ emailVerifiedAt: server.ctx.clock() })
      .where('id', '=', me.id)
      .execute(),
  );
  const fill = (password: string, again = password) => {
    fireEvent.change(screen.getByLabelText(/^New password/), { target: { value: password } });
    fireEvent.change(screen.getByLabelText(/^Confirm new password/), { target: { value: again } });
    press('Set the new password');
  };

  it('sets the password once [decisions 5.1.4]', async () => {
    const path = await mailedPath('resetPassword');
    show(<ResetPasswordPage />, path, { as: null });
    fill('Nine-Tickets-9', 'Ten-Tickets-10');
    screen.getByText("Passwords don't match");
    fill('Nine-Tickets-9');
    await screen.findByRole('heading', { name: 'Your password is changed' });
    expect(screen.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toBe('/auth');
    cleanup();
    show(<ResetPasswordPage />, path, { as: null });
    fill('Eight-Tickets-8');
    await screen.findByText(DONE, { selector: 'main *, p' });
    screen.getByRole('heading', { name: 'Already done' });
    expect(screen.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toBe('/auth');
  });

  it('offers a new link if it is incomplete', () => {
    show(<ResetPasswordPage />, '/reset-password?token=short', { as: null });
    screen.getByText(SPENT);
    expect(screen.getByRole('link', { name: 'Ask for a new link' }).getAttribute('href')).toBe(
      '/forgot-password',
    );
  });
});

describe('the link that confirms an address', () => {
  it('does nothing until the button is pressed, and says afterwards that it is done', async () => {
    let calls = 0;
    const intercept: Intercept = (procedure) => {
      if (procedure === 'accounts.verifyEmail') calls += 1;
      return undefined;
    };
    const path = await mailedPath('verifyEmail');
    show(
      <StrictMode>
        <VerifyEmailPage />
      </StrictMode>,
      path,
      { as: { isEmailVerified: false }, intercept },
    );
    const button = await screen.findByRole('button', { name: 'Confirm this address' });
    // What a mail scanner with a browser waits for: everything that the page does by itself.
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(calls).toBe(0);
    fireEvent.click(button);
    await screen.findByRole('heading', { name: 'Your address is confirmed' });
    screen.getByText(`From now on, we write to you at ${address()}.`);
    expect(calls).toBe(1);
    cleanup();
    show(<VerifyEmailPage />, path, { as: { isEmailVerified: false } });
    press('Confirm this address');
    await screen.findByRole('heading', { name: 'Already done' });
    screen.getByText(DONE);
  });

  it('asks a visitor for the password, and shows at the field that it is wrong', async () => {
    show(<VerifyEmailPage />, await mailedPath('verifyEmail'), { as: null });
    const field = screen.getByLabelText(/^Your password/);
    fireEvent.change(field, { target: { value: 'not this one' } });
    press('Confirm this address');
    await screen.findByText('This is not your current password');
    fireEvent.change(field, { target: { value: TEST_PASSWORD } });
    press('Confirm this address');
    await screen.findByText(`From now on, we write to you at ${address()}.`);
  });

  it.each([
    ['/coupons/5?bid=1', 'The coupon'],
    ['https://evil.example/coupons/5', 'Home'],
    ['//evil.example/coupons/5', 'Home'],
    ['/\\evil.example', 'Home'],
  ])('leads a member who came from %s to a page of this site', async (from, page) => {
    const path = `${await mailedPath('verifyEmail')}&from=${encodeURIComponent(from)}`;
    const pages = (
      <Routes>
        <Route path="/verify-email" element={<VerifyEmailPage />} />
        <Route path="/coupons/:id" element="The coupon" />
        <Route path="/" element="Home" />
      </Routes>
    );
    show(pages, path, { as: { isEmailVerified: false } });
    press('Confirm this address');
    await screen.findByText(page);
    await screen.findByText('Your address is confirmed');
  });

  it('leads a visitor to the sign-in, and from there on', async () => {
    const path = `${await mailedPath('verifyEmail')}&from=%2Fcoupons%2F5`;
    show(<VerifyEmailPage />, path, { as: null });
    fireEvent.change(screen.getByLabelText(/^Your password/), { target: { value: TEST_PASSWORD } });
    press('Confirm this address');
    const next = await screen.findByRole('link', { name: 'Sign in' });
    expect(next.getAttribute('href')).toBe('/auth?from=%2Fcoupons%2F5');
  });

  it('tells a visitor without the password to look for a second mail', async () => {
    show(<VerifyEmailPage />, await mailedPath('verifyEmail'), { as: null });
    press('Confirm this address');
    await screen.findByText(/We sent a second email to/);
  });

  it('shows what opens the account beside the password', async () => {
    await createPasskey(server.ctx, me);
    show(<VerifyEmailPage />, await mailedPath('verifyEmail'), { as: { isEmailVerified: false } });
    press('Confirm this address');
    await screen.findByText(/^Passkey “Key”, added /);
  });

  it('says that a newer one has replaced it, and sends a member another one', async () => {
    const path = await mailedPath('verifyEmail');
    await mailedPath('verifyEmail');
    show(<VerifyEmailPage />, path, { as: { isEmailVerified: false } });
    press('Confirm this address');
    await screen.findByText(SPENT);
    press('Send the link again');
    await screen.findByText('Link sent');
  });
});

describe('the link “This was not me”', () => {
  it('sets a new password, and says what else it does', async () => {
    await server.ctx.db
      .updateTable('users')
      .set({ emailVerifiedAt: server.ctx.clock() })
      .where('id', '=', me.id)
      .execute();
    const given = { userId: me.id, to: address(), at: server.ctx.clock() };
    const link = await inTransaction(server.ctx.db, (trx) => accountLinks.notMe(trx, server.ctx, given));
    show(<NotMePage />, link?.path ?? '', { as: null });
    screen.getByText(/We sign everyone out, remove every passkey/);
    fireEvent.change(screen.getByLabelText(/^New password/), { target: { value: 'Nine-Tickets-9' } });
    fireEvent.change(screen.getByLabelText(/^Confirm new password/), { target: { value: 'Nine-Tickets-9' } });
    press('Take my account back');
    await screen.findByRole('heading', { name: 'Your password is changed' });
  });
});

describe('the link that stops mails', () => {
  it('asks first, then shows which mails are stopped and where to choose the others', async () => {
    const path = `/unsubscribe?${new URLSearchParams({ token: unsubscribeToken(server.ctx, { userId: me.id, type: 'message' }) })}`;
    show(<UnsubscribePage />, path, { as: null });
    screen.getByRole('heading', { name: 'Turn these emails off?' });
    press('Turn these emails off');
    await screen.findByRole('heading', { name: 'These emails are off' });
    screen.getByText(/We will no longer email you about new messages\./);
    const link = screen.getByRole('link', { name: 'Choose which emails you get' });
    expect(link.getAttribute('href')).toBe('/profile-settings#notifications');
  });

  it('says that it is incomplete', () => {
    show(<UnsubscribePage />, '/unsubscribe', { as: null });
    screen.getByRole('heading', { name: 'This link is incomplete' });
  });
});

describe('the reminder to confirm one’s address', () => {
  it('sends the link again, and can be hidden', async () => {
    show(<VerifyEmailBanner />, '/', { as: { isEmailVerified: false } });
    screen.getByText('Confirm your email address.');
    press('Send again');
    await screen.findByText('Link sent');
    press('Hide for now');
    expect(screen.queryByText('Confirm your email address.')).toBeNull();
    cleanup();
    show(<VerifyEmailBanner />, '/', { as: { isEmailVerified: false } });
    expect(screen.queryByText('Confirm your email address.')).toBeNull();
  });

  it('is hidden for confirmed addresses and for visitors', () => {
    show(<VerifyEmailBanner />, '/');
    expect(screen.queryByRole('complementary')).toBeNull();
    cleanup();
    show(<VerifyEmailBanner />, '/', { as: null });
    expect(screen.queryByRole('complementary')).toBeNull();
  });
});
