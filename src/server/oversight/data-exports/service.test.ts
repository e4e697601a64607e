import { randomBytes } from 'node:crypto';
import { strFromU8, type Unzipped, unzipSync } from 'fflate';
import { beforeEach, describe, expect, it } from 'vitest';
import { LANGUAGE_CODES } from '#contract/base/i18n.ts';
import type { Actor } from '#server/context/context.ts';
import { inLanguage } from '#server/core/language.ts';
import { inTransaction } from '#server/database/client.ts';
import { notify } from '#server/people/notifications/service.ts';
import { replacePicture, uploadPicture } from '#server/people/pictures/service.ts';
import { createMemoryStorage } from '#server/providers/storage/memory-storage.ts';
import { type FileStorage, StorageFailure } from '#server/providers/storage/storage.ts';
import { headIn } from '#server/readers/tables/table-columns.ts';
import { readTable } from '#server/readers/tables/tables.ts';
import {
  actingAs,
  createCoupon,
  createTestContext,
  createUser,
  TEST_PASSWORD,
  type TestContext,
} from '#tests/support/builders.ts';
import { setUpDatabase } from '#tests/support/database.ts';
import { plainPicture } from '#tests/support/pictures.ts';
import { ofReader } from '#tests/support/said.ts';
import { couponColumns } from './archive.ts';
import {
  cleanUpExports,
  forgetExports,
  latestExport,
  makeExports,
  readPart,
  requestExport,
} from './service.ts';

const database = setUpDatabase();
let ctx: TestContext;
let stored: Set<string>;
let isStorageDown: boolean;
let owner: Actor;

/** Counts what is stored, and fails while `isStorageDown`. */
function watchedStorage(storage: FileStorage): FileStorage {
  return {
    put: async (name, bytes) => {
      if (isStorageDown) throw new StorageFailure('The storage did not answer');
      stored.add(name);
      await storage.put(name, bytes);
    },
    get: (name) => storage.get(name),
    remove: async (name) => {
      stored.delete(name);
      await storage.remove(name);
    },
  };
}

beforeEach(async () => {
  [stored, isStorageDown] = [new Set(), false];
  const base = createTestContext(database);
  ctx = { ...base, providers: { ...base.providers, storage: watchedStorage(createMemoryStorage()) } };
  owner = await createUser(ctx);
  await database.db.deleteFrom('dataExports').execute();
});

const ask = (given: { hasCodes?: boolean; confirmPassword?: string } = {}, person = owner) =>
  requestExport(actingAs(ctx, person), { hasCodes: false, ...given });
const WITH_CODES = { hasCodes: true, confirmPassword: TEST_PASSWORD };

async function download(person = owner): Promise<Unzipped> {
  const bytes: Uint8Array[] = [];
  let parts = 1;
  for (let part = 0; part < parts; part += 1) {
    const read = await readPart(actingAs(ctx, person), { part });
    bytes.push(read.bytes);
    parts = read.parts;
  }
  return unzipSync(Buffer.concat(bytes));
}

const textOf = (files: Unzipped, name: string) => strFromU8(files[name] ?? new Uint8Array());
const rowsOf = (files: Unzipped, name: string): Record<string, unknown>[] => JSON.parse(textOf(files, name));
const reveals = () =>
  ctx.db.selectFrom('couponReveals').select('couponId').where('userId', '=', owner.id).execute();

