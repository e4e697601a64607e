import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { cleanUpPictures } from '#server/people/pictures/service.ts';
import { OUR_PAGE, setUpApp } from '#tests/support/app.ts';
import { createUser, TEST_PASSWORD } from '#tests/support/builders.ts';
import { anOffer } from '#tests/support/coupons.ts';
import { plainPicture } from '#tests/support/pictures.ts';
import { type UploadForm, uploadFile } from './upload-forms.ts';

/** Public pictures and those of claims: their upload, how they are served, and the coupons that have them. */

const LEAVING = { confirmPassword: TEST_PASSWORD };

const test = setUpApp();
let owner: Actor;
let stranger: Actor;
beforeAll(async () => {
  owner = await createUser(test.ctx);
  stranger = await createUser(test.ctx);
});

const upload = async (who: Actor | null, form: UploadForm = {}) =>
  uploadFile(test, who, { file: await plainPicture(), field: 'image', path: 'picture', ...form });
const uploaded = async (who: Actor | null): Promise<string> => (await upload(who)).json().url;
const get = (who: Actor | null, url: string) => test.call(who, { method: 'GET', url, headers: OUR_PAGE });
const create = (who: Actor, body: object) =>
  test.call(who, { method: 'POST', url: '/api/coupons', body: { ...anOffer(), codeValue: null, ...body } });
const edit = (who: Actor, id: number, body: object) =>
  test.call(who, { method: 'PATCH', url: `/api/coupons/${id}`, body });

describe('an upload', () => {
  it('is answered with its address, which anybody may read and keep for ever', async () => {
    for (const who of [null, owner]) {
      const answer = await upload(who);
      expect(answer.statusCode, answer.body).toBe(201);
      const { url, filePath } = answer.json();
      expect(url).toMatch(/^\/api\/pictures\/[\w-]{22}-8x6\/8\.webp$/);
      expect(filePath).toBe(url);
      const served = await get(null, url);
      expect(served.statusCode).toBe(200);
      expect(served.headers).toMatchObject({
        'content-type': 'image/webp',
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringContaining("default-src 'none'"),
      });
      expect(served.headers['set-cookie']).toBeUndefined();
      expect((await sharp(served.rawPayload).metadata()).width).toBe(8);
      expect((await get(null, url.replace('8.webp', '4.avif'))).headers['content-type']).toBe('image/avif');
    }
  });

  it('is refused with the field while a code can be read in it', async () => {
    const { providers } = test.ctx;
    for (const kind of ['qrcode', 'barcode'] as const) {
      const drawn = await providers.pictures.draw(kind, 'PUBLIC-BY-MISTAKE');
      const file = drawn?.bytes ?? null;
      for (const path of ['picture', 'profile-picture']) {
        const answer = await upload(owner, { file, path });
        expect(answer.statusCode, answer.body).toBe(400);
        expect(answer.json()).toMatchObject({
          error: expect.stringContaining('This picture shows a code'),
          issues: [{ path: 'image' }],
        });
        expect(answer.body).not.toContain('PUBLIC-BY-MISTAKE');
      }
    }
  });

  it.each(['x/8.webp', `${'x'.repeat(22)}-8x6/8.webp`, `${'x'.repeat(22)}-8x6/..%2f8.webp`, '%00/8.webp'])(
    'is not found as %s',
    async (name) => expect((await get(null, `/api/pictures/${name}`)).statusCode).toBe(404),
  );
});

describe('a coupon', () => {
  it('has the picture of its offer in lists, on its page and in deals [spec/1 3.21]', async () => {
    const imageUrl = await uploaded(owner);
    const { id } = (await create(owner, { imageUrl })).json();
    const listed = (await get(null, '/api/coupons')).json();
    expect(listed.find((coupon: { id: number }) => coupon.id === id)).toMatchObject({ imageUrl });
    expect((await get(stranger, `/api/coupons/${id}`)).json()).toMatchObject({ imageUrl });
    const bid = { couponId: id, amount: '12.50', acknowledgeNoCode: true };
    expect((await test.call(stranger, { method: 'POST', url: '/api/bids', body: bid })).statusCode).toBe(201);
    expect((await get(stranger, '/api/bids')).json()).toMatchObject([{ coupon: { id, imageUrl } }]);
    expect((await create(owner, {})).json()).toMatchObject({ imageUrl: null });
  });

  it('keeps its picture in an edit without one; another, or null, replaces it and ends the pending deals', async () => {
    const [first, second] = [await uploaded(owner), await uploaded(owner)];
    const { id } = (await create(owner, { imageUrl: first })).json();
    const bid = async () => {
      const answer = await test.call(stranger, {
        method: 'POST',
        url: '/api/bids',
        body: { couponId: id, amount: '12.50', acknowledgeNoCode: true },
      });
      return { id: answer.json().id };
    };
    const statusOf = async (wanted: { id: number }) =>
      (await get(stranger, '/api/bids')).json().find((one: { id: number }) => one.id === wanted.id).status;
    const pending = await bid();
    expect((await edit(owner, id, {})).json()).toMatchObject({ imageUrl: first });
    expect((await edit(owner, id, { imageUrl: first })).json()).toMatchObject({ imageUrl: first });
    expect(await statusOf(pending)).toBe('pending');
    expect((await edit(owner, id, { imageUrl: second })).json()).toMatchObject({ imageUrl: second });
    expect(await statusOf(pending)).toBe('cancelled');
    expect((await get(null, first)).statusCode).toBe(404);
    expect((await edit(owner, id, { imageUrl: null })).json()).toMatchObject({ imageUrl: null });
    expect((await get(null, second)).statusCode).toBe(404);
  });

  it('loses its picture and its files when it is deleted, or its owner leaves', async () => {
    const leaver = await createUser(test.ctx);
    for (const [who, leave] of [
      [owner, (id: number) => test.call(owner, { method: 'DELETE', url: `/api/coupons/${id}` })],
      [leaver, () => test.call(leaver, { method: 'DELETE', url: '/api/user/account', body: LEAVING })],
    ] as const) {
      const imageUrl = await uploaded(who);
      const { id } = (await create(who, { imageUrl })).json();
      expect((await leave(id)).statusCode).toBe(200);
      expect((await get(null, imageUrl)).statusCode).toBe(404);
      const [, , , name = ''] = imageUrl.split('/');
      expect(await test.ctx.providers.storage.get(`${name}-8-webp`)).not.toBeNull();
      await cleanUpPictures(test.ctx);
      for (const file of ['8-webp', '8-avif', '4-webp', '2-avif'])
        expect(await test.ctx.providers.storage.get(`${name}-${file}`)).toBeNull();
    }
  });
});

