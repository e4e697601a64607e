import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { NOTIFICATION_TYPES, type NotificationPreference } from '#contract/people/notifications.ts';
import type { Actor } from '#server/context/context.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createUser } from '#tests/support/builders.ts';
import { brokenAnswer, renderWithServer } from '#tests/support/web/server.tsx';
import { NotificationPreferences } from './preferences.tsx';

const server = setUpApp();
let mia: Actor;

beforeEach(async () => {
  mia = await createUser(server.ctx);
});

const toggle = (name: string) => screen.findByRole<HTMLInputElement>('switch', { name });

async function stored(): Promise<NotificationPreference[]> {
  const { body } = await server.trpc(mia, 'query', 'notifications.preferences');
  return JSON.parse(body).result.data;
}

it('has three switches for each kind, on ClipSwap, by email and by push, and one for the weekly mail', async () => {
  renderWithServer(server, mia, <NotificationPreferences />);
  await toggle('Messages: By email');
  expect(screen.getAllByRole('switch')).toHaveLength(NOTIFICATION_TYPES.length * 3 - 2);
});

it('saves a switch at once, and confirms it beside the switch [decisions 5.0.1]', async () => {
  renderWithServer(server, mia, <NotificationPreferences />);
  const mail = await toggle('Messages: By email');
  const before = mail.checked;
  fireEvent.click(mail);
  await waitFor(() => expect(mail.checked).toBe(!before));
  await screen.findByText('Saved');
  expect((await stored()).find(({ type }) => type === 'message')?.mail).toBe(!before);
});

it('switches back after a failure, and shows it', async () => {
  renderWithServer(server, mia, <NotificationPreferences />, {
    intercept: (call) => (call === 'notifications.setPreference' ? brokenAnswer() : undefined),
  });
  const inApp = await toggle('Messages: On ClipSwap');
  const before = inApp.checked;
  fireEvent.click(inApp);
  await screen.findByText('Your preference was not saved. Please try again.');
  expect(inApp.checked).toBe(before);
  expect(screen.queryByText('Saved')).toBeNull();
});
