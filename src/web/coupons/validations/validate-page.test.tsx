import { createEvent, fireEvent, screen, within } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TEXTS } from '#contract/base/texts.ts';
import type { Actor } from '#server/context/context.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createUser } from '#tests/support/builders.ts';
import { address } from '#tests/support/web/acts.ts';
import { answerOf, aVerdict } from '#tests/support/web/builders.ts';
import { brokenAnswer, renderWithServer } from '#tests/support/web/server.tsx';
import { injectUploads } from '#tests/support/web/uploads.ts';
import { forgetDraft } from '#web/lib/validation-draft.ts';
import { ViewerProvider } from '#web/lib/viewer.tsx';
import { Component as ValidateCouponPage } from '#web/pages/validate-coupon.tsx';

const server = setUpApp();
let me: Actor;

beforeEach(async () => {
  me = await createUser(server.ctx);
});
afterEach(() => {
  forgetDraft();
});

const PICTURE = `/api/images/${'a'.repeat(22)}`;
const UPLOADED = { status: 201, body: JSON.stringify({ url: PICTURE, filePath: PICTURE }) };
const CORNERS = [0, 1, 2, 3].map(() => ({ x: 0, y: 0 }));
const found = (...texts: string[]) => ({
  codeValue: texts[0] ?? null,
  codes: texts.map((text) => ({ text, format: 'QRCode', position: CORNERS })),
});

/** Renders the page. Returns the requests in order; `answers` replace those of the providers. */
function show(answers: Record<string, () => Response> = {}, { isSignedIn = true } = {}) {
  const asked: string[] = [];
  const page = (
    <Routes>
      <Route path="/validate-coupon" element={<ValidateCouponPage />} />
      <Route path="*" element={<p>elsewhere</p>} />
    </Routes>
  );
  const intercept = (procedure: string) => {
    asked.push(procedure);
    return answers[procedure]?.();
  };
  const options = { address: '/validate-coupon', intercept };
  const visitor = <ViewerProvider viewer={{ user: null, isLoading: false }}>{page}</ViewerProvider>;
  renderWithServer(server, me, isSignedIn ? page : visitor, options);
  return { asked: (procedure: string) => asked.filter((name) => name === procedure).length };
}

const merchant = () => screen.getByLabelText<HTMLInputElement>(/^Merchant/);
const code = () => screen.getByLabelText<HTMLInputElement>(/^Coupon code/);
const type = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } });
const panel = () => screen.getByRole('tabpanel');
const press = (name: string) => fireEvent.click(within(panel()).getByRole('button', { name }));
const validate = () => press('Validate');
const result = () => screen.findByRole('region', { name: 'Validation result' });
const toast = async (title: string, text: string) => {
  await screen.findByText(title);
  expect(screen.getAllByText(text).length).toBeGreaterThan(0);
};

async function upload(tab: 'QR Code' | 'Barcode') {
  fireEvent.click(screen.getByRole('tab', { name: tab }));
  const file = new File(['x'], 'code.png', { type: 'image/png' });
  fireEvent.change(within(panel()).getByLabelText(/picture: file$/), { target: { files: [file] } });
  await within(panel()).findByRole('img', { name: /^Uploaded/ });
}

/** Types keys with a pause between them, in milliseconds. */
function typeKeys(target: Element, keys: readonly string[], pauseMs: number): void {
  for (const [at, key] of keys.entries()) {
    const event = createEvent.keyDown(target, { key });
    Object.defineProperty(event, 'timeStamp', { value: 1_000 + at * pauseMs });
    fireEvent(target, event);
  }
}

describe('a hand scanner', () => {
  it('types a code without any focus, and it is validated at once', async () => {
    const { asked } = show();
    type(merchant(), 'Knit Nook');
    fireEvent.click(screen.getByRole('tab', { name: 'Barcode' }));
    const keys = [...'WOOL-2026', 'Enter'];
    typeKeys(merchant(), keys, 5);
    typeKeys(document.body, keys, 200);
    expect(screen.getByRole('tab', { name: 'Barcode' }).getAttribute('aria-selected')).toBe('true');
    typeKeys(document.body, keys, 5);
    expect(within(await result()).getByText('WOOL-2026')).toBeTruthy();
    expect(code().value).toBe('WOOL-2026');
    expect(asked('coupons.validate')).toBe(1);
  });

  it('asks for the merchant where none is typed', async () => {
    const { asked } = show();
    typeKeys(document.body, [...'WOOL-2026', 'Enter'], 5);
    await screen.findByText(TEXTS.validation.enterMerchant());
    expect([code().value, document.activeElement]).toEqual(['WOOL-2026', merchant()]);
    expect(asked('coupons.validate')).toBe(0);
  });
});

