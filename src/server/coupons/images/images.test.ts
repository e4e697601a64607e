import { beforeEach, describe, expect, it } from 'vitest';
import type { Actor, Context } from '#server/context/context.ts';
import { inTransaction } from '#server/database/client.ts';
import { cleanUpPictures, uploadPicture } from '#server/people/pictures/service.ts';
import { createMemoryStorage } from '#server/providers/storage/memory-storage.ts';
import { type FileStorage, StorageFailure } from '#server/providers/storage/storage.ts';
import {
  actingAs,
  createCoupon,
  createTestClock,
  createTestContext,
  createUser,
  type TestContext,
} from '#tests/support/builders.ts';
import { setUpDatabase } from '#tests/support/database.ts';
import { insertImage } from '#tests/support/images.ts';
import { plainPicture } from '#tests/support/pictures.ts';
import {
  attachImage,
  cleanUpImages,
  codeOnImage,
  discardImages,
  imageOfCoupon,
  readImage,
  uploadImage,
} from './images.ts';

const database = setUpDatabase();
let ctx: TestContext;
let isStorageDown: boolean;
let owner: Actor;
let stranger: Actor;
let couponId: number;

/** A storage that fails while `isStorageDown`. */
function failingStorage(storage: FileStorage): FileStorage {
  const present = () => {
    if (isStorageDown) throw new StorageFailure('The storage did not answer');
    return storage;
  };
  return {
    put: async (name, bytes) => present().put(name, bytes),
    get: async (name) => present().get(name),
    remove: async (name) => present().remove(name),
  };
}

beforeEach(async () => {
  await database.db.deleteFrom('images').execute();
  isStorageDown = false;
  const base = createTestContext(database, { clock: createTestClock() });
  ctx = { ...base, providers: { ...base.providers, storage: failingStorage(createMemoryStorage()) } };
  owner = await createUser(ctx);
  stranger = await createUser(ctx);
  couponId = (await createCoupon(ctx, owner)).id;
});

const attach = (
  url: string,
  given: Partial<Parameters<typeof attachImage>[2]> = {},
): ReturnType<typeof attachImage> =>
  inTransaction(ctx.db, (trx) =>
    attachImage(trx, ctx.vault, {
      couponId,
      kind: 'qrcode',
      url,
      userId: owner.id,
      at: ctx.clock(),
      ...given,
    }),
  );
const discard = (given: { kind?: 'qrcode' | 'barcode' } = {}) =>
  inTransaction(ctx.db, (trx) => discardImages(trx, { couponId, at: ctx.clock(), ...given }));
const pictureOf = async (kind: 'qrcode' | 'barcode' = 'qrcode') =>
  (await imageOfCoupon(ctx, ctx.db, couponId, kind))?.bytes.toString() ?? null;
const idsLeft = async () =>
  (await ctx.db.selectFrom('images').select('id').orderBy('id').execute()).map(({ id }) => id);

