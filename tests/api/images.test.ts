import sharp from 'sharp';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MAX_IMAGE_BYTES } from '#contract/coupons/images.ts';
import type { Actor } from '#server/context/context.ts';
import { attachImage, cleanUpImages } from '#server/coupons/images/images.ts';
import { inTransaction } from '#server/database/client.ts';
import { createTestApp, keptLog, OUR_PAGE, setUpApp } from '#tests/support/app.ts';
import { createCoupon, createUser } from '#tests/support/builders.ts';
import { pdf, pdfImage } from '../fixtures/documents.ts';
import { walletPass } from '../fixtures/passes.ts';
import { type UploadForm, uploadFile } from './upload-forms.ts';

/** Pictures of codes: their upload, and who may read them. */

const CODE = 'PICTURED-4471-SECRET';
const HINT = 'JPEG, PNG, WebP, GIF, AVIF or HEIC';

const { log, lines: logged } = keptLog('debug');
const test = setUpApp({ log, config: { isProduction: true, logLevel: 'debug' } });
let qrCode: Buffer;
let people: Record<'uploader' | 'stranger' | 'moderator' | 'admin', Actor>;

const upload = (who: Actor | null, form: UploadForm = {}) => uploadFile(test, who, { file: qrCode, ...form });
const get = (who: Actor | null, url: string, headers: Record<string, string> = {}) =>
  test.call(who, { method: 'GET', url, headers: { ...OUR_PAGE, ...headers } });
const uploadedBy = async (who: Actor | null, form: UploadForm = {}): Promise<string> =>
  (await upload(who, form)).json().url;
const idOf = (url: string) => url.split('/').at(-1) ?? '';

beforeAll(async () => {
  people = {
    uploader: await createUser(test.ctx),
    stranger: await createUser(test.ctx),
    moderator: await createUser(test.ctx, { role: 'moderator' }),
    admin: await createUser(test.ctx, { role: 'admin' }),
  };
  const drawn = await test.ctx.providers.pictures.draw('qrcode', CODE);
  qrCode = await sharp(drawn?.bytes)
    .resize(300, 300, { fit: 'contain', background: 'white' })
    .png()
    .toBuffer();
});
beforeEach(() => {
  logged.length = 0;
});

describe('an upload', () => {
  it.each(['qrCodeImage', 'barcodeImage', 'image'])(
    'is accepted as %s, from anybody, with other fields beside it',
    async (field) => {
      for (const who of [null, people.uploader]) {
        for (const kind of ['qrcode', 'barcode'] as const) {
          const answer = await upload(who, { field, path: kind, fields: { merchant: 'Corner Coffee' } });
          expect(answer.statusCode, answer.body).toBe(201);
          const { url, filePath } = answer.json();
          expect(url).toMatch(/^\/api\/images\/[\w-]{22}$/);
          expect(filePath).toBe(url);
        }
      }
    },
  );

  it('gives its code to extract-code, for those who may see it [spec/3 2.25]', async () => {
    const imageUrl = await uploadedBy(people.uploader);
    const extract = (who: Actor | null, body: object) =>
      test.call(who, { method: 'POST', url: '/api/extract-code', body });
    for (const imageType of ['qrcode', 'barcode']) {
      const answer = await extract(people.uploader, { imageUrl, imageType });
      expect(answer.statusCode, answer.body).toBe(200);
      expect(answer.json()).toMatchObject({ codeValue: CODE, codes: [{ text: CODE, format: 'QRCode' }] });
    }
    for (const who of [null, people.stranger, people.admin]) {
      expect((await extract(who, { imageUrl, imageType: 'qrcode' })).statusCode).toBe(404);
    }
  });

  it('may be a wallet pass, whose facts are answered and whose barcode is drawn, or a PDF', async () => {
    const code = await test.ctx.providers.pictures.draw('qrcode', 'IN-A-PDF');
    const page = pdf({ more: [await pdfImage(code?.bytes ?? Buffer.of())] });
    for (const [file, codeValue, facts] of [
      [walletPass(), 'SHEAR-417', { merchant: 'Shear Joy', expiryDate: '2031-05-24' }],
      [page, 'IN-A-PDF', undefined],
    ] as const) {
      const answer = await upload(people.uploader, { file });
      const { url: imageUrl, ...rest } = answer.json();
      const body = { imageUrl, imageType: 'barcode' };
      const read = await test.call(people.uploader, { method: 'POST', url: '/api/extract-code', body });
      expect([read.json(), rest.facts]).toMatchObject([{ codeValue }, facts]);
      const { format } = await sharp((await get(people.uploader, imageUrl)).rawPayload).metadata();
      expect(format).toBe('png');
    }
    const refused = await upload(people.uploader, { path: 'picture', field: 'image', file: walletPass() });
    expect([refused.statusCode, refused.json().error]).toEqual([
      415,
      expect.stringMatching(/HEIC picture\.$/),
    ]);
  });

  it('without a code gives null', async () => {
    const file = await sharp({ create: { width: 80, height: 80, channels: 3, background: 'teal' } })
      .jpeg()
      .toBuffer();
    const imageUrl = await uploadedBy(people.uploader, { file });
    const body = { imageUrl, imageType: 'qrcode' };
    const answer = await test.call(people.uploader, { method: 'POST', url: '/api/extract-code', body });
    expect(answer.json()).toEqual({ codeValue: null, codes: [] });
  });

  it('is encoded again: nothing of the sent file is served [spec/1 5.12]', async () => {
    const jpeg = await sharp(qrCode)
      .withExif({ IFD0: { Copyright: 'WHO-TOOK-THIS', ImageDescription: 'AT-HOME' } })
      .jpeg()
      .toBuffer();
    expect(jpeg.includes('WHO-TOOK-THIS')).toBe(true);
    const sent = Buffer.concat([jpeg, Buffer.from('<script>alert(document.cookie)</script>')]);
    const served = (await get(people.uploader, await uploadedBy(people.uploader, { file: sent }))).rawPayload;
    const { format, exif, width, height } = await sharp(served).metadata();
    expect({ exif, width, height }).toEqual({ exif: undefined, width: 300, height: 300 });
    expect(['png', 'webp']).toContain(format);
    for (const trace of ['WHO-TOOK-THIS', 'AT-HOME', '<script>'])
      expect(served.includes(trace), trace).toBe(false);
  });

  it('is encrypted in the storage, its codes in the database, and in no log', async () => {
    const url = await uploadedBy(people.uploader);
    const served = (await get(people.uploader, url)).rawPayload;
    const stored = await test.ctx.providers.storage.get(idOf(url));
    expect(stored?.length).toBe(served.length + 28);
    expect(stored?.includes(served.subarray(8, 40))).toBe(false);
    await expect(sharp(stored ?? Buffer.alloc(0)).metadata()).rejects.toThrow();
    const rows = await test.ctx.db.selectFrom('images').selectAll().execute();
    for (const { codes, ...row } of rows) {
      expect(codes.includes(CODE)).toBe(false);
      expect(JSON.stringify(row)).not.toContain(CODE);
    }
    expect(logged.join()).not.toContain(CODE);
  });
});