describe('a typed code', () => {
  it('requires a merchant [spec/3 2.12 2.32]', async () => {
    const { asked } = show();
    type(code(), 'WOOL-2026');
    validate();
    await toast(TEXTS.validation.errorTitle(), TEXTS.validation.merchantMissing());
    expect(screen.getByText(TEXTS.validation.merchantRequired())).toBeTruthy();
    expect(document.activeElement).toBe(merchant());
    expect(asked('coupons.validate')).toBe(0);
  });

  it('is required [spec/3 2.12]', async () => {
    const { asked } = show();
    type(merchant(), 'Knit Nook');
    validate();
    await toast(TEXTS.validation.errorTitle(), TEXTS.validation.codeRequired());
    expect(document.activeElement).toBe(code());
    expect(asked('coupons.validate')).toBe(0);
  });

  it('is validated by the server, and is not called valid while it is unconfirmed [spec/1 7.12] [spec/3 2.31]', async () => {
    show();
    type(merchant(), 'Knit Nook');
    type(code(), 'WOOL-2026');
    validate();
    const verdict = await result();
    expect(within(verdict).getByText('Not confirmed')).toBeTruthy();
    expect(within(verdict).getByText('WOOL-2026')).toBeTruthy();
    expect(within(verdict).getByRole('list', { name: 'What was checked' })).toBeTruthy();
  });

  it('that is not valid shows the reason, and cannot be added [spec/3 2.33]', async () => {
    const message = 'This code has been used.';
    show({ 'coupons.validate': () => answerOf(aVerdict({ valid: false, message, error: message })) });
    type(merchant(), 'Knit Nook');
    type(code(), 'WOOL-2026');
    validate();
    await toast(TEXTS.validation.failedTitle(), message);
    expect(screen.getByText('Not valid')).toBeTruthy();
    expect(screen.queryByText('Add to My Coupons')).toBeNull();
  });

  it('that cannot be validated shows an error', async () => {
    show({ 'coupons.validate': brokenAnswer });
    type(merchant(), 'Knit Nook');
    type(code(), 'WOOL-2026');
    validate();
    await toast(TEXTS.validation.errorTitle(), TEXTS.validation.failed());
    expect(screen.queryByRole('region', { name: 'Validation result' })).toBeNull();
  });
});

describe('a picture', () => {
  it('has to be uploaded first', async () => {
    show();
    fireEvent.click(screen.getByRole('tab', { name: 'QR Code' }));
    validate();
    await toast(TEXTS.validation.errorTitle(), TEXTS.validation.imageRequired());
    press('Extract code');
    await toast(TEXTS.images.extractionFailedTitle(), TEXTS.validation.noImage());
  });

  it.each([
    ['QR Code', TEXTS.images.qrImageFailed()],
    ['Barcode', TEXTS.images.barcodeImageFailed()],
  ])('%s that is not stored shows %s [spec/3 2.17]', async (tab, text) => {
    show();
    injectUploads(server, me, { status: 500, body: '' });
    fireEvent.click(screen.getByRole('tab', { name: tab }));
    const file = new File(['x'], 'code.png', { type: 'image/png' });
    fireEvent.change(within(panel()).getByLabelText(/picture: file$/), { target: { files: [file] } });
    await toast(TEXTS.images.uploadFailedTitle(), text);
  });

  it('is refused unless it is an image [spec/3 2.34]', async () => {
    show();
    fireEvent.click(screen.getByRole('tab', { name: 'QR Code' }));
    const file = new File(['x'], 'code.txt', { type: 'text/plain' });
    fireEvent.change(within(panel()).getByLabelText(/picture: file$/), { target: { files: [file] } });
    await toast(
      TEXTS.images.uploadFailedTitle(),
      'Choose an image file: a photo, a screenshot, a scan, a PDF or a wallet pass.',
    );
  });

  it.each([
    ['QR Code', 'qrcode'],
    ['Barcode', 'barcode'],
  ] as const)('%s without a code says so [spec/3 2.13 2.31]', async (tab, kind) => {
    show({ 'images.extractCode': () => answerOf(found()) });
    injectUploads(server, me, UPLOADED);
    await upload(tab);
    press('Extract code');
    await toast(TEXTS.images.extractionFailedTitle(), TEXTS.validation.noCode(kind));
  });

  it('asks for the merchant if it is missing', async () => {
    const { asked } = show({ 'images.extractCode': () => answerOf(found('WOOL-2026')) });
    injectUploads(server, me, UPLOADED);
    await upload('QR Code');
    press('Extract code');
    await screen.findByText(TEXTS.validation.enterMerchant());
    expect(document.activeElement).toBe(merchant());
    expect(asked('coupons.validate')).toBe(0);
    type(merchant(), 'Knit Nook');
    validate();
    await result();
  });

  it('with several codes offers a choice', async () => {
    const { asked } = show({ 'images.extractCode': () => answerOf(found('WOOL-2026', 'OTHER-1')) });
    injectUploads(server, me, UPLOADED);
    type(merchant(), 'Knit Nook');
    await upload('QR Code');
    press('Extract code');
    fireEvent.click(await screen.findByRole('radio', { name: /OTHER-1/ }));
    expect(asked('coupons.validate')).toBe(0);
    validate();
    expect(within(await result()).getByText('OTHER-1')).toBeTruthy();
  });
});

