import { fireEvent, screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { dialog, press } from '#tests/support/web/acts.ts';
import { setUpDashboard } from '#tests/support/web/admin.tsx';

const dashboard = setUpDashboard();

const section = async (name: string) => within(await screen.findByRole('region', { name }));
const type = (form: ReturnType<typeof within>, label: RegExp, value: string) =>
  fireEvent.change(form.getByLabelText(label), { target: { value } });

it('adds a feed after it was tried, pauses it and removes it', async () => {
  dashboard.show('/admin?tab=settings');
  expect(await (await section('Feeds')).findByText('No feeds')).toBeTruthy();

  press('Add a feed');
  const form = within(await dialog('Add a feed'));
  type(form, /^Name/, 'Deals');
  type(form, /^Address/, 'http://192.0.2.1/feed');
  press('Add feed');
  expect(await form.findByText(/must begin with https:/)).toBeTruthy();
  type(form, /^More settings/, 'method: POST');
  press('Add feed');
  expect(await form.findByText(/This is not a JSON object/)).toBeTruthy();
  type(form, /^Address/, 'https://192.0.2.1/feed?api_key=abc');
  type(form, /^More settings/, '');
  press('Add feed');
  expect(await form.findByText(/Type the key in its own field/)).toBeTruthy();
  type(form, /^Address/, 'https://192.0.2.1/feed?api_key={secret}');
  type(form, /^Key/, 'abc');
  press('Try it');
  expect(await form.findByText('Its address is not public.')).toBeTruthy();
  press('Add feed');
  expect(await screen.findByText('We read Deals within a minute.')).toBeTruthy();
  await (await section('Feeds')).findByText('Waiting');

  press('Change Deals');
  const change = within(await dialog('Change Deals'));
  expect(change.getByPlaceholderText('It is set. Leave this empty to keep it.')).toBeTruthy();
  press('Cancel', await dialog('Change Deals'));

  press('Pause Deals');
  press('Pause', await dialog('Pause Deals'));
  await (await section('Feeds')).findByRole('button', { name: 'Resume Deals' });
  press('Remove Deals');
  expect(within(await dialog('Remove Deals')).getByText('It has no coupons on Discover.')).toBeTruthy();
  press('Remove', await dialog('Remove Deals'));
  expect(await (await section('Feeds')).findByText('No feeds')).toBeTruthy();
});

it('adds a validator where the operator allows codes to be sent', async () => {
  dashboard.show('/admin?tab=settings');
  expect(await (await section('Validators')).findByText(/VALIDATOR_ORIGINS/)).toBeTruthy();
});

it('adds a validator for merchants', async () => {
  Object.assign(dashboard.server.deps.config, { validatorOrigins: ['https://api.voucherify.io'] });
  dashboard.show('/admin?tab=settings');
  await (await section('Validators')).findByRole('button', { name: 'Add a validator' });
  press('Add a validator');
  const form = within(await dialog('Add a validator'));
  type(form, /^Name/, 'Coffee');
  type(form, /^Application ID/, 'app');
  press('Add validator');
  expect(await form.findByText(/at least 1/i)).toBeTruthy();
  const merchants = form.getByLabelText(/^Merchants/, { selector: 'input' });
  fireEvent.change(merchants, { target: { value: 'Corner Coffee' } });
  fireEvent.keyDown(merchants, { key: 'Enter' });
  press('Add validator');
  expect(await form.findByText('Type the key of the account.')).toBeTruthy();
  type(form, /^Key/, 'abc');
  press('Add validator');
  expect(await screen.findByText('Validator added')).toBeTruthy();
  const list = await section('Validators');
  expect(await list.findByText('Corner Coffee')).toBeTruthy();
  expect(list.getByText('Not asked yet')).toBeTruthy();
});