describe('an upload that is refused', () => {
  const html = Buffer.from('<!doctype html><script>alert(1)</script>');

  it.each<[string, () => UploadForm, number, string, string]>([
    ['HTML named .png', () => ({ file: html }), 415, 'image', HINT],
    [
      'a byte over 8 MB',
      () => ({ file: Buffer.alloc(MAX_IMAGE_BYTES + 1) }),
      413,
      'qrCodeImage',
      'at most 8 MB',
    ],
    ['8 MB of nothing', () => ({ file: Buffer.alloc(MAX_IMAGE_BYTES) }), 415, 'image', HINT],
    ['no file at all', () => ({ file: null, fields: { merchant: 'x' } }), 400, 'image', 'upload an image'],
    ['an empty file', () => ({ file: Buffer.alloc(0) }), 400, 'qrCodeImage', 'upload an image'],
    ['a text', () => ({ file: null, fields: { image: '/etc/passwd' } }), 400, 'image', 'must be a file'],
    ['another field', () => ({ field: 'picture' }), 400, 'picture', 'picture'],
    ['two files', () => ({ more: [qrCode] }), 400, 'qrCodeImage', 'one picture at a time'],
  ])('answers %s with the field and the reason', async (_what, form, status, field, words) => {
    for (const who of [null, people.uploader]) {
      const answer = await upload(who, form());
      expect(answer.statusCode, answer.body).toBe(status);
      expect(answer.json()).toMatchObject({
        error: expect.stringContaining(words),
        issues: [{ path: field, message: answer.json().error }],
      });
    }
  });

  it.each<[string, string | undefined, string | Buffer | undefined, number]>([
    ['JSON', 'application/json', '{"image":"x"}', 415],
    ['a picture without a form', 'image/png', Buffer.from('x'), 415],
    ['nothing', undefined, undefined, 415],
    ['a form without borders', 'multipart/form-data', 'x', 400],
    ['a form that breaks off', 'multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-da', 400],
    ['a form that is none', 'multipart/form-data; boundary=x', 'x'.repeat(1_000), 400],
  ])('answers %s with 400 or 415', async (_what, type, payload, status) => {
    const headers = type === undefined ? {} : { 'content-type': type };
    const answer = await test.app.inject({
      method: 'POST',
      url: '/api/upload/qrcode',
      headers,
      ...(payload !== undefined && { payload }),
    });
    expect(answer.statusCode, answer.body).toBe(status);
    expect(answer.json()).toMatchObject({ error: expect.stringMatching(/./), code: expect.any(String) });
  });

  it('comes too often, with a lower limit for visitors', async () => {
    const limited = await createTestApp({ withLimits: true });
    const send = async (who: Actor | null) => uploadFile(limited, who, { file: html });
    for (let tries = 1; tries <= 10; tries += 1) expect((await send(null)).statusCode).toBe(415);
    const refused = await send(null);
    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    const member = await createUser(limited.ctx);
    for (let tries = 1; tries <= 60; tries += 1) expect((await send(member)).statusCode).toBe(415);
    expect((await send(member)).statusCode).toBe(429);
    await limited.close();
  });
});