describe('attaching', () => {
  it('attaches an upload to the coupon and returns the code in it', async () => {
    const image = await insertImage(ctx, owner, { code: 'FOUND-1' });
    expect(await attach(image.url)).toEqual({ code: 'FOUND-1' });
    expect(await pictureOf()).toBe(String(image.bytes));
    expect(await pictureOf('barcode')).toBeNull();
    await expect(readImage(actingAs(ctx, owner), image.id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(codeOnImage(actingAs(ctx, owner), image.url)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('changes nothing when repeated', async () => {
    const image = await insertImage(ctx, owner, { code: 'FOUND-2' });
    await attach(image.url);
    expect(await attach(image.url)).toEqual({ code: 'FOUND-2' });
    expect(await pictureOf()).toBe(String(image.bytes));
  });

  it('uses the kind it is attached as', async () => {
    const image = await insertImage(ctx, owner, { kind: 'qrcode' });
    expect(await attach(image.url, { kind: 'barcode' })).toEqual({ code: null });
    expect(await pictureOf('barcode')).toBe(String(image.bytes));
  });

  it('discards only the earlier picture of the same kind', async () => {
    const [bars, first, second] = [
      await insertImage(ctx, owner, { kind: 'barcode' }),
      await insertImage(ctx, owner),
      await insertImage(ctx, owner),
    ];
    await attach(bars.url, { kind: 'barcode' });
    await attach(first.url);
    await attach(second.url);
    expect(await pictureOf()).toBe(String(second.bytes));
    expect(await pictureOf('barcode')).toBe(String(bars.bytes));
    // A discarded upload cannot be used again.
    await expect(attach(first.url)).rejects.toMatchObject({ code: 'bad_input' });
    await expect(readImage(actingAs(ctx, owner), first.id)).rejects.toMatchObject({ code: 'not_found' });
    expect(await pictureOf()).toBe(String(second.bytes));
  });

  it.each(['qrcode', 'barcode'] as const)(
    "refuses uploads that are not the caller's and names the field (%s)",
    async (kind) => {
      const elsewhere = await insertImage(ctx, owner, {
        couponId: (await createCoupon(ctx, owner)).id,
        kind,
      });
      const foreign = await insertImage(ctx, stranger, { kind });
      const anonymous = await insertImage(ctx, null, { kind });
      const own = await insertImage(ctx, owner, { kind });
      const old = await insertImage(ctx, owner, { kind });
      await attach(old.url, { kind });
      for (const url of [elsewhere.url, foreign.url, anonymous.url, `/api/images/${'x'.repeat(22)}`]) {
        await expect(attach(url, { kind })).rejects.toMatchObject({
          code: 'bad_input',
          issues: [{ path: kind === 'qrcode' ? 'qrCodeUrl' : 'barcodeUrl' }],
        });
      }
      ctx.clock.advanceDays(1);
      await expect(attach(own.url, { kind })).rejects.toMatchObject({ code: 'bad_input' });
      expect(await pictureOf(kind), 'the one before stays').toBe(String(old.bytes));
    },
  );

  it('attaches an upload to only one of two coupons at once', async () => {
    const other = await createCoupon(ctx, owner);
    const image = await insertImage(ctx, owner);
    const outcomes = await Promise.allSettled([attach(image.url), attach(image.url, { couponId: other.id })]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });
});

describe('discarding', () => {
  it('discards one kind, or all', async () => {
    await attach((await insertImage(ctx, owner)).url);
    await attach((await insertImage(ctx, owner)).url, { kind: 'barcode' });
    await discard({ kind: 'qrcode' });
    expect([await pictureOf('qrcode'), await pictureOf('barcode')]).toEqual([null, expect.any(String)]);
    await discard();
    expect(await pictureOf('barcode')).toBeNull();
  });
});

describe('the clean-up', () => {
  it('removes expired uploads and discarded pictures', async () => {
    const [anonymous, own, taken, discarded] = [
      await insertImage(ctx, null),
      await insertImage(ctx, owner),
      await insertImage(ctx, owner),
      await insertImage(ctx, owner),
    ];
    await attach(taken.url);
    await attach(discarded.url, { kind: 'barcode' });
    await discard({ kind: 'barcode' });
    const kept = async () => {
      const files = await Promise.all(
        [anonymous, own, taken, discarded].map(({ id }) => ctx.providers.storage.get(id)),
      );
      return files.map((file) => file !== null);
    };

    expect(await cleanUpImages(ctx)).toBe(1);
    expect(await kept()).toEqual([true, true, true, false]);
    ctx.clock.advanceDays(1 / 24);
    expect(await cleanUpImages(ctx)).toBe(1);
    expect(await kept()).toEqual([false, true, true, false]);
    ctx.clock.advanceDays(0.9);
    expect(await cleanUpImages(ctx)).toBe(0);
    ctx.clock.advanceDays(0.1);
    expect(await cleanUpImages(ctx)).toBe(1);
    expect(await kept()).toEqual([false, false, true, false]);
    ctx.clock.advanceDays(400);
    expect(await cleanUpImages(ctx)).toBe(0);
    expect(await idsLeft()).toEqual([taken.id]);
  });

  it('removes more uploads than one batch', async () => {
    for (let i = 0; i < 120; i += 1) await insertImage(ctx, null);
    ctx.clock.advanceDays(1);
    expect(await cleanUpImages(ctx)).toBe(120);
    expect(await idsLeft()).toEqual([]);
  });

  it('keeps an upload that the storage fails to remove, and removes it at the next run', async () => {
    const image = await insertImage(ctx, null);
    ctx.clock.advanceDays(1);
    isStorageDown = true;
    expect(await cleanUpImages(ctx)).toBe(0);
    expect(await idsLeft()).toEqual([image.id]);
    isStorageDown = false;
    expect(await ctx.providers.storage.get(image.id)).not.toBeNull();
    expect(await cleanUpImages(ctx)).toBe(1);
    expect(await ctx.providers.storage.get(image.id)).toBeNull();
  });
});

describe('the storage', () => {
  it('that fails is reported as unavailable', async () => {
    const image = await insertImage(ctx, owner);
    isStorageDown = true;
    await expect(readImage(actingAs(ctx, owner), image.id)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('that has lost a file gives not found', async () => {
    const image = await insertImage(ctx, owner);
    const attached = await insertImage(ctx, owner);
    await attach(attached.url);
    for (const { id } of [image, attached]) await ctx.providers.storage.remove(id);
    await expect(readImage(actingAs(ctx, owner), image.id)).rejects.toMatchObject({ code: 'not_found' });
    expect(await pictureOf()).toBeNull();
  });

  it('whose files were exchanged cannot decrypt them', async () => {
    const [first, second] = [await insertImage(ctx, owner), await insertImage(ctx, owner)];
    const other = await ctx.providers.storage.get(second.id);
    await ctx.providers.storage.put(first.id, other ?? Buffer.alloc(0));
    await expect(readImage(actingAs(ctx, owner), first.id)).rejects.toThrow();
  });
});

describe.each([
  [
    'a picture of a code',
    (given: Context, bytes: Buffer) => uploadImage(given, { kind: 'qrcode', bytes }),
    cleanUpImages,
  ],
  [
    'a public picture',
    (given: Context, bytes: Buffer) => uploadPicture(given, { kind: 'offer', bytes }),
    cleanUpPictures,
  ],
])('an upload of %s', (_what, upload, cleanUp) => {
  /** Uploads a picture, and does this after each of its files is stored. */
  async function uploadWhile(afterPut: () => Promise<unknown>) {
    const { storage } = ctx.providers;
    const names: string[] = [];
    const put: FileStorage['put'] = async (name, bytes) => {
      await storage.put(name, bytes);
      names.push(name);
      await afterPut();
    };
    const caller: Context = {
      ...actingAs(ctx, owner),
      providers: { ...ctx.providers, storage: { ...storage, put } },
    };
    const [outcome] = await Promise.allSettled([upload(caller, await plainPicture())]);
    const countLeft = async () =>
      (await Promise.all(names.map(storage.get))).filter((file) => file !== null).length;
    return { outcome, names, countLeft };
  }

  it('that stops after a file is stored leaves nothing after an hour', async () => {
    const { outcome, countLeft } = await uploadWhile(() => Promise.reject(new Error('The process ends')));
    expect(outcome).toMatchObject({ reason: { message: 'The process ends' } });
    expect([await cleanUp(ctx), await countLeft()]).toEqual([0, 1]);
    ctx.clock.advanceDays(1 / 24);
    expect([await cleanUp(ctx), await countLeft()]).toEqual([1, 0]);
  });

  it('that takes more than an hour is refused and leaves nothing', async () => {
    const { outcome, names, countLeft } = await uploadWhile(() => {
      ctx.clock.advanceDays(1 / 24);
      return cleanUp(ctx);
    });
    expect(outcome).toMatchObject({ reason: { code: 'unavailable' } });
    expect([names.length > 0, await countLeft()]).toEqual([true, 0]);
  });

  it('is not touched by a clean-up meanwhile', async () => {
    const { outcome, names, countLeft } = await uploadWhile(() => cleanUp(ctx));
    expect(outcome?.status).toBe('fulfilled');
    expect(await countLeft()).toBe(names.length);
  });
});
