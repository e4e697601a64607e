import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { TRPCClientError } from '@trpc/client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Coupon } from '#contract/coupons.ts';
import { TEXTS } from '#contract/texts.ts';
import { renderFor, somebody } from '#web/testing/render.tsx';
import { CouponForm } from './coupon-form.tsx';

afterEach(cleanup);

const ME = somebody();

const STORED: Coupon = {
  id: 5,
  title: 'Ten off a haircut',
  description: 'Any cut, any day but Sunday',
  merchant: 'Shear Joy',
  category: 'services',
  value: 1_250,
  discountType: 'percentage',
  expiryDate: null,
  hasNoExpiry: true,
  expiresAt: null,
  terms: 'By appointment',
  sourceUrl: null,
  isVerified: false,
  isActive: true,
  isReserved: false,
  ownerId: ME.id,
  ownerUsername: ME.username,
  hasCode: true,
  codePreview: 'SHEAR12345',
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
};

function open(given: { coupon?: Coupon; error?: unknown } = {}) {
  const onSubmit = vi.fn();
  const onDirtyChange = vi.fn();
  const form = (error: unknown) => (
    <CouponForm
      coupon={given.coupon}
      isPending={false}
      error={error}
      failText="That did not work."
      onDirtyChange={onDirtyChange}
      onSubmit={onSubmit}
      onCancel={() => {}}
    />
  );
  const { rerender } = renderFor(ME, form(null));
  return { onSubmit, onDirtyChange, refuse: (error: unknown) => rerender(form(error)) };
}

const field = (label: RegExp) => screen.getByLabelText<HTMLInputElement>(label);
const type = (label: RegExp, value: string) => fireEvent.change(field(label), { target: { value } });
// The list that it opens bears the same label.
const category = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Category' });
const submit = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

function refusal(path: string, message: string) {
  const wire = { error: message, code: 'code_listed', issues: [{ path, message }] };
  return TRPCClientError.from({ error: { message, code: -32_009, data: { httpStatus: 409, wire } } });
}

describe('adding', () => {
  it('sends what is typed, in hundredths', () => {
    const { onSubmit } = open();
    type(/^Title/, 'Ten off a haircut');
    type(/^Merchant/, 'Shear Joy');
    fireEvent.click(category());
    fireEvent.click(screen.getByRole('option', { name: 'Services', hidden: true }));
    type(/^Value/, '10.50');
    fireEvent.click(field(/^No expiry/));
    type(/^Description/, 'Any cut, any day but Sunday');
    type(/^Coupon code/, 'SHEAR-1');
    submit('Add coupon');
    expect(onSubmit).toHaveBeenCalledExactlyOnceWith({
      title: 'Ten off a haircut',
      merchant: 'Shear Joy',
      category: 'services',
      value: 1_050,
      discountType: 'fixed',
      hasNoExpiry: true,
      description: 'Any cut, any day but Sunday',
      terms: null,
      codeValue: 'SHEAR-1',
    });
  });

  it('sends nothing while something is wrong, and goes to the first field at fault', () => {
    const { onSubmit } = open();
    type(/^Title/, 'Ten off a haircut');
    submit('Add coupon');
    expect(onSubmit).not.toHaveBeenCalled();
    expect(screen.getByText('Choose a category')).toBeTruthy();
    expect(document.activeElement).toBe(field(/^Merchant/));
  });

  it('shows the ticket that it makes', () => {
    open();
    type(/^Title/, 'Ten off');
    type(/^Value/, '10');
    const ticket = screen.getByRole('complementary', { name: 'Preview' }).textContent;
    expect(ticket).toContain('Ten off');
    expect(ticket).toContain('$10.00CAD off');
    fireEvent.click(screen.getByLabelText('Percentage'));
    expect(screen.getByRole('complementary', { name: 'Preview' }).textContent).toContain('10.00%off');
  });

  it('tells that there is something to lose, and when there is not any more', async () => {
    const { onDirtyChange } = open();
    type(/^Title/, 'x');
    await waitFor(() => expect(onDirtyChange).toHaveBeenLastCalledWith(true));
    type(/^Title/, '');
    await waitFor(() => expect(onDirtyChange).toHaveBeenLastCalledWith(false));
  });
});

describe('a refusal of the server', () => {
  it('stands at its field, takes the focus there, and nothing typed is lost', () => {
    const { refuse } = open({ coupon: STORED });
    type(/^Coupon code/, 'TAKEN');
    refuse(refusal('codeValue', TEXTS.coupons.alreadyListed));
    const code = field(/^Coupon code/);
    expect(screen.getByText(TEXTS.coupons.alreadyListed)).toBeTruthy();
    expect(code.getAttribute('aria-invalid')).toBe('true');
    expect(document.activeElement).toBe(code);
    expect(code.value).toBe('TAKEN');
  });

  it('that no field is to blame for stands above the buttons, in the server’s words or in ours', () => {
    const { refuse } = open();
    refuse(refusal('', 'You are too fast'));
    expect(screen.getByRole('alert').textContent).toBe('You are too fast');
    const wire = { error: 'Something went wrong on our side.', code: 'internal' };
    refuse(TRPCClientError.from({ error: { message: '', code: -1, data: { httpStatus: 500, wire } } }));
    expect(screen.getByRole('alert').textContent).toBe('That did not work.');
  });

  it('goes once the field is changed', () => {
    const { refuse } = open({ coupon: STORED });
    refuse(refusal('codeValue', TEXTS.coupons.alreadyListed));
    type(/^Coupon code/, 'ANOTHER');
    expect(screen.queryByText(TEXTS.coupons.alreadyListed)).toBeNull();
  });
});

describe('editing', () => {
  it('starts from what is stored, and a blank code is not sent', () => {
    const { onSubmit } = open({ coupon: STORED });
    expect(field(/^Value/).value).toBe('12.50');
    expect(field(/^Coupon code/).value).toBe('');
    type(/^Title/, 'A cut for less');
    submit('Save changes');
    expect(onSubmit).toHaveBeenCalledExactlyOnceWith({
      title: 'A cut for less',
      merchant: 'Shear Joy',
      category: 'services',
      value: 1_250,
      discountType: 'percentage',
      hasNoExpiry: true,
      description: 'Any cut, any day but Sunday',
      terms: 'By appointment',
    });
  });

  it('of a public code leaves its category alone', () => {
    const { onSubmit } = open({ coupon: { ...STORED, category: 'scraped' } });
    expect(category().disabled).toBe(true);
    expect(category().value).toBe('Found online');
    submit('Save changes');
    expect(onSubmit).toHaveBeenCalledOnce();
  });
});