describe('a picture without a coupon', () => {
  it('of a visitor is shown to anybody with its address, for an hour', async () => {
    const url = await uploadedBy(null);
    for (const who of [null, people.stranger]) expect((await get(who, url)).statusCode).toBe(200);
    test.ctx.clock.advanceDays(1 / 24);
    for (const who of [null, people.stranger]) expect((await get(who, url)).statusCode).toBe(404);
    await cleanUpImages(test.ctx);
    expect(await test.ctx.providers.storage.get(idOf(url))).toBeNull();
  });

  it.each(['x', '..%2f..%2fetc', 'a'.repeat(23), '%00'])('is not found as %s', async (name) => {
    expect([400, 401, 404]).toContain((await get(people.uploader, `/api/images/${name}`)).statusCode);
  });

  it('is cached by the viewer’s browser only, which revalidates it each time', async () => {
    const url = await uploadedBy(people.uploader);
    const { headers, rawPayload } = await get(people.uploader, url);
    expect(headers).toMatchObject({
      'content-type': expect.stringMatching(/^image\/(png|webp)$/),
      'content-length': String(rawPayload.length),
      'cache-control': 'private, no-cache',
      vary: expect.stringContaining('cookie'),
      'content-disposition': 'inline',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'cross-origin-resource-policy': 'same-origin',
      etag: expect.stringMatching(/^"[\w-]{16,}"$/),
    });
    const etag = String(headers.etag);
    const ask = (who: Actor | null, known: string) => get(who, url, { 'if-none-match': known });
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const answer = await ask(people.uploader, known);
      expect(answer.statusCode, known).toBe(304);
      expect(answer.rawPayload).toHaveLength(0);
      expect(answer.headers.etag).toBe(etag);
    }
    expect((await ask(people.uploader, '"other"')).statusCode).toBe(200);
    for (const known of [etag, '*']) expect((await ask(people.stranger, known)).statusCode).toBe(404);
    const again = await get(people.uploader, await uploadedBy(people.uploader));
    expect(again.rawPayload.equals(rawPayload), 'the same picture').toBe(true);
    expect(again.headers.etag, 'does not tell so').not.toBe(etag);
  });
});

describe('a coupon’s picture', () => {
  it('is shown to the coupon’s current owner only', async () => {
    const { uploader, stranger, moderator, admin } = people;
    const buyer = await createUser(test.ctx);
    const coupon = await createCoupon(test.ctx, uploader);
    const url = await uploadedBy(uploader);
    const picture = (await get(uploader, url)).rawPayload;
    const given = {
      couponId: coupon.id,
      kind: 'qrcode',
      url,
      userId: uploader.id,
      at: test.ctx.clock(),
    } as const;
    await inTransaction(test.ctx.db, (trx) => attachImage(trx, test.ctx.vault, given));

    const couponUrl = `/api/coupons/${coupon.id}/qrcode`;
    const showsOnlyTo = async (owner: Actor) => {
      const shown = await get(owner, couponUrl, OUR_PAGE);
      expect(shown.statusCode, shown.body).toBe(200);
      expect(shown.rawPayload.equals(picture)).toBe(true);
      const known = { ...OUR_PAGE, 'if-none-match': String(shown.headers.etag) };
      expect((await get(owner, couponUrl, known)).statusCode).toBe(304);
      for (const who of [null, uploader, buyer, stranger, moderator, admin].filter((one) => one !== owner)) {
        for (const headers of [OUR_PAGE, known]) {
          const refused = await get(who, couponUrl, headers);
          expect([401, 403, 404]).toContain(refused.statusCode);
          expect(refused.headers.etag).toBeUndefined();
        }
      }
      for (const who of [null, uploader, buyer, stranger, moderator, admin]) {
        expect((await get(who, url)).statusCode, 'its first address').toBe(404);
      }
    };
    await showsOnlyTo(uploader);
    await test.ctx.db.updateTable('coupons').set({ ownerId: buyer.id }).where('id', '=', coupon.id).execute();
    await showsOnlyTo(buyer);
  });
});