describe('a person', () => {
  const profileOf = async (who: Actor) => (await get(null, `/api/users/${who.id}`)).json();
  const uploadedProfile = async (who: Actor | null): Promise<string> =>
    (await upload(who, { path: 'profile-picture' })).json().url;
  const save = (who: Actor, body: object) =>
    test.call(who, {
      method: 'PUT',
      url: '/api/user/profile',
      body: {
        email: `${who.username}@example.org`,
        preferredCurrency: 'CAD',
        country: 'CA',
        ...body,
      },
    });
  const register = (username: string, profileImageUrl: string) =>
    test.call(null, {
      method: 'POST',
      url: '/api/register',
      body: {
        username,
        email: `${username}@example.org`,
        password: 'a rather long pass phrase',
        acceptTerms: true,
        isAdult: true,
        profileImageUrl,
      },
    });

  it('is taken at registration and shown wherever the person is [spec/1 5.16]', async () => {
    const profileImageUrl = await uploadedProfile(null);
    const registered = await register('pia', profileImageUrl);
    expect(registered.statusCode, registered.body).toBe(201);
    expect(registered.json()).toMatchObject({ username: 'pia', profileImageUrl });
    const pia: Actor = { ...owner, id: registered.json().id, username: 'pia' };
    expect((await get(pia, '/api/user')).json()).toMatchObject({ profileImageUrl });
    expect(await profileOf(pia)).toMatchObject({ profileImageUrl });
    expect(await profileOf(stranger)).toMatchObject({ profileImageUrl: null });
    // Nobody else can register with it.
    const second = await register('pia2', profileImageUrl);
    expect(second.statusCode).toBe(400);
    expect(second.json()).toMatchObject({ issues: [{ path: 'profileImageUrl' }] });
  });

  it('changes, keeps and removes their picture; the file of the one before is gone, and the last when they leave', async () => {
    const kim = await createUser(test.ctx);
    const [first, second] = [await uploadedProfile(kim), await uploadedProfile(kim)];
    expect((await save(kim, { profileImageUrl: first })).json()).toMatchObject({ profileImageUrl: first });
    expect((await save(kim, { bio: 'I like bread.' })).json()).toMatchObject({ profileImageUrl: first });
    expect((await save(kim, { profileImageUrl: second })).json()).toMatchObject({ profileImageUrl: second });
    expect((await get(null, first)).statusCode).toBe(404);
    expect((await save(kim, { profileImageUrl: null })).json()).toMatchObject({ profileImageUrl: null });
    expect((await get(null, second)).statusCode).toBe(404);

    const last = await uploadedProfile(kim);
    await save(kim, { profileImageUrl: last });
    await test.call(kim, { method: 'DELETE', url: '/api/user/account', body: LEAVING });
    expect((await get(null, last)).statusCode).toBe(404);
  });
});

describe('a picture for a claim', () => {
  it('is uploaded by members, its codes are covered, and no cache keeps it', async () => {
    const drawn = await test.ctx.providers.pictures.draw('qrcode', 'CODE-IN-EVIDENCE');
    const file = await sharp(drawn?.bytes).png().toBuffer();
    expect((await upload(null, { path: 'evidence', file })).statusCode).toBe(401);
    const { url } = (await upload(owner, { path: 'evidence', file })).json();
    expect(url).toMatch(/^\/api\/evidence\/[\w-]{22}$/);
    const { headers, rawPayload } = await get(owner, url);
    expect(headers).toMatchObject({
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect((await test.ctx.providers.pictures.read(file)).codes).not.toEqual([]);
    expect((await test.ctx.providers.pictures.read(rawPayload)).codes).toEqual([]);
    expect((await get(stranger, url)).statusCode).toBe(404);
    expect((await get(null, url)).statusCode).toBe(401);
  });
});
