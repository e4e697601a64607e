import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { TRPCClientError } from '@trpc/client';
import { describe, expect, it } from 'vitest';
import { TEXTS } from '#contract/base/texts.ts';
import { STORED, setUpCouponForm } from '#tests/support/web/coupon-form.tsx';

const { open, field, type, category, submit, verdict, fillIn, refusal } = setUpCouponForm();

describe('adding a coupon', () => {
  it('sends the typed values, in hundredths [spec/1 5.10]', async () => {
    const { onSubmit } = open();
    fillIn();
    type(/^Coupon code/, 'SHEAR-1');
    submit('Validate');
    await verdict();
    submit('Add coupon');
    expect(onSubmit.mock.calls).toMatchObject([
      [
        {
          title: 'Ten off a haircut',
          merchant: 'Shear Joy',
          category: 'services',
          value: 1_050,
          discountType: 'fixed',
          hasNoExpiry: true,
          description: 'Any cut, any day but Sunday',
          codeValue: 'SHEAR-1',
        },
      ],
    ]);
  });

  it('sends nothing while a field is invalid, and focuses the first one', () => {
    const { onSubmit } = open();
    type(/^Title/, 'Ten off a haircut');
    submit('Add coupon');
    expect(onSubmit).not.toHaveBeenCalled();
    expect(screen.getByText('Choose a category')).toBeTruthy();
    expect(document.activeElement).toBe(field(/^Merchant/));
  });

  it('asks once for the PIN of a gift card, and adds it with or without one', async () => {
    const { onSubmit } = open();
    fillIn();
    type(/^Title/, 'A gift card for haircuts');
    type(/^Coupon code/, 'SHEAR-1');
    submit('Validate');
    await verdict();
    submit('Add coupon');
    expect(onSubmit).not.toHaveBeenCalled();
    screen.getByText('Many gift cards have a PIN. Enter it, or add the coupon without one.');
    expect(document.activeElement).toBe(field(/^PIN/));
    submit('Add coupon');
    expect(onSubmit.mock.lastCall?.[0].pin).toBeUndefined();
    type(/^PIN/, ' 4471 ');
    submit('Add coupon');
    expect(onSubmit.mock.lastCall?.[0]).toMatchObject({ codeValue: 'SHEAR-1', pin: '4471' });
  });

  it('shows a preview of the ticket', () => {
    open();
    type(/^Title/, 'Ten off');
    type(/^Value/, '10');
    const ticket = screen.getByRole('complementary', { name: 'Preview' }).textContent;
    expect(ticket).toContain('Ten off');
    expect(ticket).toContain('$10.00CAD off');
    fireEvent.click(screen.getByLabelText('Percentage'));
    expect(screen.getByRole('complementary', { name: 'Preview' }).textContent).toContain('10.00%off');
  });

  it('reports when there are unsaved changes, and when there are none any more', async () => {
    const { onDirtyChange } = open();
    type(/^Title/, 'x');
    await waitFor(() => expect(onDirtyChange).toHaveBeenLastCalledWith(true));
    type(/^Title/, '');
    await waitFor(() => expect(onDirtyChange).toHaveBeenLastCalledWith(false));
  });
});

describe('a coupon that is not added yet', () => {
  it('is offered again after a reload, without its code [decisions 6.0.3]', () => {
    open();
    fillIn();
    type(/^Coupon code/, 'SHEAR-1');
    type(/^PIN/, '4471');
    expect(Object.values(sessionStorage).join()).not.toMatch(/SHEAR-1|4471/);
    cleanup();
    open();
    screen.getByText('We kept what you typed earlier. We did not keep the code.');
    expect(field(/^Title/).value).toBe('Ten off a haircut');
    expect(category().value).toBe('Services');
    expect(field(/^No expiry/).checked).toBe(true);
    expect(field(/^Coupon code/).value).toBe('');
  });

  it('is not offered where a coupon is edited, and its changes are no draft', () => {
    open();
    type(/^Title/, 'Ten off a haircut');
    cleanup();
    open({ coupon: STORED });
    expect(screen.queryByText(/typed earlier/)).toBeNull();
    type(/^Title/, 'A cut for less');
    cleanup();
    open();
    expect(field(/^Title/).value).toBe('Ten off a haircut');
  });
});

describe('a refusal of the server', () => {
  it('is shown at its field, which takes the focus, and the typed values stay', () => {
    const { refuse } = open({ coupon: STORED });
    type(/^Coupon code/, 'TAKEN');
    refuse(refusal('codeValue', TEXTS.coupons.alreadyListed()));
    const code = field(/^Coupon code/);
    expect(screen.getByText(TEXTS.coupons.alreadyListed())).toBeTruthy();
    expect(code.getAttribute('aria-invalid')).toBe('true');
    expect(document.activeElement).toBe(code);
    expect(code.value).toBe('TAKEN');
  });

  it('without a field is shown above the buttons, with the server’s text or a fallback [spec/1 8.9]', () => {
    const { refuse } = open();
    refuse(refusal('', 'You are too fast'));
    expect(screen.getByRole('alert').textContent).toBe('You are too fast');
    const wire = { error: 'Something went wrong on our side.', code: 'internal' };
    refuse(TRPCClientError.from({ error: { message: '', code: -1, data: { httpStatus: 500, wire } } }));
    expect(screen.getByRole('alert').textContent).toBe('That did not work.');
  });

  it('disappears when the field changes', () => {
    const { refuse } = open({ coupon: STORED });
    refuse(refusal('codeValue', TEXTS.coupons.alreadyListed()));
    type(/^Coupon code/, 'ANOTHER');
    expect(screen.queryByText(TEXTS.coupons.alreadyListed())).toBeNull();
  });
});

describe('editing a coupon', () => {
  it('starts with the stored values, and does not send a blank code [spec/1 2.13] [decisions 3.15.26]', () => {
    const { onSubmit } = open({ coupon: STORED });
    expect(field(/^Value/).value).toBe('12.50');
    expect(field(/^Coupon code/).value).toBe('');
    type(/^Title/, 'A cut for less');
    fireEvent.click(field(/^Open to exchanges/));
    submit('Save changes');
    // As it goes over the wire.
    const { codeValue, ...payload } = JSON.parse(JSON.stringify(onSubmit.mock.lastCall?.[0]));
    expect(codeValue).toBeUndefined();
    expect(STORED).toMatchObject({ ...payload, title: STORED.title, isOpenToOffers: false });
    expect(payload).toMatchObject({ title: 'A cut for less', isOpenToOffers: true });
  });
});
