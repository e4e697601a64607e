import { describe, expect, it } from 'vitest';
import { pictureIdOf, pictureSources } from '#contract/people/picture-addresses.ts';
import type { Actor } from '#server/context/context.ts';
import { inTransaction } from '#server/database/client.ts';
import { openPictures } from '#server/readers/pictures/open-pictures.ts';
import { actingAs, createUser, setUpContext } from '#tests/support/builders.ts';
import { uploadPlainPicture } from '#tests/support/pictures.ts';
import { cleanUpPictures, listKeptPictures, readPicture, replacePicture } from './service.ts';

const ctx = setUpContext();

const uploadBy = (who: Actor | null, kind: 'offer' | 'profile' = 'offer') =>
  uploadPlainPicture(who ? actingAs(ctx, who) : { ...ctx, actor: null }, kind);

const take = (url: string | null, given: Partial<Parameters<typeof replacePicture>[1]> = {}) =>
  inTransaction(ctx.db, (trx) =>
    replacePicture(trx, {
      url,
      before: null,
      kind: 'offer',
      field: 'imageUrl',
      uploaderId: null,
      at: ctx.clock(),
      ...given,
    }),
  );

const files = async () => {
  const names: string[] = [];
  for await (const portion of listKeptPictures(ctx.db)) names.push(...portion);
  return names;
};

describe('an uploaded picture', () => {
  it('is read in each of its widths and formats, and in no other', async () => {
    const id = pictureIdOf(await uploadBy(null));
    for (const width of [2, 4, 8]) {
      for (const format of ['avif', 'webp'] as const) {
        const file = await readPicture(ctx, { id, width, format });
        expect(file.contentType).toBe(`image/${format}`);
        expect(file.bytes.length).toBeGreaterThan(0);
      }
    }
    await expect(readPicture(ctx, { id, width: 3, format: 'webp' })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('names its size and its files in its address', async () => {
    const url = await uploadBy(null);
    const id = pictureIdOf(url);
    expect(url).toBe(`/api/pictures/${id}/8.webp`);
    const prefix = `/api/pictures/${id}`;
    expect(pictureSources(url)).toEqual({
      width: 8,
      height: 6,
      srcSets: {
        avif: `${prefix}/2.avif 2w, ${prefix}/4.avif 4w, ${prefix}/8.avif 8w`,
        webp: `${prefix}/2.webp 2w, ${prefix}/4.webp 4w, ${prefix}/8.webp 8w`,
      },
    });
    expect(pictureSources('https://elsewhere.example/picture.webp')).toBeNull();
  });
});

it('is refused, to be tried again, if the search for codes does not end in time', async () => {
  const pictures = openPictures({ timeLimitMs: 0 });
  const late = { ...ctx, actor: null, providers: { ...ctx.providers, pictures } };
  try {
    await expect(uploadPlainPicture(late)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('Please try again'),
    });
  } finally {
    await pictures.close();
  }
});

describe('taking a picture', () => {
  it('is for its uploader, once, and for its own kind', async () => {
    const [owner, stranger] = [await createUser(ctx), await createUser(ctx)];
    const url = await uploadBy(owner);
    const refusal = { code: 'bad_input', issues: [{ path: 'imageUrl' }] };
    await expect(take(url, { uploaderId: stranger.id })).rejects.toMatchObject(refusal);
    await expect(take(url)).rejects.toMatchObject(refusal);
    await expect(take(url, { uploaderId: owner.id, kind: 'profile' })).rejects.toMatchObject(refusal);
    expect(await take(url, { uploaderId: owner.id })).toBe(pictureIdOf(url));
    await expect(take(url, { uploaderId: owner.id })).rejects.toMatchObject(refusal);
  });

  it('discards the one before, and keeps it when it is given again', async () => {
    const owner = await createUser(ctx);
    const [first, second] = [await uploadBy(owner), await uploadBy(owner)];
    const before = await take(first, { uploaderId: owner.id });
    expect(await take(first, { uploaderId: owner.id, before })).toBe(before);
    expect(await take(second, { uploaderId: owner.id, before })).toBe(pictureIdOf(second));
    const input = { id: pictureIdOf(first), width: 8, format: 'webp' } as const;
    await expect(readPicture(ctx, input)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is too late after a day, or an hour for somebody without an account', async () => {
    const owner = await createUser(ctx);
    const [own, anonymous] = [await uploadBy(owner), await uploadBy(null)];
    ctx.clock.advanceDays(1 / 24);
    await expect(take(anonymous)).rejects.toMatchObject({ code: 'bad_input' });
    ctx.clock.advanceDays(1);
    await expect(take(own, { uploaderId: owner.id })).rejects.toMatchObject({ code: 'bad_input' });
  });
});

describe('the clean-up', () => {
  it('removes the files of discarded and expired pictures, and no others', async () => {
    ctx.clock.advanceDays(2);
    await cleanUpPictures(ctx);
    const owner = await createUser(ctx);
    const [taken, expired, replaced] = [await uploadBy(owner), await uploadBy(owner), await uploadBy(owner)];
    await take(taken, { uploaderId: owner.id });
    const before = await take(replaced, { uploaderId: owner.id });
    await take(null, { before });
    const kept = (await files()).filter((name) => name.startsWith(pictureIdOf(taken)));
    expect(kept).toHaveLength(6);
    const removed = [expired, replaced].map((url) => `${pictureIdOf(url)}-8-webp`);
    for (const name of removed) expect(await ctx.providers.storage.get(name)).not.toBeNull();

    expect(await cleanUpPictures(ctx)).toBe(1);
    ctx.clock.advanceDays(1);
    expect(await cleanUpPictures(ctx)).toBe(1);
    for (const name of removed) expect(await ctx.providers.storage.get(name)).toBeNull();
    for (const name of kept) expect(await ctx.providers.storage.get(name)).not.toBeNull();
  });
});
