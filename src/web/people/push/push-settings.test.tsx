import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createUser } from '#tests/support/builders.ts';
import { press } from '#tests/support/web/acts.ts';
import { renderWithServer } from '#tests/support/web/server.tsx';
import { trpc } from '#web/lib/trpc.ts';
import { PushAsk } from './push-ask.tsx';
import { PushSettings } from './push-settings.tsx';

const server = setUpApp();
let mia: Actor;
let answer: NotificationPermission;
/** The browser's own subscription. */
let subscription: { endpoint: string } | null;

/** A browser with a push service. happy-dom has none. */
beforeEach(async () => {
  mia = await createUser(server.ctx);
  answer = 'granted';
  subscription = null;
  const pushManager = {
    getSubscription: async () => subscription,
    subscribe: async () => {
      subscription = Object.assign(
        { endpoint: `https://fcm.googleapis.com/fcm/send/${mia.id}` },
        {
          toJSON: () => ({ ...subscription, keys: { p256dh: 'A'.repeat(87), auth: 'A'.repeat(22) } }),
          unsubscribe: async () => {
            subscription = null;
          },
        },
      );
      return subscription;
    },
  };
  const registration = { pushManager };
  vi.stubGlobal('PushManager', class {});
  vi.stubGlobal(
    'Notification',
    Object.assign(class {}, { permission: 'default', requestPermission: async () => answer }),
  );
  Object.defineProperty(navigator, 'serviceWorker', {
    configurable: true,
    value: { ready: Promise.resolve(registration), getRegistration: async () => registration },
  });
});
afterEach(() => {
  Reflect.deleteProperty(navigator, 'serviceWorker');
  Reflect.deleteProperty(navigator, 'standalone');
  Reflect.deleteProperty(navigator, 'connection');
});

const own = () =>
  screen.findByRole<HTMLInputElement>('switch', { name: 'Push notifications in this browser' });
const stored = () =>
  server.ctx.db.selectFrom('pushSubscriptions').select('endpoint').where('userId', '=', mia.id).execute();

it('turns them on in this browser once the browser allows it, tries them out, and turns them off', async () => {
  renderWithServer(server, mia, <PushSettings />);
  expect((await own()).checked).toBe(false);
  fireEvent.click(await own());
  await screen.findByText('This device');
  await waitFor(async () => expect((await own()).checked).toBe(true));
  expect(await stored()).toEqual([{ endpoint: `https://fcm.googleapis.com/fcm/send/${mia.id}` }]);
  press('Send a test');
  await screen.findByText('Test sent');
  fireEvent.click(await own());
  await waitFor(async () => expect((await own()).checked).toBe(false));
  expect([await stored(), subscription]).toEqual([[], null]);
});

it('stays off when the browser does not allow it', async () => {
  answer = 'denied';
  renderWithServer(server, mia, <PushSettings />);
  fireEvent.click(await own());
  await screen.findByText('Push notifications are off');
  expect([(await own()).checked, await stored()]).toEqual([false, []]);
});

it.each([
  [
    'an iPhone',
    () => {
      vi.stubGlobal('PushManager', undefined);
      Reflect.deleteProperty(globalThis, 'PushManager');
      Object.defineProperty(navigator, 'standalone', { value: false, configurable: true });
    },
    'On an iPhone or iPad, only installed apps',
  ],
  [
    'a browser without push',
    () => {
      Reflect.deleteProperty(globalThis, 'PushManager');
    },
    'This browser cannot show push notifications.',
  ],
  [
    'a browser that saves data',
    () => {
      Object.defineProperty(navigator, 'connection', { value: { saveData: true }, configurable: true });
    },
    'Your browser’s data saver is on',
  ],
  [
    'a browser that blocks them',
    () => {
      Object.assign(Notification, { permission: 'denied' });
    },
    'This browser blocks notifications',
  ],
])('says in %s why there is no switch', async (_, given, said) => {
  given();
  renderWithServer(server, mia, <PushSettings />);
  await screen.findByText(said, { exact: false });
  expect(screen.queryByRole('switch', { name: /this browser/ })).toBeNull();
});

it('stores quiet hours with the time zone of the browser, and ends them', async () => {
  renderWithServer(server, mia, <PushSettings />);
  fireEvent.click(await screen.findByRole('switch', { name: 'Quiet hours' }));
  fireEvent.change(screen.getByLabelText(/^To/), { target: { value: '22:00' } });
  press('Save quiet hours');
  await screen.findByText('Choose another time than the start');
  fireEvent.change(screen.getByLabelText(/^To/), { target: { value: '06:30' } });
  press('Save quiet hours');
  await screen.findByText('Quiet hours saved');
  const row = () =>
    server.ctx.db.selectFrom('quietHours').selectAll().where('userId', '=', mia.id).executeTakeFirst();
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  expect(await row()).toMatchObject({ startsAt: '22:00:00', endsAt: '06:30:00', timeZone });
  fireEvent.click(screen.getByRole('switch', { name: 'Quiet hours' }));
  press('Save quiet hours');
  await screen.findByText('Quiet hours are off');
  expect(await row()).toBeUndefined();
});

it('asks once, after the first act that makes somebody wait, and never again where the answer was no', async () => {
  function Act() {
    const save = trpc.wants.create.useMutation();
    return (
      <button type="button" onClick={() => save.mutate({ search: `coffee ${Math.random()}` })}>
        Act
      </button>
    );
  }
  const show = () =>
    renderWithServer(
      server,
      mia,
      <>
        <Act />
        <PushAsk />
      </>,
    );
  const { unmount } = show();
  expect(screen.queryByText(/Want to know/)).toBeNull();
  press('Act');
  await screen.findByText('Want to know at once when a coupon you look for is listed?');
  press('No, thank you');
  expect(screen.queryByText(/Want to know/)).toBeNull();
  unmount();
  show();
  press('Act');
  await vi.waitFor(async () => {
    const wants = await server.ctx.db.selectFrom('wants').select('id').where('userId', '=', mia.id).execute();
    expect(wants).toHaveLength(2);
  });
  expect(screen.queryByText(/Want to know/)).toBeNull();

  cleanup();
  localStorage.clear();
  show();
  press('Act');
  await screen.findByText(/Want to know/);
  press('Notify me');
  await screen.findByText('Push notifications are on');
  expect(await stored()).toHaveLength(1);
  expect(screen.queryByText(/Want to know/)).toBeNull();
});
