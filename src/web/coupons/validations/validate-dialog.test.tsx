import { notifications } from '@mantine/notifications';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { TEXTS } from '#contract/base/texts.ts';
import type { Coupon } from '#contract/coupons/coupons.ts';
import type { Actor } from '#server/context/context.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createCoupon, createUser } from '#tests/support/builders.ts';
import { press } from '#tests/support/web/acts.ts';
import { answerOf, aVerdict } from '#tests/support/web/builders.ts';
import { Opened } from '#tests/support/web/render.tsx';
import { brokenAnswer, type Intercept, renderWithServer } from '#tests/support/web/server.tsx';
import { Component as ValidateDialog } from './validate-dialog.tsx';

const server = setUpApp();
let me: Actor;
let theirs: Coupon;
let code: string;

beforeAll(async () => {
  const other = await createUser(server.ctx);
  me = await createUser(server.ctx);
  const made = await createCoupon(server.ctx, other, { merchant: 'Knit Nook' });
  code = String(made.code);
  theirs = (await server.trpc(me, 'query', 'coupons.byId', { id: made.id })).json().result.data;
});
beforeEach(() => notifications.clean());

const open = (answer?: () => Response) => {
  const intercept: Intercept = (procedure) => (procedure === 'coupons.validate' ? answer?.() : undefined);
  renderWithServer(
    server,
    me,
    <Opened>
      <ValidateDialog coupon={theirs} />
    </Opened>,
    { intercept },
  );
};
const box = () => screen.getByRole<HTMLInputElement>('checkbox', { name: /may check this code/ });
const validate = () => press('Validate');
const result = () => screen.findByRole('region', { name: 'Validation result' });

it('sends nothing before the box is ticked [spec/1 2.27]', async () => {
  let asked = 0;
  open(() => {
    asked += 1;
    return answerOf(aVerdict());
  });
  // The dialog takes the focus shortly after it opens.
  await waitFor(() => expect(screen.getByRole('dialog').contains(document.activeElement)).toBe(true));
  validate();
  await screen.findByText(TEXTS.validation.confirmationRequired());
  expect(document.activeElement).toBe(box());
  expect(asked).toBe(0);
  fireEvent.click(box());
  expect(screen.queryByText(TEXTS.validation.confirmationRequired())).toBeNull();
  validate();
  await result();
  expect(asked).toBe(1);
});

it('shows the verdict without the code, and the server stores the confirmation', async () => {
  open();
  fireEvent.click(box());
  validate();
  const verdict = await result();
  expect(within(verdict).getByText(/^(Not confirmed|Not valid)$/)).toBeTruthy();
  expect(document.body.textContent).not.toContain(code);
  const [row] = await server.ctx.db.selectFrom('validations').selectAll().execute();
  expect(row?.couponId).toBe(theirs.id);
  expect(row?.disclaimer).toContain('no promise by ClipSwap');
});

it('shows the reason for an invalid code [spec/1 8.7]', async () => {
  const message = 'This code has been used.';
  open(() => answerOf(aVerdict({ valid: false, message, error: message })));
  fireEvent.click(box());
  validate();
  await screen.findByText(TEXTS.validation.invalidTitle());
  expect(within(await result()).getByText(message)).toBeTruthy();
  expect(screen.getByText('Not valid')).toBeTruthy();
});

it("shows 'Failed to validate coupon' for an invalid code without a reason [spec/1 8.7]", async () => {
  open(() => answerOf(aVerdict({ valid: false, message: '' })));
  fireEvent.click(box());
  validate();
  await screen.findByText('Invalid Coupon');
  screen.getByText('Failed to validate coupon');
});

it('says that a code was validated offline [spec/1 4.6 8.16]', async () => {
  open(() => answerOf(aVerdict({ validatedWith: 'voucherify-offline' })));
  fireEvent.click(box());
  validate();
  expect(within(await result()).getByText(TEXTS.validation.offlineText())).toBeTruthy();
  expect(screen.getAllByText(TEXTS.validation.offlineTitle()).length).toBeGreaterThan(0);
});

it('says of a request that fails what spec/1 section 8 does [spec/1 8.8]', async () => {
  open(brokenAnswer);
  fireEvent.click(box());
  validate();
  await screen.findByText(TEXTS.validation.failed());
  expect(screen.getByText(TEXTS.validation.invalidTitle())).toBeTruthy();
  expect(screen.queryByText(TEXTS.validation.errorTitle())).toBeNull();
  expect(screen.getByText(TEXTS.validation.failedUnexpected())).toBeTruthy();
  expect(screen.queryByRole('region', { name: 'Validation result' })).toBeNull();
});
