import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { sendDeliveries } from '#server/people/webhooks/sending.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createUser } from '#tests/support/builders.ts';
import { press } from '#tests/support/web/acts.ts';
import { renderWithServer } from '#tests/support/web/server.tsx';
import { WebhookSettings } from './webhook-settings.tsx';

const server = setUpApp({
  providers: {
    webhooks: {
      problemOf: async (url) => (url.startsWith('https:') ? null : 'protocol'),
      send: async () => ({ status: 500, problem: 'refused' }),
    },
  },
});
const stored = ({ id }: Actor) =>
  server.ctx.db
    .selectFrom('webhookEndpoints')
    .select(['url', 'events', 'isForAll', 'disabledAt'])
    .where('userId', '=', id)
    .execute();

async function add(url: string) {
  press('Add a webhook');
  fireEvent.change(await screen.findByLabelText(/^Address of your program/), { target: { value: url } });
  press('Add');
}

/** Presses something behind ⋯. */
async function choose(name: string) {
  fireEvent.click(await screen.findByRole('button', { name: /^More for/ }));
  fireEvent.click(await screen.findByRole('menuitem', { name }));
}

it('adds a webhook, shows its secret once, and removes it', async () => {
  const mia = await createUser(server.ctx);
  renderWithServer(server, mia, <WebhookSettings />);
  await screen.findByText('You have no webhooks yet.');
  await add('http://shop.example/hook');
  await screen.findByText('Must begin with https://');
  expect(screen.queryByLabelText(/^Everything in this market/)).toBeNull();
  fireEvent.change(screen.getByLabelText(/^Address of your program/), {
    target: { value: 'https://shop.example/hook' },
  });
  fireEvent.click(screen.getByLabelText('New messages'));
  press('Add');
  const secret = (await screen.findByText(/^whsec_/)).textContent;
  press('Done');
  await waitFor(() => expect(screen.queryByText(String(secret))).toBeNull());
  const [row] = await stored(mia);
  expect(row).toMatchObject({ url: 'https://shop.example/hook', isForAll: false });
  expect(row?.events).toContain('bid.placed');
  expect(row?.events).not.toContain('message.received');
  await choose('Remove');
  press('Remove');
  await screen.findByText('You have no webhooks yet.');
  expect(await stored(mia)).toEqual([]);
});

it('sends a test, shows in the log how it went, and switches the webhook off', async () => {
  const mia = await createUser(server.ctx);
  renderWithServer(server, mia, <WebhookSettings />);
  await screen.findByText('You have no webhooks yet.');
  await add('https://shop.example/hook');
  await screen.findByText(/^whsec_/);
  press('Done');
  await choose('Send a test');
  await screen.findByText('Test sent');
  await sendDeliveries(server.ctx);
  press(/^See the log/);
  await screen.findByText('Your program answered with status 500.');
  press('Show what was sent');
  await screen.findByText(/"type": "webhook.test"/);
  press('Send again');
  await screen.findByText('Sent again');
  press(/^Close/);
  await choose('Switch off');
  await screen.findByText('Webhook switched off');
  expect((await stored(mia))[0]?.disabledAt).not.toBeNull();
});

it('lets an admin choose everything in this market', async () => {
  const admin = await createUser(server.ctx, { role: 'admin' });
  renderWithServer(server, admin, <WebhookSettings />, { user: { role: 'admin' } });
  await screen.findByText('You have no webhooks yet.');
  press('Add a webhook');
  fireEvent.click(await screen.findByLabelText(/^Everything in this market/));
  fireEvent.change(screen.getByLabelText(/^Address of your program/), {
    target: { value: 'https://shop.example/all' },
  });
  press('Add');
  await screen.findByText(/^whsec_/);
  expect(await stored(admin)).toMatchObject([{ isForAll: true }]);
});