describe('the copy', () => {
  it('is made by the job and has what is the person’s, and nothing of others', async () => {
    const [mine, theirs] = [
      await createCoupon(ctx, owner, { title: 'Soup for two' }),
      await createCoupon(ctx, await createUser(ctx), { title: 'Not mine' }),
    ];
    expect(await ask()).toMatchObject({ state: 'making', hasCodes: false });
    expect(await makeExports(ctx)).toBe(1);
    expect(await latestExport(actingAs(ctx, owner))).toMatchObject({
      state: 'ready',
      endsAt: '2035-06-16T12:00:00.000Z',
    });
    const files = await download();
    expect(rowsOf(files, 'account.json')).toMatchObject([
      { id: owner.id, username: owner.username, email: `${owner.username}@example.org` },
    ]);
    expect(rowsOf(files, 'coupons.json')).toMatchObject([
      { id: mine.id, title: 'Soup for two', value: 1000 },
    ]);
    const all = Object.values(files)
      .map((bytes) => strFromU8(bytes))
      .join('\n');
    expect(all).not.toContain('Not mine');
    for (const secret of [mine.code, theirs.code, '$argon2id$']) expect(all).not.toContain(secret);
    expect(textOf(files, 'READ ME.txt')).toContain('coupons.json: Your coupons, without their codes (1)');
    expect(await reveals()).toEqual([]);
  });

  it('has a schema with every field of every file', async () => {
    await createCoupon(ctx, owner);
    await ask();
    await makeExports(ctx);
    const files = await download();
    const { $defs } = JSON.parse(textOf(files, 'schema.json'));
    const lists = Object.keys(files).filter((name) => name.endsWith('.json') && name !== 'schema.json');
    expect(Object.keys($defs).sort()).toEqual(lists.sort());
    for (const name of ['account.json', 'coupons.json', 'data-exports.json']) {
      const { required, properties } = $defs[name].items;
      const [row = {}] = rowsOf(files, name);
      expect(Object.keys(row).sort(), name).toEqual([...required].sort());
      expect(Object.keys(properties).sort()).toEqual([...required].sort());
    }
  });

  it('has the codes only after the password, in a table that can be read again, and records the views', async () => {
    const { id, code } = await createCoupon(ctx, owner, {
      title: '=1+1 soup',
      value: 2_050,
      merchant: 'Ladle',
    });
    await expect(ask({ hasCodes: true, confirmPassword: 'wrong' })).rejects.toMatchObject({
      code: 'bad_input',
      issues: [{ path: 'confirmPassword' }],
    });
    await ask(WITH_CODES);
    await makeExports(ctx);
    const files = await download();
    const table = textOf(files, 'coupons.csv');
    expect(table).toContain("'=1+1 soup");
    const { rows } = await readTable({ text: table, dateOrder: 'dayFirst' });
    expect(rows).toMatchObject([
      {
        coupon: { merchant: 'Ladle', value: '20.50', discountType: 'fixed', code, expiryDate: '2035-07-15' },
      },
    ]);
    expect(await reveals()).toEqual([{ couponId: id }]);

    const at = ctx.clock();
    await ctx.db
      .insertInto('secondFactors')
      .values({ userId: owner.id, secret: Buffer.from('x'), createdAt: at, enabledAt: at })
      .execute();
    await expect(download()).rejects.toMatchObject({ code: 'second_factor_required' });
  });

  it('has the pictures', async () => {
    const member = actingAs(ctx, owner);
    const { url } = await uploadPicture(member, { kind: 'profile', bytes: await plainPicture() });
    await inTransaction(ctx.db, async (trx) => {
      const given = {
        kind: 'profile',
        field: 'profileImageUrl',
        uploaderId: owner.id,
        before: null,
      } as const;
      const pictureId = await replacePicture(trx, { url, ...given, at: ctx.clock() });
      await trx.updateTable('users').set({ pictureId }).where('id', '=', owner.id).execute();
    });
    await ask();
    await makeExports(ctx);
    const files = await download();
    expect(strFromU8((files['pictures/profile.webp'] ?? new Uint8Array()).subarray(8, 12))).toBe('WEBP');
  });

  it('has all rows of a long list', async () => {
    const values = Array.from({ length: 1_203 }, () => ({
      userId: owner.id,
      type: 'other',
      content: 'News',
      link: '/',
      createdAt: ctx.clock(),
    }));
    await ctx.db.insertInto('notifications').values(values).execute();
    await ask();
    await makeExports(ctx);
    const ids = rowsOf(await download(), 'notifications.json').map(({ id }) => id);
    expect(new Set(ids).size).toBe(values.length);
    expect(ids).toHaveLength(values.length);
  });

  it('has our texts in the person’s language', async () => {
    await ctx.db.updateTable('users').set({ language: 'fr' }).where('id', '=', owner.id).execute();
    const news = { userId: owner.id, type: 'other' as const, relatedId: null, link: '/', at: ctx.clock() };
    await inTransaction(ctx.db, (trx) =>
      notify(trx, { ...news, content: ofReader(), mailSubject: ofReader() }),
    );
    await ask();
    await makeExports(ctx);
    const files = await download();
    const [notification] = rowsOf(files, 'notifications.json');
    expect(notification).toMatchObject({ content: 'In fr', link: '/' });
    expect(notification).not.toHaveProperty('text');
    expect(rowsOf(files, 'emails.json')).toMatchObject([{ subject: 'In fr', body: 'In fr' }]);
  });

  it('is whole if it takes several parts', async () => {
    const body = randomBytes(6_000_000).toString('base64');
    const mail = { kind: 'status_changed', subject: 'Long', createdAt: ctx.clock(), nextTryAt: ctx.clock() };
    await ctx.db
      .insertInto('mailOutbox')
      .values({ ...mail, userId: owner.id, body })
      .execute();
    await ask();
    await makeExports(ctx);
    expect(stored.size).toBe(2);
    expect(rowsOf(await download(), 'emails.json')).toMatchObject([{ subject: 'Long', body }]);
  });
});

