import { act, fireEvent, screen } from '@testing-library/react';
import { TRPCClientError } from '@trpc/client';
import { useState } from 'react';
import { afterEach, beforeAll, expect, vi } from 'vitest';
import type { ErrorCode } from '#contract/base/errors.ts';
import type { Coupon } from '#contract/coupons/coupons.ts';
import type { Actor } from '#server/context/context.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createUser } from '#tests/support/builders.ts';
import { CouponForm } from '#web/coupons/publishing/coupon-form.tsx';
import type { Sheet } from '#web/coupons/validations/sheet.ts';
import { answerOf, aVerdict } from './builders.ts';
import { type Intercept, renderWithServer } from './server.tsx';

export const STORED: Coupon = {
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
  isValueRead: false,
  regions: [],
  transferable: 'unknown',
  terms: 'By appointment',
  sourceUrl: null,
  imageUrl: null,
  isVerified: false,
  health: null,
  checkedAt: null,
  isActive: true,
  usedAt: null,
  isWaiting: false,
  isReserved: false,
  isOpenToOffers: false,
  askingPrice: null,
  priceFloor: null,
  isSaved: false,
  ownerId: 1,
  ownerUsername: 'mia',
  hasCode: true,
  reissuedAt: null,
  isReissuable: false,
  codePreview: 'SHEAR12345',
  qrCodeUrl: '/api/coupons/5/qrcode',
  barcodeUrl: null,
  drawnQrCodeUrl: null,
  drawnBarcodeUrl: '/api/coupons/5/barcode',
  createdAt: '2026-01-01T00:00:00.000Z',
  ownerRating: null,
  updatedAt: '2026-01-01T00:00:00.000Z',
};

/** A server with one person, and what the form for a coupon shows. */
export function setUpCouponForm() {
  const server = setUpApp();
  const me = {} as Actor;

  beforeAll(async () => {
    Object.assign(me, await createUser(server.ctx));
  });
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  function open(given: { coupon?: Coupon; intercept?: Intercept } = {}) {
    const onSubmit = vi.fn();
    const onDirtyChange = vi.fn();
    let refuse = (_error: unknown) => {};
    function Form() {
      const [error, setError] = useState<unknown>(null);
      const [sheet, setSheet] = useState<Sheet | null>(null);
      refuse = setError;
      return (
        <CouponForm
          coupon={given.coupon}
          sheet={sheet}
          onSheet={setSheet}
          error={error}
          failText="That did not work."
          onDirtyChange={onDirtyChange}
          onSubmit={onSubmit}
        />
      );
    }
    renderWithServer(server, me, <Form />, { intercept: given.intercept });
    return { onSubmit, onDirtyChange, refuse: (error: unknown) => act(() => refuse(error)) };
  }

  const field = (label: RegExp) => screen.getByLabelText<HTMLInputElement>(label);
  const type = (label: RegExp, value: string) => fireEvent.change(field(label), { target: { value } });
  // Its list of options has the same label.
  const category = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Category' });
  const submit = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

  const verdict = () => screen.findByRole('region', { name: 'Validation result' });
  const judged =
    (given: Parameters<typeof aVerdict>[0] = {}): Intercept =>
    (procedure) =>
      procedure === 'coupons.validate' ? answerOf(aVerdict(given)) : undefined;

  async function toast(title: string, text: string) {
    await screen.findByText(title);
    expect(screen.getAllByText(text).length).toBeGreaterThan(0);
  }

  /** Fills in all required fields except the code. */
  function fillIn() {
    type(/^Title/, 'Ten off a haircut');
    type(/^Merchant/, 'Shear Joy');
    fireEvent.click(category());
    fireEvent.click(screen.getByRole('option', { name: 'Services', hidden: true }));
    type(/^Value/, '10.50');
    fireEvent.click(field(/^No expiry/));
    type(/^Description/, 'Any cut, any day but Sunday');
  }

  function refusal(path: string, message: string, code: ErrorCode = 'code_listed') {
    const wire = { error: message, code, issues: [{ path, message }] };
    return TRPCClientError.from({ error: { message, code: -32_009, data: { httpStatus: 409, wire } } });
  }

  return {
    server,
    me,
    open,
    field,
    type,
    category,
    submit,
    verdict,
    judged,
    toast,
    fillIn,
    refusal,
  };
}
