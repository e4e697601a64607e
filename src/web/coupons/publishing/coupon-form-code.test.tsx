import { fireEvent, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { TEXTS } from '#contract/base/texts.ts';
import { press } from '#tests/support/web/acts.ts';
import { answerOf } from '#tests/support/web/builders.ts';
import { STORED, setUpCouponForm } from '#tests/support/web/coupon-form.tsx';
import { brokenAnswer, type Intercept } from '#tests/support/web/server.tsx';
import { injectUploads } from '#tests/support/web/uploads.ts';

const { server, me, open, field, type, submit, verdict, judged, toast, fillIn, refusal } = setUpCouponForm();

describe('a code', () => {
  it.each([
    ['', 'Shear Joy'],
    ['SHEAR-1', ''],
  ])('%j of %j cannot be validated [spec/1 5.11]', async (code, merchant) => {
    open();
    type(/^Merchant/, merchant);
    type(/^Coupon code/, code);
    submit('Validate');
    await toast(TEXTS.validation.missingInformation(), TEXTS.validation.bothRequired());
  });

  it('is not submitted before it is validated [spec/1 8.10]', async () => {
    const { onSubmit } = open();
    fillIn();
    type(/^Coupon code/, 'SHEAR-1');
    submit('Add coupon');
    await toast(TEXTS.validation.requiredTitle(), TEXTS.validation.requiredText());
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Validate' }));
    expect(onSubmit).not.toHaveBeenCalled();
  });

  it.each([
    ['code', /^Coupon code/, 'SHEAR-2'],
    ['merchant', /^Merchant/, 'Shear Bliss'],
  ])('has to be validated again when the %s changes [spec/1 4.4]', async (_, label, value) => {
    const { onSubmit } = open({ intercept: judged() });
    fillIn();
    type(/^Coupon code/, 'SHEAR-1');
    submit('Validate');
    await verdict();
    type(label, value);
    expect(screen.queryByRole('region', { name: 'Validation result' })).toBeNull();
    submit('Add coupon');
    await screen.findByText(TEXTS.validation.requiredTitle());
    expect(onSubmit).not.toHaveBeenCalled();
  });

  it('that is not valid is added only after a confirmation [spec/1 4.5]', async () => {
    const message = 'This code has been used.';
    const { onSubmit } = open({ intercept: judged({ valid: false, message, error: message }) });
    fillIn();
    type(/^Coupon code/, 'SHEAR-1');
    submit('Validate');
    await toast(TEXTS.validation.invalidTitle(), message);
    submit('Add coupon');
    const question = await screen.findByRole('dialog', { name: 'Add it anyway?' });
    press('Go back', question);
    expect(onSubmit).not.toHaveBeenCalled();
    submit('Add coupon');
    fireEvent.click(await screen.findByRole('button', { name: 'Add anyway' }));
    expect(onSubmit.mock.calls).toMatchObject([[{ codeValue: 'SHEAR-1', acknowledgeDeadCode: true }]]);
  });

  it('that the server refuses as dead is added only after a confirmation', async () => {
    const { onSubmit, refuse } = open();
    fillIn();
    refuse(refusal('codeValue', 'This code has been used up.', 'code_dead'));
    const question = await screen.findByRole('dialog', { name: 'Add it anyway?' });
    expect(question.textContent).toContain('This code has been used up.');
    press('Add anyway', question);
    expect(onSubmit.mock.calls).toMatchObject([[{ acknowledgeDeadCode: true }]]);
  });

  it('stays unvalidated when the validation fails', async () => {
    open({ intercept: (procedure) => (procedure === 'coupons.validate' ? brokenAnswer() : undefined) });
    type(/^Merchant/, 'Shear Joy');
    type(/^Coupon code/, 'SHEAR-1');
    submit('Validate');
    await toast(TEXTS.validation.invalidTitle(), TEXTS.validation.failed());
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

  it('in a wallet pass fills the empty fields with what the pass says', async () => {
    const facts = {
      merchant: 'Shear Joy',
      title: 'Ten off a haircut',
      expiryDate: '2031-05-24',
      terms: 'Not on Mondays',
      ...{ category: null, worth: null, hasNoExpiry: false, doubtful: [] },
    };
    injectUploads(server, me, {
      status: 201,
      body: JSON.stringify({ url: PICTURE, filePath: PICTURE, facts }),
    });
    open({ intercept: reading('SHEAR-9') });
    type(/^Title/, 'My own title');
    const file = new File(['x'], 'coupon.pkpass', { type: '' });
    fireEvent.change(screen.getByLabelText('Barcode picture: file'), { target: { files: [file] } });
    await screen.findByText(
      'Filled from the wallet pass: merchant, expiry date, and terms. No one has verified what the pass says, so please check it.',
    );
    await screen.findByText('In use');
    expect(
      [/^Title/, /^Merchant/, /^Expiry date/, /^Terms/, /^Coupon code/].map((label) => field(label).value),
    ).toEqual(['My own title', 'Shear Joy', '2031-05-24', 'Not on Mondays', 'SHEAR-9']);
  });

  it('without a readable code is kept until it is removed', async () => {
    injectUploads(server, me, UPLOADED);
    const { onSubmit } = open({ intercept: reading() });
    fillIn();
    choose('Barcode picture');
    await screen.findByText(/We could not read a code/);
    press('Remove');
    expect(pictures()).toHaveLength(0);
    submit('Add coupon');
    expect(onSubmit.mock.calls[0]?.[0]).not.toHaveProperty('barcodeUrl');
  });

  it.each([
    ['QR code picture', TEXTS.images.qrUploadFailed()],
    ['Barcode picture', TEXTS.images.barcodeUploadFailed()],
  ])('%s that is not stored shows %s [spec/1 8.11]', async (label, text) => {
    injectUploads(server, me, { status: 500, body: '' });
    open();
    choose(label);
    await toast(TEXTS.images.uploadFailedTitle(), text);
  });

  it('that is stored is shown only on a press, and can be removed', () => {
    const { onSubmit } = open({ coupon: STORED });
    expect(pictures()).toHaveLength(0);
    // The barcode is not stored, but can be drawn.
    screen.getByText(/None stored.*Made from the code; the merchant may not accept it/);
    submit('Show');
    expect(pictures().map((picture) => picture.getAttribute('src'))).toEqual(['/api/coupons/5/qrcode']);
    submit('Remove');
    submit('Keep picture');
    submit('Remove');
    submit('Save changes');
    expect(onSubmit.mock.calls[0]?.[0]).toMatchObject({ qrCodeUrl: null });
  });
});