describe('who may read it, and how long', () => {
  const GONE = { code: 'not_found' };

  it('is the person’s alone, and gone after a day', async () => {
    await ask();
    await expect(download()).rejects.toMatchObject(GONE);
    await makeExports(ctx);
    const other = await createUser(ctx);
    await expect(download(other)).rejects.toMatchObject(GONE);
    await expect(readPart(actingAs(ctx, owner), { part: 1 })).rejects.toMatchObject(GONE);
    expect(stored.size).toBe(1);
    ctx.clock.advanceDays(1.01);
    await expect(download()).rejects.toMatchObject(GONE);
    expect(await latestExport(actingAs(ctx, owner))).toMatchObject({ state: 'none' });
    await cleanUpExports(ctx);
    expect(stored.size).toBe(0);
    expect(await ctx.db.selectFrom('dataExports').select('id').execute()).toEqual([]);
  });

  it('a new one replaces it', async () => {
    await ask(WITH_CODES);
    await expect(ask()).rejects.toMatchObject({ code: 'conflict' });
    await makeExports(ctx);
    expect(await ask()).toMatchObject({ state: 'making', hasCodes: false });
    await expect(download()).rejects.toMatchObject(GONE);
    await makeExports(ctx);
    await cleanUpExports(ctx);
    expect(stored.size).toBe(1);
  });

  it('of somebody who leaves is gone, also while it is being made', async () => {
    await ask();
    await inTransaction(ctx.db, (trx) => forgetExports(trx, owner.id, ctx.clock()));
    expect(await makeExports(ctx)).toBe(0);
    expect(stored.size).toBe(0);
  });
});

describe('a copy that cannot be made', () => {
  it('is tried again, and given up in the end', async () => {
    await ask();
    isStorageDown = true;
    for (let nth = 1; nth <= 5; nth += 1) {
      expect(await latestExport(actingAs(ctx, owner))).toMatchObject({ state: 'making' });
      expect(await makeExports(ctx)).toBe(0);
      ctx.clock.advanceDays(0.02);
    }
    expect(await latestExport(actingAs(ctx, owner))).toMatchObject({ state: 'failed' });
    isStorageDown = false;
    await ask();
    expect(await makeExports(ctx)).toBe(1);
  });
});

it('mails the person when it is ready', async () => {
  await ask();
  await makeExports(ctx);
  const mails = await ctx.db
    .selectFrom('mailOutbox')
    .select(['kind', 'address', 'link'])
    .where('userId', '=', owner.id)
    .execute();
  expect(mails).toEqual([{ kind: 'data_export', address: null, link: '/profile-settings#your-data' }]);
});

it.each(LANGUAGE_CODES)(
  'the table of coupons names its columns in a way that can be read again: %s',
  (language) => {
    const names = inLanguage(language, () => Object.values(couponColumns()));
    const cells = names.map((text) => ({ text }));
    expect(headIn([{ line: 1, cells }])).toMatchObject({ unused: [] });
  },
);
