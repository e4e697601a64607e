import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { TRPCClientError } from '@trpc/client';
import { useState } from 'react';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Coupon } from '#contract/coupons.ts';
import { TEXTS } from '#contract/texts.ts';
import type { Actor } from '#server/domains/context.ts';
import { createTestApp, type TestApp } from '#server/testing/app.ts';
import { createUser } from '#server/testing/builders.ts';
import { answerOf, aVerdict } from '#web/testing/builders.ts';
import { brokenAnswer, type Intercept, renderWithServer } from '#web/testing/server.tsx';
import { injectUploads } from '#web/testing/uploads.ts';
import { CouponForm } from './coupon-form.tsx';

let server: TestApp;
let me: Actor;

beforeAll(async () => {
  server = await createTestApp();
  me = await createUser(server.ctx);
});
afterAll(() => server.close());
afterEach(() => {
  vi.unstubAllGlobals();
});

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
  isSaved: false,
  ownerId: 1,
  ownerUsername: 'mia',
  hasCode: true,
  codePreview: 'SHEAR12345',
  qrCodeUrl: '/api/coupons/5/qrcode',
  barcodeUrl: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
};

function open(given: { coupon?: Coupon; intercept?: Intercept } = {}) {
  const onSubmit = vi.fn();
  const onDirtyChange = vi.fn();
  let refuse = (_error: unknown) => {};
  function Form() {
    const [error, setError] = useState<unknown>(null);
    refuse = setError;
    return (
      <CouponForm
        coupon={given.coupon}
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

function refusal(path: string, message: string) {
  const wire = { error: message, code: 'code_listed', issues: [{ path, message }] };
  return TRPCClientError.from({ error: { message, code: -32_009, data: { httpStatus: 409, wire } } });
}

describe('adding a coupon', () => {
  it('sends the typed values, in hundredths', async () => {
    const { onSubmit } = open();
    fillIn();
    type(/^Coupon code/, 'SHEAR-1');
    submit('Validate');
    await verdict();
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

  it('sends nothing while a field is invalid, and focuses the first one', () => {
    const { onSubmit } = open();
    type(/^Title/, 'Ten off a haircut');
    submit('Add coupon');
    expect(onSubmit).not.toHaveBeenCalled();
    expect(screen.getByText('Choose a category')).toBeTruthy();
    expect(document.activeElement).toBe(field(/^Merchant/));
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

describe('a code', () => {
  it.each([
    ['', 'Shear Joy'],
    ['SHEAR-1', ''],
  ])('%j of %j cannot be validated', async (code, merchant) => {
    open();
    type(/^Merchant/, merchant);
    type(/^Coupon code/, code);
    submit('Validate');
    await toast(TEXTS.validation.missingInformation, TEXTS.validation.bothRequired);
  });

  it('is not submitted before it is validated', async () => {
    const { onSubmit } = open();
    fillIn();
    type(/^Coupon code/, 'SHEAR-1');
    submit('Add coupon');
    await toast(TEXTS.validation.requiredTitle, TEXTS.validation.requiredText);
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Validate' }));
    expect(onSubmit).not.toHaveBeenCalled();
  });

  it.each([
    ['code', /^Coupon code/, 'SHEAR-2'],
    ['merchant', /^Merchant/, 'Shear Bliss'],
  ])('has to be validated again when the %s changes', async (_, label, value) => {
    const { onSubmit } = open({ intercept: judged() });
    fillIn();
    type(/^Coupon code/, 'SHEAR-1');
    submit('Validate');
    await verdict();
    type(label, value);
    expect(screen.queryByRole('region', { name: 'Validation result' })).toBeNull();
    submit('Add coupon');
    await screen.findByText(TEXTS.validation.requiredTitle);
    expect(onSubmit).not.toHaveBeenCalled();
  });

  it('that is not valid is added only after a confirmation', async () => {
    const message = 'This code has been used.';
    const { onSubmit } = open({ intercept: judged({ valid: false, message, error: message }) });
    fillIn();
    type(/^Coupon code/, 'SHEAR-1');
    submit('Validate');
    await toast(TEXTS.validation.invalidTitle, message);
    submit('Add coupon');
    const question = await screen.findByRole('dialog', { name: 'Add it anyway?' });
    fireEvent.click(within(question).getByRole('button', { name: 'Go back' }));
    expect(onSubmit).not.toHaveBeenCalled();
    submit('Add coupon');
    fireEvent.click(await screen.findByRole('button', { name: 'Add anyway' }));
    expect(onSubmit).toHaveBeenCalledOnce();
  });

  it('validated offline says so', async () => {
    open({ intercept: judged({ validatedWith: 'voucherify-offline' }) });
    type(/^Merchant/, 'Shear Joy');
    type(/^Coupon code/, 'SHEAR-1');
    submit('Validate');
    await verdict();
    expect(screen.getAllByText(TEXTS.validation.offlineTitle)).toHaveLength(2);
    expect(screen.getAllByText(TEXTS.validation.offlineText)).toHaveLength(2);
  });

  it('stays unvalidated when the validation fails', async () => {
    open({ intercept: (procedure) => (procedure === 'coupons.validate' ? brokenAnswer() : undefined) });
    type(/^Merchant/, 'Shear Joy');
    type(/^Coupon code/, 'SHEAR-1');
    submit('Validate');
    await toast(TEXTS.validation.errorTitle, TEXTS.validation.failed);
    expect(screen.queryByRole('region', { name: 'Validation result' })).toBeNull();
  });
});

describe('a picture of the code', () => {
  const PICTURE = `/api/images/${'a'.repeat(22)}`;
  const UPLOADED = { status: 201, body: JSON.stringify({ url: PICTURE, filePath: PICTURE }) };
  const choose = (label: string) => {
    const file = new File(['x'], 'code.png', { type: 'image/png' });
    fireEvent.change(screen.getByLabelText(`${label}: file`), { target: { files: [file] } });
  };
  const reading = (...texts: string[]): Intercept => {
    const codes = texts.map((text) => ({ text, format: 'QRCode', position: [] }));
    const answer = { codeValue: texts[0] ?? null, codes };
    return (procedure) => (procedure === 'images.extractCode' ? answerOf(answer) : undefined);
  };
  const pictures = () => screen.queryAllByRole('img', { name: /^(Uploaded|Stored)/ });

  it('is shown and sent, and its code is offered for the code field', async () => {
    injectUploads(server, me, UPLOADED);
    const { onSubmit } = open({ intercept: reading('SHEAR-9') });
    fillIn();
    choose('QR code picture');
    fireEvent.click(await screen.findByRole('button', { name: 'Use this code: SHEAR-9' }));
    expect(field(/^Coupon code/).value).toBe('SHEAR-9');
    expect(pictures()).toHaveLength(1);
    type(/^Coupon code/, '');
    submit('Add coupon');
    expect(onSubmit.mock.calls[0]?.[0]).toMatchObject({ qrCodeUrl: PICTURE });
    expect(onSubmit.mock.calls[0]?.[0]).not.toHaveProperty('barcodeUrl');
  });

  it('without a readable code is kept until it is removed', async () => {
    injectUploads(server, me, UPLOADED);
    const { onSubmit } = open({ intercept: reading() });
    fillIn();
    choose('Barcode picture');
    await screen.findByText(/No code could be read/);
    fireEvent.click(screen.getByRole('button', { name: 'Remove' }));
    expect(pictures()).toHaveLength(0);
    submit('Add coupon');
    expect(onSubmit.mock.calls[0]?.[0]).not.toHaveProperty('barcodeUrl');
  });

  it.each([
    ['QR code picture', TEXTS.images.qrUploadFailed],
    ['Barcode picture', TEXTS.images.barcodeUploadFailed],
  ])('%s that is not stored shows %s', async (label, text) => {
    injectUploads(server, me, { status: 500, body: '' });
    open();
    choose(label);
    await toast(TEXTS.images.uploadFailedTitle, text);
  });

  it('that is stored is shown only on a press, and can be removed', () => {
    const { onSubmit } = open({ coupon: STORED });
    expect(pictures()).toHaveLength(0);
    submit('Show');
    expect(pictures().map((picture) => picture.getAttribute('src'))).toEqual(['/api/coupons/5/qrcode']);
    submit('Remove');
    submit('Keep it');
    submit('Remove');
    submit('Save changes');
    expect(onSubmit.mock.calls[0]?.[0]).toMatchObject({ qrCodeUrl: null });
  });
});

describe('a refusal of the server', () => {
  it('is shown at its field, which takes the focus, and the typed values stay', () => {
    const { refuse } = open({ coupon: STORED });
    type(/^Coupon code/, 'TAKEN');
    refuse(refusal('codeValue', TEXTS.coupons.alreadyListed));
    const code = field(/^Coupon code/);
    expect(screen.getByText(TEXTS.coupons.alreadyListed)).toBeTruthy();
    expect(code.getAttribute('aria-invalid')).toBe('true');
    expect(document.activeElement).toBe(code);
    expect(code.value).toBe('TAKEN');
  });

  it('without a field is shown above the buttons, with the server’s text or a fallback', () => {
    const { refuse } = open();
    refuse(refusal('', 'You are too fast'));
    expect(screen.getByRole('alert').textContent).toBe('You are too fast');
    const wire = { error: 'Something went wrong on our side.', code: 'internal' };
    refuse(TRPCClientError.from({ error: { message: '', code: -1, data: { httpStatus: 500, wire } } }));
    expect(screen.getByRole('alert').textContent).toBe('That did not work.');
  });

  it('disappears when the field changes', () => {
    const { refuse } = open({ coupon: STORED });
    refuse(refusal('codeValue', TEXTS.coupons.alreadyListed));
    type(/^Coupon code/, 'ANOTHER');
    expect(screen.queryByText(TEXTS.coupons.alreadyListed)).toBeNull();
  });
});

describe('editing a coupon', () => {
  it('starts with the stored values, and does not send a blank code', () => {
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

  it('keeps the category of a public code', () => {
    const { onSubmit } = open({ coupon: { ...STORED, category: 'scraped' } });
    expect(category().disabled).toBe(true);
    expect(category().value).toBe('Found online');
    submit('Save changes');
    expect(onSubmit).toHaveBeenCalledOnce();
  });
});
