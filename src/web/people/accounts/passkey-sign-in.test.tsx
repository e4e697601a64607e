import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { TEXTS } from '#contract/base/texts.ts';
import type { Actor } from '#server/context/context.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createUser } from '#tests/support/builders.ts';
import { renderWithServer } from '#tests/support/web/server.tsx';
import { LoginForm } from './login-form.tsx';

const FAILURE = 'No passkey was used';
const CANCELLED = new DOMException('The operation was not allowed.', 'NotAllowedError');

const server = setUpApp();
let olive: Actor;
/** What the browser does when the page asks for a passkey in the background (conditional) or with a dialog. */
const get = vi.fn<(options: CredentialRequestOptions) => Promise<Credential | null>>();

beforeAll(async () => {
  olive = await createUser(server.ctx, { username: 'olive' });
});

beforeEach(() => {
  get.mockReset();
  const canOffer = { isConditionalMediationAvailable: async () => true };
  vi.stubGlobal('PublicKeyCredential', Object.assign(class {}, canOffer));
  vi.stubGlobal('navigator', Object.create(navigator, { credentials: { value: { get } } }));
});

/** The browser's answer to the background offer; a dialog is cancelled. */
function open(offer: () => Promise<Credential | null>) {
  get.mockImplementation(({ mediation }) =>
    mediation === 'conditional' ? offer() : Promise.reject(CANCELLED),
  );
  renderWithServer(server, olive, <LoginForm />);
}

const pressButton = async () =>
  fireEvent.click(await screen.findByRole('button', { name: 'Sign in with a passkey' }));

/** A passkey that the server does not know. */
const unknownPasskey = () => {
  const bytes = new Uint8Array([1, 2, 3]).buffer;
  return {
    id: 'AQID',
    rawId: bytes,
    type: 'public-key',
    response: { authenticatorData: bytes, clientDataJSON: bytes, signature: bytes, userHandle: bytes },
    getClientExtensionResults: () => ({}),
  };
};

it.each([
  ['refuses', async () => Promise.reject(new TypeError('conditional mediation is not supported'))],
  ['forbids', async () => Promise.reject(CANCELLED)],
  ['answers nothing to', async () => null],
])('says nothing when the browser %s the background offer', async (_, offer) => {
  open(offer);
  await waitFor(() => expect(get).toHaveBeenCalledOnce());
  // What follows the browser's answer has run by then.
  await act(() => new Promise((resolve) => setTimeout(resolve)));
  expect(screen.queryByText(FAILURE)).toBeNull();
});

it('says that the server refused a passkey from the background offer', async () => {
  open(async () => unknownPasskey());
  await screen.findByText(FAILURE);
  expect(screen.getByText(TEXTS.accounts.passkeyRefused())).toBeTruthy();
});

it('says that the prompt of the button was cancelled', async () => {
  open(() => new Promise(() => {}));
  await pressButton();
  await screen.findByText(FAILURE);
  expect(screen.getByText('The prompt of your browser was closed, or it waited too long.')).toBeTruthy();
});
