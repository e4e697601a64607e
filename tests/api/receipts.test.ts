import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Actor } from '#server/domains/context.ts';
import { createTestApp, OUR_PAGE, type TestApp } from '#server/testing/app.ts';
import { createUser } from '#server/testing/builders.ts';
import { pdf, pdfImage } from '../fixtures/documents.ts';
import { walletPass } from '../fixtures/passes.ts';
import { uploadFile } from './upload-forms.ts';

/** Files with a code that are no pictures. */

let test: TestApp;
let uploader: Actor;

beforeAll(async () => {
  test = await createTestApp();
  uploader = await createUser(test.ctx);
});
afterAll(() => test.close());

const extracted = async (imageUrl: string) => {
  const body = { imageUrl, imageType: 'barcode' };
  return (await test.call(uploader, { method: 'POST', url: '/api/extract-code', body })).json();
};
const formatOf = async (url: string) =>
  (await sharp((await test.call(uploader, { method: 'GET', url, headers: OUR_PAGE })).rawPayload).metadata())
    .format;

it('a wallet pass is answered with its facts, and its barcode is drawn', async () => {
  const answer = await uploadFile(test, uploader, { file: walletPass() });
  expect(answer.statusCode, answer.body).toBe(201);
  const { url, facts } = answer.json();
  expect(facts).toMatchObject({ merchant: 'Shear Joy', expiryDate: '2031-05-24' });
  expect(await extracted(url)).toMatchObject({ codeValue: 'SHEAR-417', codes: [{ format: 'PDF417' }] });
  expect(await formatOf(url)).toBe('png');
});

it('a PDF becomes a picture of its page with the code', async () => {
  const code = await test.ctx.providers.pictures.draw('qrcode', 'IN-A-PDF');
  const file = pdf({ more: [await pdfImage(code?.bytes ?? Buffer.of())] });
  const { url, facts } = (await uploadFile(test, uploader, { file })).json();
  expect([await extracted(url), facts]).toMatchObject([{ codeValue: 'IN-A-PDF' }, undefined]);
  expect(await formatOf(url)).toBe('png');
});

it('what is no public picture is refused as one, and the refusal says what is taken', async () => {
  const refused = await uploadFile(test, uploader, { path: 'picture', field: 'image', file: walletPass() });
  expect(refused.statusCode).toBe(415);
  expect(refused.json().error).toMatch(/HEIC picture\.$/);
});
