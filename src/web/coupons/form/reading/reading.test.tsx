import { fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { StatedFacts } from '#contract/coupons/images.ts';
import { WAIT_MS } from '#tests/support/patience.ts';
import { press } from '#tests/support/web/acts.ts';
import { answerOf } from '#tests/support/web/builders.ts';
import { STORED, setUpCouponForm } from '#tests/support/web/coupon-form.tsx';
import { Opened } from '#tests/support/web/render.tsx';
import { brokenAnswer, type Intercept, renderWithServer } from '#tests/support/web/server.tsx';
import { injectUploads } from '#tests/support/web/uploads.ts';
import { Component as CouponDialog } from '#web/coupons/publishing/coupon-dialog.tsx';

const { server, me, field, category, submit, verdict, judged, type } = setUpCouponForm();

const PICTURE = `/api/images/${'r'.repeat(22)}`;
const FACTS: StatedFacts = {
  merchant: 'Shear Joy',
  category: 'services',
  title: '20% off any cut',
  worth: { value: 2_000, discountType: 'percentage' },
  expiryDate: '2031-05-24',
  hasNoExpiry: false,
  terms: null,
  doubtful: ['expiryDate'],
};
const MARK = 'Read from the picture';

/** Opens the dialog; the server reads this from every picture. */
function open(facts: StatedFacts | null, ...formats: string[]) {
  const added: unknown[] = [];
  const codes = formats.map((format, at) => ({ text: `SHEAR-${at}`, format, position: [] }));
  const intercept: Intercept = (procedure, input) => {
    if (procedure === 'images.extractCode') return answerOf({ codeValue: codes[0]?.text ?? null, codes });
    if (procedure === 'images.extractFacts') return facts ? answerOf(facts) : brokenAnswer();
    if (procedure !== 'coupons.create') return judged()(procedure, input);
    added.push(input);
    return answerOf(STORED);
  };
  renderWithServer(
    server,
    me,
    <Opened>
      <CouponDialog onClose={vi.fn()} />
    </Opened>,
    { intercept, hasDataRouter: true },
  );
  return added;
}

async function choosePicture() {
  injectUploads(server, me, { status: 201, body: JSON.stringify({ url: PICTURE, filePath: PICTURE }) });
  const files = [new File(['x'], 'coupon.png', { type: 'image/png' })];
  fireEvent.change(await screen.findByLabelText('Picture of the coupon: file'), { target: { files } });
  await screen.findByText(/^We (filled in|could not read)/);
}

it('a picture fills the form, and its coupon is added without typing', async () => {
  const added = open(FACTS, 'Code128');
  await choosePicture();
  await verdict();
  submit('Add coupon');
  await vi.waitFor(() => expect(added).toHaveLength(1), WAIT_MS);
  expect(added).toMatchObject([
    {
      ...{ title: '20% off any cut', merchant: 'Shear Joy', category: 'services', value: 2_000 },
      ...{ discountType: 'percentage', expiryDate: '2031-05-24', codeValue: 'SHEAR-0', barcodeUrl: PICTURE },
      description: '20% off any cut at Shear Joy.',
    },
  ]);
  expect(added[0]).not.toHaveProperty('qrCodeUrl');
});

it('what was read says so until it is changed, and what is doubtful asks to be checked', async () => {
  open(FACTS, 'QRCode');
  await choosePicture();
  const said = (label: RegExp) => {
    const ids = field(label).getAttribute('aria-describedby')?.split(' ') ?? [];
    return ids.map((id) => document.getElementById(id)?.textContent ?? '').join();
  };
  expect(said(/^Title/)).toBe(MARK);
  expect(said(/^Expiry date/)).toBe(`${MARK}. Please check it`);
  type(/^Title/, 'A cut for less');
  expect(said(/^Title/)).toBe('');
  expect(field(/^Description/).value).toBe('A cut for less at Shear Joy.');
  type(/^Description/, 'Any cut on Mondays');
  type(/^Merchant/, 'Shear Bliss');
  expect(field(/^Description/).value).toBe('Any cut on Mondays');
});

it('the kind of the symbol is found, not asked', async () => {
  open(FACTS, 'QRCode');
  await choosePicture();
  expect(screen.getByRole('group', { name: 'QR code picture' })).toBeTruthy();
  expect(screen.queryByRole('group', { name: 'Barcode picture' })).toBeNull();
});

it('a picture without a symbol is kept, with the code in its words, which is to be checked', async () => {
  const added = open({ ...FACTS, printedCode: 'OWL-7431' });
  await choosePicture();
  expect(screen.getAllByRole('group', { name: /picture/i })).toHaveLength(2);
  expect(field(/^Coupon code/).value).toBe('OWL-7431');
  await verdict();
  submit('Add coupon');
  const kept = { qrCodeUrl: PICTURE, codeValue: 'OWL-7431' };
  await vi.waitFor(() => expect(added).toMatchObject([kept]), WAIT_MS);
});

it('a picture whose text cannot be read leaves the typing to the person, with the code', async () => {
  open(null, 'QRCode');
  await choosePicture();
  screen.getByText(/^We could not read the text of this picture/);
  expect([/^Title/, /^Coupon code/].map((label) => field(label).value)).toEqual(['', 'SHEAR-0']);
});

it('a form begins with its picture, which is optional: what was typed before stays', async () => {
  open({ ...FACTS, doubtful: [] }, 'QRCode');
  const [first, ...others] = screen.getAllByRole('group', { name: /picture/i });
  expect(first?.textContent).toMatch(/^Picture of the couponOptional\./);
  expect(others.map((field) => field.querySelector('legend')?.textContent)).toEqual([
    'Picture of the offer',
    'QR code picture',
    'Barcode picture',
  ]);
  expect(category().value).toBe('');
  type(/^Title/, 'A cut for less');
  await choosePicture();
  await verdict();
  expect([/^Title/, /^Merchant/, /^Coupon code/].map((label) => field(label).value)).toEqual([
    'A cut for less',
    'Shear Joy',
    'SHEAR-0',
  ]);
  expect(screen.queryByLabelText('Picture of the coupon: file')).toBeNull();
});

describe('on a phone', () => {
  const { innerWidth } = window;
  const setWidth = (width: number) => Reflect.get(window, 'happyDOM').setViewport({ width });
  beforeEach(() => setWidth(390));
  afterEach(() => setWidth(innerWidth));

  it('a coupon begins with its picture; the form is one press away, and said to be', () => {
    open(FACTS);
    screen.getByLabelText('Picture of the coupon: photo');
    screen.getByText(/Or fill in the form yourself\./);
    expect(screen.queryByLabelText(/^Title/)).toBeNull();
    press('Fill in the form yourself');
    expect(field(/^Title/).value).toBe('');
    expect(screen.queryByLabelText('Picture of the coupon: file')).toBeNull();
  });
});

it('price, countries and terms are behind More, unless one has a value or an error', async () => {
  open({ ...FACTS, terms: null });
  const more = () => screen.getByRole('button', { name: /^More/ }).getAttribute('aria-expanded');
  expect(more()).toBe('false');
  fireEvent.click(screen.getByRole('button', { name: /^More/ }));
  expect(more()).toBe('true');
  fireEvent.click(screen.getByRole('button', { name: /^More/ }));
  type(/^Asking price/, 'much');
  fireEvent.click(screen.getByRole('button', { name: /^More/ }));
  submit('Add coupon');
  await vi.waitFor(() => expect(more()).toBe('true'), WAIT_MS);
});
