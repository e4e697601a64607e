import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { dialog, press } from '#web/testing/acts.ts';
import { setUpDashboard } from '#web/testing/admin.tsx';

const dashboard = setUpDashboard();

const fees = async () => within(await screen.findByRole('region', { name: 'Fees' }));

it('changes the fees, says what will happen first, and undoes it from the history', async () => {
  dashboard.show('/admin?tab=settings');
  expect((await fees()).getByText('5% from each party')).toBeTruthy();
  expect((await fees()).getByText('The default.')).toBeTruthy();

  press('Change Fees');
  const form = within(await dialog('Change the fees'));
  fireEvent.change(form.getByLabelText(/^Buyer pays \*/), { target: { value: '60' } });
  press('Change the fees');
  expect(await form.findByText('Enter a percentage from 0 to 50%, such as 4.5')).toBeTruthy();
  fireEvent.change(form.getByLabelText(/^Buyer pays \*/), { target: { value: '4.5' } });
  expect(form.getByRole('status').textContent).toContain(
    'For a bid of $20.00 CAD, the buyer pays $20.90 CAD and the seller receives $19.00 CAD.',
  );
  press('Change the fees');
  expect(await screen.findByText('Fees changed')).toBeTruthy();
  await (await fees()).findByText('4.5% from the buyer and 5% from the seller');
  expect((await fees()).getByText(/^Changed by person-\d+, /)).toBeTruthy();

  press('History of Fees');
  const history = await dialog('History: Fees');
  press('Undo', await within(history).findByRole('list', { name: 'Changes' }));
  press('Undo', await dialog('Undo this change'));
  expect(await screen.findByText('Change undone')).toBeTruthy();
  await waitFor(() => expect(within(history).getAllByRole('listitem')).toHaveLength(2));
  await (await fees()).findByText('5% from each party');
});

it('shows what the environment decides, and offers no change of it', async () => {
  const locked = { environment: ['SELLER_FEE_PERCENT'], folder: [] };
  const { start } = dashboard.server.deps.settings;
  Object.assign(start, { setIn: locked });
  dashboard.show('/admin?tab=settings');
  expect((await fees()).getByText(/^SELLER_FEE_PERCENT in the environment of the server/)).toBeTruthy();
  expect((await fees()).queryByRole('button', { name: 'Change Fees' })).toBeNull();
});