describe('the camera', () => {
  it.each([
    ['NotAllowedError', 'The camera is not allowed'],
    ['NotFoundError', 'No camera was found'],
    ['NotReadableError', 'The camera is in use'],
    ['AbortError', 'The camera could not be started'],
  ])('%s: %s', async (name, title) => {
    const getUserMedia = () => Promise.reject(new DOMException('', name));
    vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { mediaDevices: { getUserMedia } }));
    show();
    fireEvent.click(screen.getByRole('tab', { name: 'Barcode' }));
    press('Scan with camera');
    const dialog = await screen.findByRole('dialog', { name: 'Scan with camera' });
    await within(dialog).findByText(title);
    expect(within(dialog).getByRole('button', { name: 'Try again' })).toBeTruthy();
  });
});

describe('the shortcut of the installed application', () => {
  it('opens the camera', async () => {
    renderWithServer(server, me, <ValidateCouponPage />, { address: '/validate-coupon?scan=1' });
    await screen.findByRole('dialog', { name: 'Scan with camera' });
    screen.getByRole('tab', { name: 'QR Code', hidden: true, selected: true });
  });
});

describe('adding a coupon', () => {
  const WHOLE = {
    confirmed: true,
    value: 2_000,
    discountType: 'percentage',
    expiryDate: '2036-03-01',
    description: 'Any wool in the shop',
  } as const;
  const whole = () => answerOf(aVerdict({ validatedWith: 'voucherify', details: WHOLE }));

  it('asks for the missing fields, then offers to view the coupon [spec/3 2.15]', async () => {
    show({ 'coupons.validate': () => answerOf(aVerdict()) });
    type(merchant(), 'Knit Nook');
    type(code(), `FORM-${me.id}`);
    validate();
    const add = await screen.findByRole('button', { name: 'Add to My Coupons' });
    fireEvent.click(add);
    await screen.findByText(TEXTS.coupons.valuePositive());
    type(screen.getByLabelText(/^Title/), 'Wool for less');
    type(screen.getByLabelText(/^Value/), '7.50');
    fireEvent.click(screen.getByLabelText('No expiry'));
    type(screen.getByLabelText(/^Description/), 'Any wool in the shop');
    fireEvent.click(add);
    const question = await screen.findByRole('dialog', { name: 'Coupon added' });
    fireEvent.click(within(question).getByRole('button', { name: 'View in My Coupons' }));
    await screen.findByText('elsewhere');
    expect(address()).toMatch(/^\/my-coupons\?coupon=\d+$/);
    const [row] = await server.ctx.db
      .selectFrom('coupons')
      .selectAll()
      .where('ownerId', '=', me.id)
      .execute();
    expect(row).toMatchObject({ title: 'Wool for less', value: 750, category: 'other' });
  });

  it('happens once automatically if the programme has named every field; half a second later it offers to view the coupon [spec/3 2.15]', async () => {
    const timers = vi.spyOn(window, 'setTimeout');
    const { asked } = show({ 'coupons.validate': whole });
    type(merchant(), 'Knit Nook');
    type(code(), `WHOLE-${me.id}`);
    validate();
    await screen.findByRole('dialog', { name: 'Coupon added' });
    expect(timers.mock.calls.map(([, delay]) => delay)).toContain(500);
    timers.mockRestore();
    expect(asked('coupons.create')).toBe(1);
    expect(screen.getByRole('article', { name: '20.00% off at Knit Nook' })).toBeTruthy();
  });

  it('shows a failure', async () => {
    show({ 'coupons.validate': whole, 'coupons.create': brokenAnswer });
    type(merchant(), 'Knit Nook');
    type(code(), 'WOOL-2026');
    validate();
    await screen.findAllByText(TEXTS.validation.addFailedTitle());
    expect(screen.getAllByText(TEXTS.validation.addFailed()).length).toBeGreaterThan(0);
    expect(screen.getByRole('button', { name: 'Add to My Coupons' })).toBeTruthy();
  });
});
