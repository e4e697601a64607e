import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { address } from '#tests/support/web/acts.ts';
import { setUpDashboard } from '#tests/support/web/admin.tsx';

const dashboard = setUpDashboard();

const click = (inside: ReturnType<typeof within> | typeof screen, name: string | RegExp) =>
  fireEvent.click(inside.getByRole('button', { name }));

it('the Money tab says so when nothing waits', async () => {
  dashboard.show('/admin?tab=money');
  await screen.findByRole('heading', { name: 'Nothing needs your attention' });
});

it('a dispute is listed with its people, noted, its evidence shown, and leaves the list when marked as handled', async () => {
  const at = dashboard.server.ctx.clock();
  await dashboard.server.ctx.db
    .updateTable('paymentTransactions')
    .set({ isDisputed: true, disputedAt: at, evidenceDueAt: at })
    .where('id', '=', dashboard.sale.paymentId)
    .execute();
  dashboard.show('/admin?tab=money');
  const table = within(await screen.findByRole('table', { name: 'Payment issues' }));
  const row = within(table.getByText('Dispute').closest('tr') as HTMLElement);
  row.getByRole('link', { name: dashboard.buyer.username });
  row.getByRole('link', { name: dashboard.seller.username });
  row.getByText(/^Evidence is due by /);

  click(row, /^Note/);
  const note = within(await screen.findByRole('dialog', { name: 'Add a note' }));
  click(note, 'Add note');
  await note.findByText('Please write something');
  fireEvent.change(note.getByRole('textbox', { name: /Note/ }), {
    target: { value: 'The bank was called.' },
  });
  click(note, 'Add note');
  await table.findByText(`${dashboard.admin.username}: The bank was called.`);

  click(row, /^Evidence/);
  const evidence = within(await screen.findByRole('dialog', { name: 'Evidence for the bank' }));
  const text = (await evidence.findByRole('textbox', { name: 'Evidence' })) as HTMLTextAreaElement;
  expect(text.value).toContain(`Seller: ${dashboard.seller.username}`);
  evidence.getByRole('button', { name: 'Copy' });
  click(evidence, 'Done');

  click(row, /^Payment/);
  const payment = within(await screen.findByRole('dialog', { name: `Payment #${dashboard.sale.paymentId}` }));
  // This sale has no journals.
  await payment.findByText('Nothing can be refunded now. Nothing was paid.');
  expect(address()).toBe(`/admin?tab=money&payment=${dashboard.sale.paymentId}`);
  click(payment, 'Done');

  click(row, /^Mark handled/);
  click(within(await screen.findByRole('dialog', { name: 'Mark as handled?' })), 'Mark handled');
  await screen.findByRole('heading', { name: 'Nothing needs your attention' });
  fireEvent.click(screen.getByRole('radio', { name: 'Handled' }));
  await screen.findByText(new RegExp(`^Handled by ${dashboard.admin.username} on `));
});

const FILE = {
  id: 7,
  bidId: 3,
  couponId: 2,
  couponTitle: 'Two coffees',
  provider: 'stripe',
  status: 'completed',
  buyer: { id: 11, username: 'ann', status: 'active' },
  seller: { id: 12, username: 'bob', status: 'active' },
  captured: '10.50',
  refunded: '0.00',
  takenByBank: '0.00',
  paidOut: '9.50',
  reversed: '0.00',
  providerFees: '0.60',
  returned: '0.00',
  refundable: '10.50',
  refundObstacle: null,
  operations: [],
};

