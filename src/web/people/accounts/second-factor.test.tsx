import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { generateSync } from 'otplib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openPictures } from '#server/readers/pictures/open-pictures.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { createUser, TEST_PASSWORD } from '#tests/support/builders.ts';
import { HANGS_MS } from '#tests/support/patience.ts';
import { press } from '#tests/support/web/acts.ts';
import { renderWithServer } from '#tests/support/web/server.tsx';
import { askFor } from '#web/lib/prompts.ts';
import { LoginForm } from './login-form.tsx';
import { SecondFactorSettings } from './second-factor-settings.tsx';

let server: TestApp;
beforeAll(async () => {
  const pictures = openPictures({ timeLimitMs: HANGS_MS });
  // The test environment's URL cannot start the process that draws.
  const draw = async () => ({ bytes: Buffer.from('a picture'), contentType: 'image/png' as const });
  server = await createTestApp({ providers: { pictures: { ...pictures, draw } } });
});
afterAll(() => server.close());

const type = (label: RegExp, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });

/** The next code of the app. */
function nextCode(secret: string): string {
  server.ctx.clock.advanceDays(30 / 86_400);
  return generateSync({ secret, epoch: server.ctx.clock().getTime() / 1_000 });
}

/** Turns the second factor on in the settings; resolves with the key. */
async function turnOn(): Promise<string> {
  fireEvent.click(await screen.findByRole('button', { name: 'Turn on' }));
  const dialog = await screen.findByRole('dialog', { name: 'Turn on the second factor' });
  type(/^Your password/, TEST_PASSWORD);
  press('Continue');
  const image = await within(dialog).findByAltText('QR code of the key');
  expect(image.getAttribute('src')).toMatch(/^data:image\/png;base64,/);
  const secret = (within(dialog).getByText(/^([A-Z2-7]{4} ?)+$/).textContent ?? '').replaceAll(' ', '');
  type(/^Code/, nextCode(secret));
  press('Turn on', dialog);
  const codes = await screen.findByRole('list', { name: 'Recovery codes' });
  expect(within(codes).getAllByRole('listitem')).toHaveLength(10);
  press('I have saved them');
  await screen.findByText('Unused recovery codes: 10');
  return secret;
}

describe('the second factor', () => {
  it('is turned on in the settings, asked for by the sign-in form and by the prompt, and turned off', async () => {
    const person = await createUser(server.ctx);
    const settings = renderWithServer(server, person, <SecondFactorSettings />);
    const secret = await turnOn();
    settings.unmount();

    const load = vi.spyOn(window.location, 'replace').mockImplementation(() => {});
    const login = renderWithServer(server, person, <LoginForm />);
    type(/^Username/, person.username);
    type(/^Password/, TEST_PASSWORD);
    press('Sign in');
    await screen.findByLabelText(/^Code/);
    type(/^Code/, '000000');
    press('Sign in');
    // At the field: a toast says the same.
    await screen.findByText(/This code is wrong or already used/, {
      selector: '.mantine-InputWrapper-error',
    });
    type(/^Code/, nextCode(secret));
    press('Sign in');
    await waitFor(() => expect(load).toHaveBeenCalledWith('/'));
    login.unmount();

    const prompt = renderWithServer(server, person, null);
    const answers = await act(async () => [
      askFor('second_factor_required'),
      askFor('second_factor_required'),
    ]);
    await screen.findByRole('dialog', { name: 'Confirm that it is you' });
    type(/^Code/, nextCode(secret));
    press('Confirm');
    expect(await Promise.all(answers)).toEqual([true, true]);
    const refused = await act(async () => [askFor('second_factor_required')]);
    await screen.findByRole('dialog', { name: 'Confirm that it is you' });
    press('Cancel');
    expect(await Promise.all(refused)).toEqual([false]);
    prompt.unmount();

    renderWithServer(server, person, <SecondFactorSettings />);
    fireEvent.click(await screen.findByRole('button', { name: 'Turn off' }));
    const dialog = await screen.findByRole('dialog', { name: 'Turn off the second factor' });
    type(/^Your password/, TEST_PASSWORD);
    type(/^Code/, nextCode(secret));
    press('Turn off', dialog);
    await waitFor(() => expect(screen.getByText('Off')).toBeTruthy());
  });
});
