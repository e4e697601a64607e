import { fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { ERROR_STATUS, type ErrorCode } from '#contract/base/errors.ts';
import type { CouponPayload } from '#contract/coupons/coupons.ts';
import { readTableFile } from '#server/readers/pictures/table-files.ts';
import { readTable } from '#server/readers/tables/tables.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createUser } from '#tests/support/builders.ts';
import { sharedPictures } from '#tests/support/picture-processes.ts';
import { press } from '#tests/support/web/acts.ts';
import { type Intercept, renderWithServer } from '#tests/support/web/server.tsx';
import { injectUploads } from '#tests/support/web/uploads.ts';
import { workbookOf } from '#tests/support/workbooks.ts';
import { AddMany } from './add-many.tsx';

// The processes that read tables do not run here.
const server = setUpApp({ providers: { pictures: { ...sharedPictures(), readTable, readTableFile } } });

/** Opens the page with these lines in its table. `refuse` may answer instead of the server. */
async function openWith(lines: readonly string[], refuse: (payload: CouponPayload) => Response | undefined) {
  const sent: CouponPayload[] = [];
  const intercept: Intercept = (procedure, input) => {
    if (procedure !== 'coupons.create') return undefined;
    sent.push(input as CouponPayload);
    return refuse(input as CouponPayload);
  };
  const person = await createUser(server.ctx);
  renderWithServer(server, person, <AddMany />, { intercept, hasDataRouter: true });
  fireEvent.change(screen.getByLabelText('Or paste rows'), {
    target: { value: ['Merchant,Value,Code,Category,Expires', ...lines].join('\n') },
  });
  press('Add these rows');
  return sent;
}

function refusal(code: ErrorCode, error: string, path?: string): Response {
  const wire = { error, code, ...(path && { issues: [{ path, message: error }] }) };
  const httpStatus = ERROR_STATUS[code];
  const data = { code, httpStatus, wire };
  return Response.json({ error: { message: error, code: -32_000, data } }, { status: httpStatus });
}

it('keeps refused rows with their refusal, and asks no more of a merchant whose limit is reached', async () => {
  const limit = 'Too many new codes at Roots. Please try again in 43 minutes.';
  const lines = Array.from({ length: 8 }, (_, index) => `Roots,$10,ROOTS-${index},Food,never`);
  const sent = await openWith(
    [...lines, 'Tea & Co,$5,TEA-1,Food,never', 'Tea & Co,$5,TEA-2,Food,never'],
    (payload) => {
      if (payload.merchant === 'Roots') return refusal('rate_limited', limit);
      return payload.codeValue === 'TEA-2'
        ? refusal('code_listed', 'This coupon code is already listed', 'codeValue')
        : undefined;
    },
  );
  fireEvent.click(await screen.findByRole('button', { name: 'List 10 coupons' }));
  await screen.findByRole('heading', { name: '1 coupon listed' });
  expect(await screen.findAllByText(limit)).toHaveLength(8);
  expect(sent.filter(({ merchant }) => merchant === 'Roots').length).toBeLessThan(8);
  const cell = await screen.findByDisplayValue('TEA-2');
  expect(cell.getAttribute('aria-invalid')).toBe('true');
  // Those of a limit can be tried again.
  screen.getByRole('button', { name: 'List 8 coupons' });
});

it('lists a code that its merchant calls dead only after a press of its own', async () => {
  const sent = await openWith(['Roots,$10,ROOTS-DEAD,Food,never'], ({ acknowledgeDeadCode }) =>
    acknowledgeDeadCode ? undefined : refusal('code_dead', 'This code has been used.', 'codeValue'),
  );
  fireEvent.click(await screen.findByRole('button', { name: 'List 1 coupon' }));
  await screen.findByText('This code has been used.');
  expect(screen.getByRole('button', { name: 'List coupons' })).toHaveProperty('disabled', true);
  press('List it anyway');
  press('List 1 coupon');
  await screen.findByRole('heading', { name: '1 coupon listed' });
  expect(sent).toHaveLength(2);
});

async function choose(file: File): Promise<void> {
  const person = await createUser(server.ctx);
  injectUploads(server, person);
  renderWithServer(server, person, <AddMany />, { hasDataRouter: true });
  fireEvent.change(await screen.findByLabelText('Files with coupons'), { target: { files: [file] } });
}

const HEADS = ['Merchant', 'Code', 'Value', 'Expires', 'Colour'];
const roots = (code: string, day: string) => ['Roots', code, '$10', day, 'red'];

it('reads a workbook as it is shown, says what it leaves out, and reads its days again in the other order', async () => {
  const book = workbookOf([
    { name: 'Mine', rows: [HEADS, roots('R-1', '03/04/2036'), roots('R-2', '03/05/2036')], hiddenRows: [3] },
  ]);
  await choose(new File([book], 'coupons.xlsx'));
  await screen.findByDisplayValue('R-1');
  expect(screen.queryByDisplayValue('R-2')).toBeNull();
  screen.getByText('Columns that we did not read: Colour.');
  screen.getByText(/^1 hidden row is left out/);
  screen.getByDisplayValue('2036-03-04');
  fireEvent.click(screen.getByLabelText('the day first'));
  await screen.findByDisplayValue('2036-04-03');
});

it('says why a workbook has no rows', async () => {
  const book = workbookOf([{ name: 'Mine', state: 'hidden', rows: [HEADS, roots('R-1', '2036-03-04')] }]);
  await choose(new File([book], 'coupons.xlsx'));
  await screen.findByText('coupons.xlsx: We found no rows in it.');
  screen.getByText('Hidden sheets: “Mine”.');
});

it('refuses a workbook that cannot be read with a sentence', async () => {
  await choose(new File(['PK'], 'coupons.xlsx'));
  await screen.findByText(/^coupons.xlsx: We cannot read this workbook/);
});
