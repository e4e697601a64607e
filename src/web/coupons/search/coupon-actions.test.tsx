import { fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Coupon } from '#contract/coupons/coupons.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createUser } from '#tests/support/builders.ts';
import { STORED } from '#tests/support/web/coupon-form.tsx';
import { renderWithServer } from '#tests/support/web/server.tsx';
import { ReportButton } from '#web/oversight/moderation/report-button.tsx';
import { DealActions } from './coupon-actions.tsx';

const server = setUpApp();

it('the keyboard finds the five buttons of a ticket as one group', async () => {
  const nothing = () => {};
  const coupon: Coupon = { ...STORED, ownerId: 2, isOpenToOffers: true, hasCode: true };
  renderWithServer(
    server,
    await createUser(server.ctx),
    <DealActions
      coupon={coupon}
      onExchange={nothing}
      onBid={nothing}
      onValidate={nothing}
      report={<ReportButton userId={2} username="tom" isIcon />}
    />,
  );
  const group = screen.getByRole('toolbar', { name: `Actions for ${coupon.title}` });
  const buttons = screen.getAllByRole('button');
  expect(buttons.every((button) => group.contains(button))).toBe(true);
  const stops = () => buttons.map(({ tabIndex }) => tabIndex);
  expect(stops()).toEqual([0, -1, -1, -1, -1]);
  const focused = () => buttons.findIndex((button) => button.matches(':focus'));
  buttons[0]?.focus();
  const seen = ['ArrowRight', 'End', 'ArrowRight', 'ArrowLeft', 'ArrowLeft', 'Home'].map((key) => {
    fireEvent.keyDown(document.activeElement ?? document.body, { key });
    return focused();
  });
  expect(seen).toEqual([1, 4, 0, 4, 3, 0]);
  buttons[2]?.focus();
  expect(stops()).toEqual([-1, -1, 0, -1, -1]);
});