it('a refund says who bears it, and sends the part, the reason and what the admin has seen', async () => {
  const asked: unknown[] = [];
  const answer = (data: unknown) => Response.json({ result: { data } });
  dashboard.show('/admin?tab=money&payment=7', (procedure, input) => {
    if (procedure === 'paymentIssues.payment') return answer(FILE);
    if (procedure !== 'paymentIssues.refund') return undefined;
    asked.push(input);
    return answer({ ...FILE, refunded: '4.00' });
  });
  const dialog = within(await screen.findByRole('dialog', { name: 'Payment #7' }));
  await dialog.findByText(/take it back from the seller’s balance at Stripe/);
  const amount = dialog.getByRole('textbox', { name: /Refund in CAD/ });
  fireEvent.change(amount, { target: { value: 'four' } });
  click(dialog, 'Refund part');
  await dialog.findByText('Enter an amount above 0, such as 12.50');
  await dialog.findByText('Please say why: we tell both parties');
  fireEvent.change(amount, { target: { value: '4.00' } });
  fireEvent.change(dialog.getByRole('textbox', { name: /Reason/ }), { target: { value: 'One coffee.' } });
  click(dialog, 'Refund part');
  await screen.findByText('$4.00 CAD goes back to ann.');
  expect(asked).toEqual([{ paymentId: 7, amount: '4.00', returned: '0.00', reason: 'One coffee.' }]);
  await waitFor(() => expect(address()).toBe('/admin?tab=money'));
});

it('a refund whose payment is read again before its answer comes still says so, and closes the dialog', async () => {
  const answer = (data: unknown) => Response.json({ result: { data } });
  const done = { ...FILE, refunded: '4.00', returned: '4.00', refundable: '6.50' };
  let file = FILE;
  let sendAnswer: ((response: Response) => void) | undefined;
  dashboard.show('/admin?tab=money&payment=7', (procedure) => {
    if (procedure === 'paymentIssues.payment') return answer(file);
    if (procedure !== 'paymentIssues.refund') return undefined;
    return new Promise((resolve) => {
      sendAnswer = resolve;
    });
  });
  const dialog = within(await screen.findByRole('dialog', { name: 'Payment #7' }));
  const amount = await dialog.findByRole('textbox', { name: /Refund in CAD/ });
  fireEvent.change(amount, { target: { value: '4.00' } });
  fireEvent.change(dialog.getByRole('textbox', { name: /Reason/ }), { target: { value: 'One coffee.' } });
  click(dialog, 'Refund part');
  await waitFor(() => expect(sendAnswer).toBeDefined());
  file = done;
  fireEvent(window, new Event('visibilitychange'));
  await dialog.findByText('$4.00 CAD');
  sendAnswer?.(answer(done));
  await screen.findByText('$4.00 CAD goes back to ann.');
  await waitFor(() => expect(address()).toBe('/admin?tab=money'));
});

it('a debt by Stripe is written off with a reason; only one by PayPal can be collected', async () => {
  const debt = {
    paymentId: 7,
    bidId: 3,
    couponTitle: 'Two coffees',
    provider: 'stripe',
    amount: '9.50',
    since: '2026-11-21T12:00:00.000Z',
    way: 'payouts',
    sellerId: 12,
    sellerUsername: 'bob',
  };
  const asked: unknown[] = [];
  dashboard.show('/admin?tab=money&money=debts', (procedure, input) => {
    if (procedure === 'admin.debts')
      return Response.json({ result: { data: asked.length > 0 ? [] : [debt] } });
    if (procedure !== 'admin.settleDebt') return undefined;
    asked.push(input);
    return Response.json({ result: { data: { ok: true } } });
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Settle the debt of bob' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Settle a debt' }));
  expect((dialog.getByRole('radio', { name: 'Collected' }) as HTMLInputElement).disabled).toBe(true);
  fireEvent.click(dialog.getByRole('radio', { name: 'Written off' }));
  click(dialog, 'Settle debt');
  await dialog.findByText('Please say why');
  fireEvent.change(dialog.getByRole('textbox', { name: /Reason/ }), {
    target: { value: 'The seller is gone.' },
  });
  click(dialog, 'Settle debt');
  await screen.findByRole('heading', { name: 'No seller owes anything' });
  expect(asked).toEqual([{ paymentId: 7, how: 'written_off', reason: 'The seller is gone.' }]);
});
