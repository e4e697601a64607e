import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { setUpApp } from '#tests/support/app.ts';
import { createUser } from '#tests/support/builders.ts';
import { dialog, press } from '#tests/support/web/acts.ts';
import { renderWithServer } from '#tests/support/web/server.tsx';
import { CalendarSettings } from './calendar-settings.tsx';

const server = setUpApp();

const shownAddress = async () =>
  ((await screen.findByRole('textbox', { name: 'Private address' })) as HTMLInputElement).value;

it('creates the address, and replaces or ends it after a question', async () => {
  const me = await createUser(server.ctx);
  renderWithServer(server, me, <CalendarSettings />);
  await screen.findByRole('button', { name: 'Create address' });
  press('Create address');
  const old = await shownAddress();
  expect(old).toMatch(/\/calendar\/[0-9a-f]{64}\.ics$/);
  expect(screen.getByRole('button', { name: 'Copy address' })).toHaveProperty('disabled', false);

  press('New address');
  press('New address', await dialog('New address?'));
  await expect.poll(shownAddress).not.toBe(old);

  press('Switch off');
  press('Switch off', await dialog('Switch off?'));
  await screen.findByRole('button', { name: 'Create address' });
});
