import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeAll, beforeEach, describe, expect, it, type Mock, onTestFinished, vi } from 'vitest';
import { TEXTS } from '#contract/base/texts.ts';
import type { Actor } from '#server/context/context.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createUser, TEST_PASSWORD } from '#tests/support/builders.ts';
import { press } from '#tests/support/web/acts.ts';
import { somebody } from '#tests/support/web/render.tsx';
import { brokenAnswer, type Intercept, renderWithServer } from '#tests/support/web/server.tsx';
import { ViewerProvider } from '#web/lib/viewer.tsx';
import { Component as AuthPage } from '#web/pages/auth.tsx';
import { LoginForm } from './login-form.tsx';
import { RegisterForm } from './register-form.tsx';
import { UserMenu } from './user-menu.tsx';

const server = setUpApp();
let olive: Actor;

beforeAll(async () => {
  olive = await createUser(server.ctx, { username: 'olive' });
});

let load: Mock;
beforeEach(() => {
  load = vi.spyOn(window.location, 'replace').mockImplementation(() => {});
});

/** What the page that is loaded anew shows first. */
async function expectWelcome(path: string, ...texts: string[]) {
  await waitFor(() => expect(load.mock.calls).toEqual([[path]]));
  cleanup();
  renderWithServer(server, olive, null);
  for (const text of texts) await screen.findByText(text, { exact: false });
}

const field = (label: RegExp) => screen.getByLabelText(label, { selector: 'input' });
const fill = (label: RegExp, value: string) => fireEvent.change(field(label), { target: { value } });

it('says before anything is typed that a browser without cookies cannot sign in', async () => {
  const cookieEnabled = vi.spyOn(navigator, 'cookieEnabled', 'get').mockReturnValue(false);
  onTestFinished(() => cookieEnabled.mockRestore());
  const page = (
    <ViewerProvider viewer={{ user: null, isLoading: false }}>
      <AuthPage />
    </ViewerProvider>
  );
  const { unmount } = renderWithServer(server, olive, page);
  expect(screen.getByRole('alert').textContent).toContain('You need cookies');
  unmount();
  cookieEnabled.mockReturnValue(true);
  renderWithServer(server, olive, page);
  expect(screen.queryByRole('alert')).toBeNull();
});

describe('the login form', () => {
  const logIn = (username: string, password: string) => {
    renderWithServer(server, olive, <LoginForm />);
    fill(/^Username/, username);
    fill(/^Password/, password);
    press('Sign in');
  };

  it('requires both fields: Username is required, Password is required [spec/1 5.3]', async () => {
    logIn('', '');
    await screen.findByText('Username is required');
    expect(screen.getByText('Password is required')).toBeTruthy();
  });

  it('loads the page anew where the person wanted to go, and welcomes them back [spec/1 8.2]', async () => {
    window.history.replaceState({}, '', '/auth?from=%2Fmy-bids');
    onTestFinished(() => window.history.replaceState({}, '', '/'));
    logIn('olive', TEST_PASSWORD);
    await expectWelcome('/my-bids', TEXTS.accounts.loginSuccessful(), 'Welcome back, olive!');
  });

  it('shows Login failed without saying which field is wrong [spec/1 8.1]', async () => {
    logIn('olive', 'not the password');
    await screen.findByText(TEXTS.accounts.loginFailed());
    expect(screen.getByText(TEXTS.accounts.invalidLogin())).toBeTruthy();
    expect(document.activeElement).toBe(field(/^Password/));
  });
});

