import { fireEvent, screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { createApiKey } from '#tests/support/api-keys.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createUser, TEST_PASSWORD } from '#tests/support/builders.ts';
import { dialog, press } from '#tests/support/web/acts.ts';
import { renderWithServer } from '#tests/support/web/server.tsx';
import { KeySettings } from './key-settings.tsx';

const server = setUpApp();

const list = () => screen.findByRole('list', { name: 'Keys for programs' });

async function show(role: 'user' | 'moderator') {
  const me = await createUser(server.ctx, { role });
  renderWithServer(server, me, <KeySettings role={role} />);
  await screen.findByText('You have no keys yet.');
  press('Make a key');
  return { me, asked: within(await dialog('Make a key')) };
}

const type = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } });

it('makes a key, shows it once, and revokes it after a question', async () => {
  const { asked } = await show('user');
  expect(asked.queryByLabelText('Moderation')).toBeNull();
  fireEvent.click(asked.getByRole('button', { name: 'Make the key' }));
  await asked.findByText('Give the key a name');
  type(asked.getByLabelText(/^Name/), 'Accounting');
  type(asked.getByLabelText('Payments'), 'see');
  type(asked.getByLabelText('Exchanges and bids'), 'change');
  fireEvent.click(asked.getByRole('checkbox', { name: 'Also show the codes of my coupons' }));
  type(asked.getByLabelText('How long it works'), '30');
  type(asked.getByLabelText(/^Your password/), TEST_PASSWORD);
  fireEvent.click(asked.getByRole('button', { name: 'Make the key' }));

  const made = within(await dialog('Your new key'));
  const token = made.getByLabelText('Key').textContent ?? '';
  expect(token).toMatch(/^clipswap_[0-9A-Za-z]{42}$/);
  fireEvent.click(made.getByRole('button', { name: 'I have saved it' }));

  const row = within(await list());
  expect(row.getAllByText('Accounting')).toHaveLength(2);
  row.getByText(`Ends in ${token.slice(-4)} · not used yet`);
  row.getByText('Can see: Coupons and wish list, Payments, and Codes');
  row.getByText('Can see and change: Exchanges and bids');
  row.getByText('Left this minute: 300 of 300 reads, 60 of 60 changes');
  expect(document.body.textContent).not.toContain(token);
  const headers = { authorization: `Bearer ${token}` };
  const read = () => server.call(null, { method: 'GET', url: '/api/deals', headers });
  expect((await read()).statusCode).toBe(200);

  press(/^Revoke/);
  press('Revoke', await dialog('Revoke this key?'));
  await screen.findByText('You have no keys yet.');
  expect((await read()).statusCode).toBe(401);
});

it.each([
  ['removes the webhooks that a key has added with it', true],
  ['keeps them if that is asked for', false],
])('%s', async (_, removes) => {
  const me = await createUser(server.ctx);
  const { id: keyId } = await createApiKey(server.ctx, me);
  const url = 'https://shop.example/hook';
  const row = { userId: me.id, keyId, url, secret: Buffer.from('s'), events: ['bid.placed'] };
  await server.ctx.db
    .insertInto('webhookEndpoints')
    .values({ ...row, isForAll: false, createdAt: server.ctx.clock() })
    .execute();
  renderWithServer(server, me, <KeySettings role={me.role} />);
  within(await list()).getByText(`Has added webhooks: ${url}`);
  press(/^Revoke/);
  const asked = await dialog('Revoke this key?');
  const box = within(asked).getByRole('checkbox', { name: 'Remove the webhooks it has added, too' });
  if (!removes) fireEvent.click(box);
  press('Revoke', asked);
  await screen.findByText('You have no keys yet.');
  const left = server.ctx.db.selectFrom('webhookEndpoints').select('id').where('userId', '=', me.id);
  expect(await left.execute()).toHaveLength(removes ? 0 : 1);
});

it('offers moderators what they moderate, and no more', async () => {
  const { asked } = await show('moderator');
  asked.getByLabelText('Moderation');
  expect(asked.queryByLabelText('Administration')).toBeNull();
});
