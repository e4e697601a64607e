import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it, type Mock, onTestFinished, vi } from 'vitest';
import type { PendingIdentity } from '#contract/people/identities.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createUser } from '#tests/support/builders.ts';
import { press } from '#tests/support/web/acts.ts';
import { renderWithServer } from '#tests/support/web/server.tsx';
import { LoginForm } from '#web/people/accounts/login-form.tsx';
import { Component as AuthPage } from './auth.tsx';

const server = setUpApp();

const PENDING: PendingIdentity = {
  next: 'choose',
  provider: 'Sandbox ID',
  email: 'jane.doe@example.org',
  isEmailVerified: true,
  hasAccount: false,
  needsProof: false,
};

let load: Mock;
beforeEach(() => {
  load = vi.spyOn(window.location, 'replace').mockImplementation(() => {});
});

const answer = (data: unknown) => Response.json({ result: { data } });
const refusal = (code: string, httpStatus: number, error: string) => {
  const data = { code: 'FORBIDDEN', httpStatus, wire: { error, code } };
  return Response.json({ error: { message: error, code: -32_603, data } }, { status: httpStatus });
};

/** Renders the page for somebody whom the provider has named. @returns the calls of other procedures */
function open(
  who: Parameters<typeof renderWithServer>[1],
  pending: Partial<PendingIdentity> | null,
  answers: Record<string, (input: unknown) => Response> = {},
  address = '/auth/provider?from=%2Fmy-bids',
) {
  window.history.replaceState({}, '', address);
  onTestFinished(() => window.history.replaceState({}, '', '/'));
  const calls: [string, unknown][] = [];
  renderWithServer(server, who, <AuthPage />, {
    address,
    intercept: (procedure, input) => {
      if (procedure === 'identities.pending') return answer(pending && { ...PENDING, ...pending });
      if (!answers[procedure]) return undefined;
      calls.push([procedure, input]);
      return answers[procedure](input);
    },
  });
  return calls;
}

const user = {
  id: 1,
  username: 'jane',
  email: 'jane.doe@example.org',
  isEmailVerified: true,
  language: 'en',
};

it('signs in whose account is linked at once, where they wanted to go', async () => {
  open(null, { next: 'enter' }, { 'identities.enter': () => answer(user) });
  await waitFor(() => expect(load.mock.calls).toEqual([['/my-bids']]));
});

it('asks for the code of the second factor', async () => {
  const calls = open(
    null,
    { next: 'enter' },
    {
      'identities.enter': (input) =>
        (input as { code?: string }).code
          ? answer(user)
          : refusal('second_factor_required', 403, 'Enter the code.'),
    },
  );
  fireEvent.change(await screen.findByLabelText(/^Code/), { target: { value: '123456' } });
  press('Sign in');
  await waitFor(() => expect(load).toHaveBeenCalled());
  expect(calls.map(([, input]) => input)).toEqual([{}, { code: '123456' }]);
});

it('says why an account stays closed', async () => {
  const text = 'This account is banned.';
  open(null, { next: 'enter' }, { 'identities.enter': () => refusal('forbidden', 403, text) });
  expect((await screen.findByRole('alert')).textContent).toContain(text);
});

it('makes an account with the address of the provider, a name that is proposed, and the terms', async () => {
  const calls = open(null, {}, { 'identities.register': () => answer(user) });
  await waitFor(() =>
    expect((screen.getByLabelText(/^Username/) as HTMLInputElement).value).toMatch(/^jane\d+$/),
  );
  press('Create account');
  await screen.findByText(/agree to both texts/);
  fireEvent.click(screen.getByRole('checkbox'));
  press('Create account');
  await waitFor(() => expect(load.mock.calls).toEqual([['/my-bids']]));
  expect(calls[0]?.[1]).toMatchObject({ email: PENDING.email, acceptTerms: true, isAdult: true });
});

it('sends whose address has an account to the sign-in first, and back here', async () => {
  open(null, { hasAccount: true });
  const link = await screen.findByRole('link', { name: 'Sign in to the account you have' });
  expect(link.getAttribute('href')).toBe(
    `/auth?from=${encodeURIComponent('/auth/provider?from=%2Fmy-bids')}`,
  );
  expect(screen.queryByLabelText(/^Username/)).toBeNull();
  press('Create another account');
  expect((screen.getByLabelText(/^Email address/) as HTMLInputElement).value).toBe('');
});

it.each([
  ['nothing more from who has just signed in', false],
  ['the password from who was signed in before', true],
])('links after a press, and asks %s', async (_, needsProof) => {
  const person = await createUser(server.ctx);
  const calls = open(person, { next: 'link', needsProof }, { 'identities.link': () => answer({ ok: true }) });
  await screen.findByText(`Link Sandbox ID to ${person.username}?`);
  expect(calls).toEqual([]);
  const password = screen.queryByLabelText(/^Your password/);
  expect(password !== null).toBe(needsProof);
  if (password) fireEvent.change(password, { target: { value: 'secret' } });
  press('Link Sandbox ID');
  await screen.findByText('Sandbox ID linked');
  expect(calls).toEqual([['identities.link', needsProof ? { password: 'secret' } : {}]]);
  await waitFor(() => expect(screen.getByTestId('address').textContent).toBe('/my-bids'));
});

it.each([
  ['/auth/provider?failed=cancelled', 'You left before'],
  ['/auth/provider?failed=refused', 'did not belong to a sign-in'],
  ['/auth/provider?failed=unavailable', 'did not answer'],
  ['/auth/provider', 'has been used or has taken too long'],
])('%s says that nobody is signed in, and leads back', async (address, text) => {
  open(null, null, {}, address);
  expect((await screen.findByRole('alert')).textContent).toContain(text);
  expect(screen.getByRole('link', { name: 'Back to the sign-in' }).getAttribute('href')).toBe('/auth');
});

it('the sign-in offers the provider that the page names, and says when it is away', async () => {
  const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => {});
  onTestFinished(() => assign.mockRestore());
  const render = (isAvailable: boolean) =>
    renderWithServer(server, null, <LoginForm />, {
      intercept: (procedure) => {
        if (procedure === 'identities.provider') return answer({ name: 'Sandbox ID', isAvailable });
        if (procedure === 'identities.start') return answer({ url: 'https://id.example/authorize' });
        return undefined;
      },
    });
  const plain = render(true);
  expect(screen.queryByRole('button', { name: 'Sign in with Sandbox ID' })).toBeNull();
  plain.unmount();
  const meta = Object.assign(document.createElement('meta'), {
    name: 'identity-provider',
    content: 'Sandbox ID',
  });
  document.head.append(meta);
  onTestFinished(() => meta.remove());
  const away = render(false);
  await screen.findByText(/does not answer at the moment/);
  away.unmount();
  render(true);
  fireEvent.click(screen.getByRole('button', { name: 'Sign in with Sandbox ID' }));
  await waitFor(() => expect(assign.mock.calls).toEqual([['https://id.example/authorize']]));
});