describe('the registration form', () => {
  const register = (username: string, password: string, repeated: string) => {
    renderWithServer(server, olive, <RegisterForm />);
    fill(/^Username/, username);
    fill(/^Email address/, `${username}@example.org`);
    fill(/^Password/, password);
    fill(/^Confirm password/, repeated);
    fireEvent.click(screen.getByRole('checkbox'));
    press('Create account');
  };
  const find = (email: string) =>
    server.ctx.db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst();

  it('proposes a username for the address once it is typed, and keeps one that the person has chosen', async () => {
    renderWithServer(server, olive, <RegisterForm />);
    const type = (email: string) => {
      fill(/^Email address/, email);
      fireEvent.blur(field(/^Email address/));
    };
    const username = () => (field(/^Username/) as HTMLInputElement).value;
    type('jane.doe@example.org');
    await waitFor(() => expect(username()).toMatch(/^jane\d{3,4}$/));
    type('hugo@example.org');
    await waitFor(() => expect(username()).toMatch(/^hugo\d{3,4}$/));
    fill(/^Username/, 'Helpful.Hugo');
    type('jane.doe@example.org');
    await act(async () => {});
    expect(username()).toBe('Helpful.Hugo');
  });

  it('registers with an address, a password and one tick; the rest is folded [decisions 5.1.5]', async () => {
    renderWithServer(server, olive, <RegisterForm />);
    await screen.findByText('Canada, CAD');
    expect(screen.queryByLabelText('About you')).toBeNull();
    press('Change or add more');
    fireEvent.change(screen.getByLabelText('About you'), { target: { value: 'Likes tea' } });
    // Sent before a username is proposed.
    fill(/^Email address/, 'jane.doe@example.org');
    fill(/^Password/, 'a rather long pass phrase');
    fill(/^Confirm password/, 'a rather long pass phrase');
    press('Create account');
    await screen.findByText('You must be 18 or older and agree to both texts to register');
    fireEvent.click(screen.getByRole('checkbox', { name: /18 or older.*Terms.*Acceptable Use Policy/ }));
    press('Create account');
    await waitFor(() => expect(load).toHaveBeenCalled());
    expect(await find('jane.doe@example.org')).toMatchObject({
      username: expect.stringMatching(/^jane\d{3,4}$/),
      bio: 'Likes tea',
      country: 'CA',
      preferredCurrency: 'CAD',
      termsAcceptedAt: expect.any(Date),
      adultConfirmedAt: expect.any(Date),
    });
  });

  it('shows Passwords do not match at the second password, and sends nothing [spec/1 5.1]', async () => {
    register('newcomer', 'a rather long pass phrase', 'another long pass phrase');
    await screen.findByText('Passwords do not match');
    expect(await find('newcomer@example.org')).toBeUndefined();
  });

  it('says that the passwords differ as soon as both are typed [decisions 6.0.7]', () => {
    renderWithServer(server, olive, <RegisterForm />);
    fill(/^Password/, 'a rather long pass phrase');
    fill(/^Confirm password/, 'a rather');
    expect(screen.queryByText(TEXTS.accounts.passwordsDiffer())).toBeNull();
    fireEvent.blur(field(/^Confirm password/));
    screen.getByText(TEXTS.accounts.passwordsDiffer());
    fill(/^Confirm password/, 'a rather long pass phrase');
    expect(screen.queryByText(TEXTS.accounts.passwordsDiffer())).toBeNull();
    fill(/^Confirm password/, 'a rather lonely');
    screen.getByText(TEXTS.accounts.passwordsDiffer());
  });

  it('shows Registration failed with the server’s text [spec/1 8.3]', async () => {
    register('Olive', 'a rather long pass phrase', 'a rather long pass phrase');
    await screen.findByText(TEXTS.accounts.registrationFailed());
    expect(screen.getAllByText(TEXTS.accounts.usernameTaken()).length).toBeGreaterThan(0);
  });

  it('loads the page anew and welcomes the new person by name [spec/1 8.3]', async () => {
    register('newcomer', 'a rather long pass phrase', 'a rather long pass phrase');
    await expectWelcome('/', TEXTS.accounts.registrationSuccessful(), 'Welcome to ClipSwap, newcomer!');
  });
});

describe('logging out', () => {
  const logOut = async (intercept?: Intercept) => {
    const user = somebody({ id: olive.id, username: 'olive', email: 'olive@example.org' });
    renderWithServer(server, olive, <UserMenu user={user} links={[{ to: '/profile', label: 'Profile' }]} />, {
      ...(intercept && { intercept }),
    });
    press('Account of olive');
    const item = await screen.findByRole('menuitem', { name: 'Sign out' });
    // The menu shows name and address, and the person's own pages.
    expect(screen.getByText('olive@example.org')).toBeTruthy();
    expect(screen.getByRole('menuitem', { name: 'Profile' }).getAttribute('href')).toBe('/profile');
    fireEvent.click(item);
  };

  it('shows Logged out [spec/1 2.2]', async () => {
    await logOut();
    await screen.findByText(TEXTS.accounts.loggedOut());
    expect(screen.getByText(TEXTS.accounts.loggedOutText())).toBeTruthy();
  });

  it('shows Logout failed with the message [spec/1 8.4]', async () => {
    await logOut((procedure) => (procedure === 'accounts.logout' ? brokenAnswer() : undefined));
    await screen.findByText(TEXTS.accounts.logoutFailed());
    // An internal error has no text for users.
    expect(screen.getByText('Please try again.')).toBeTruthy();
  });
});
