import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { generateSync } from 'otplib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { STATEMENT_TYPE } from '#contract/oversight/proofs.ts';
import type { Actor } from '#server/context/context.ts';
import { createVault, keyReference, type SecretKeys } from '#server/core/crypto.ts';
import { codeContext } from '#server/coupons/core/view.ts';
import { publishedKeys, verify } from '#server/coupons/exposures/keys.ts';
import { issueStatement } from '#server/coupons/exposures/service.ts';
import { openCodes, toImageFile } from '#server/coupons/images/view.ts';
import { keysInUse, openPushKeys, openVault } from '#server/database/vault.ts';
import { rotateKeys } from '#server/oversight/backup/rotation.ts';
import { checkProofs } from '#server/oversight/proofs/checking.ts';
import { makeRoot } from '#server/oversight/proofs/roots.ts';
import {
  enableSecondFactor,
  renewRecoveryCodes,
  secondFactorContext,
  startSecondFactor,
} from '#server/people/accounts/second-factor.ts';
import { createPushKeys } from '#server/providers/push/open-push.ts';
import { createFolderStorage } from '#server/providers/storage/folder-storage.ts';
import {
  actingAs,
  createCoupon,
  createTestContext,
  createUser,
  TEST_PASSWORD,
  type TestContext,
  type TestCoupon,
} from '#tests/support/builders.ts';
import { codeOf, listCoupon } from '#tests/support/coupons.ts';
import { setUpDatabase } from '#tests/support/database.ts';
import { insertImage } from '#tests/support/images.ts';
import { shortOrLong } from '#tests/support/rounds.ts';
import { bundleOf } from '../processes.ts';

const [OLD, NEW] = [randomBytes(32), randomBytes(32)];
const COUPONS = shortOrLong(1_050, 20_000);
const PICTURES = shortOrLong(5, 1_000);
const PROGRAM = path.resolve(import.meta.dirname, '../../scripts/programs/rotate-keys.ts');
const silent = () => {};

const database = setUpDatabase();
let folder: string;
let owner: Actor;
let listed: TestCoupon;
/** Has a second factor. */
let careful: Actor;
/** The key of their authenticator app, and a recovery code. */
let appKey: string;
let recoveryCode: string;
let pushKeys: string;
/** A statement that was signed before. */
let statement: string;
let pictures: Awaited<ReturnType<typeof insertImage>>[];
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'clipswap-rotation-'));
  const ctx = await contextOf([OLD]);
  owner = await createUser(ctx);
  for (let count = 0; count < COUPONS; count += 1) listed = await createCoupon(ctx, owner);
  ({ statement } = await issueStatement(actingAs(ctx, owner), listed.id));
  await makeRoot(ctx);
  careful = await createUser(ctx);
  appKey = (await startSecondFactor(actingAs(ctx, careful), { password: TEST_PASSWORD }, null)).secret;
  const enabled = await enableSecondFactor(actingAs(ctx, careful), { code: appCode(ctx) }, null);
  recoveryCode = enabled.recoveryCodes[0] ?? '';
  pushKeys = await openPushKeys(database.db, ctx.vault, createPushKeys);
  pictures = [];
  for (let count = 0; count < PICTURES; count += 1)
    pictures.push(await insertImage(ctx, owner, { code: `PICTURED-${count}` }));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What a process with these keys works with. */
async function contextOf(keys: SecretKeys): Promise<TestContext> {
  const ctx = createTestContext(database, { providers: { storage: createFolderStorage(folder) } });
  return { ...ctx, vault: await openVault(database.db, keys) };
}

const appCode = ({ clock }: TestContext) =>
  generateSync({ secret: appKey, epoch: clock().getTime() / 1_000 });

/** Runs the program in a process of its own. */
async function startRotation(keys: SecretKeys): Promise<{ child: ChildProcess; said: () => string }> {
  const child = spawn(process.execPath, [await bundleOf(PROGRAM)], {
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'test',
      LOG_LEVEL: 'warn',
      DATABASE_URL: database.url,
      FILES_DIR: folder,
      SECRET_KEY: keys.map((key) => key.toString('base64')).join(','),
    },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (said += chunk));
  return { child, said: () => said };
}

/** How many codes, pictures and second factors each key opens. */
async function countOpened(key: Buffer): Promise<Record<'codes' | 'pictures' | 'secondFactors', number>> {
  const vault = createVault([key]);
  const opens = (open: () => unknown) => {
    try {
      open();
      return true;
    } catch {
      return false;
    }
  };
  const secrets = await database.db.selectFrom('couponSecrets').selectAll().execute();
  const storage = createFolderStorage(folder);
  let files = 0;
  for (const { id } of pictures) {
    const sealed = await storage.get(id);
    if (sealed && opens(() => vault.openBytes(sealed, `image:${id}`))) files += 1;
  }
  const codes = secrets.filter(({ couponId, code }) => opens(() => vault.open(code, codeContext(couponId))));
  const factors = await database.db.selectFrom('secondFactors').select(['userId', 'secret']).execute();
  const secondFactors = factors.filter(({ userId, secret }) =>
    opens(() => vault.open(secret, secondFactorContext(userId))),
  );
  return { codes: codes.length, pictures: files, secondFactors: secondFactors.length };
}

it('a rotation that is killed half-way is finished by the next one, while people go on', async () => {
  const first = await startRotation([NEW, OLD]);
  // Killed between two portions of codes: some are under the new key, others under the old one.
  while (!first.said().includes('500 codes')) await once(first.child.stderr ?? first.child, 'data');
  first.child.kill('SIGKILL');
  await once(first.child, 'exit');
  const halfway = await countOpened(NEW);
  expect(halfway.codes).toBeGreaterThanOrEqual(500);
  expect(halfway.codes + (await countOpened(OLD)).codes).toBe(COUPONS);
  expect(halfway).not.toEqual({ codes: COUPONS, pictures: PICTURES, secondFactors: 1 });
  expect(await keysInUse(database.db, [NEW, OLD])).toEqual([NEW, OLD].map(keyReference));

  const running = await contextOf([NEW, OLD]);
  expect(await codeOf(running, owner, listed.id)).toBe(listed.code);
  const meanwhile = await listCoupon(running, owner, { codeValue: 'LISTED-MEANWHILE' });
  const second = await startRotation([NEW, OLD]);
  await once(second.child, 'exit');
  expect(second.said()).toContain('The other keys can be removed from SECRET_KEY.');
  expect(second.child.exitCode).toBe(0);

  expect(await countOpened(OLD)).toEqual({ codes: 0, pictures: 0, secondFactors: 0 });
  expect(await countOpened(NEW)).toEqual({ codes: COUPONS + 1, pictures: PICTURES, secondFactors: 1 });
  expect(await keysInUse(database.db, [NEW, OLD])).toEqual([keyReference(NEW)]);

  // The old key is gone: everything opens, and a code that was listed under it is known again.
  const after = await contextOf([NEW]);
  expect(await openPushKeys(database.db, after.vault, createPushKeys)).toBe(pushKeys);
  expect(await codeOf(after, owner, listed.id)).toBe(listed.code);
  expect(await codeOf(after, owner, meanwhile.id)).toBe('LISTED-MEANWHILE');
  for (const [index, { id, bytes }] of pictures.entries()) {
    const sealed = (await after.providers.storage.get(id)) ?? Buffer.alloc(0);
    expect(toImageFile(after.vault, { id, contentType: 'image/png' }, sealed).bytes).toEqual(bytes);
    const row = await database.db
      .selectFrom('images')
      .select('codes')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(openCodes(after.vault, { id, ...row })[0]?.text).toBe(`PICTURED-${index}`);
  }
  after.clock.advanceDays(1);
  // What the old key has signed stays valid, and a new key signs.
  const read = (jws: string) => verify(after, STATEMENT_TYPE, jws);
  expect(await publishedKeys(after)).toHaveLength(2);
  expect(await read(statement)).toMatchObject({ coupon: listed.id });
  const next = (await issueStatement(actingAs(after, owner), listed.id)).statement;
  expect(await read(next)).toMatchObject({ coupon: listed.id });
  expect(next.split('.')[0]).not.toBe(statement.split('.')[0]);
  await makeRoot(after);
  expect((await checkProofs(after)).broken).toEqual([]);
  await renewRecoveryCodes(actingAs(after, careful), { code: recoveryCode });
  await renewRecoveryCodes(actingAs(after, careful), { code: appCode(after) });
  const other = await createUser(after);
  const again = { merchant: listed.merchant, codeValue: listed.code?.toLowerCase() };
  await expect(listCoupon(after, other, again)).rejects.toThrow('This coupon code is already listed');
});

it('a key that does not fit the database is refused at start', async () => {
  await expect(contextOf([randomBytes(32)])).rejects.toThrow('SECRET_KEY does not fit this database');
});

it('what no key opens is named and left as it is, and the older keys stay in use', async () => {
  const [newer, newest] = [randomBytes(32), randomBytes(32)];
  const ctx = await contextOf([NEW]);
  const { id } = await createCoupon(ctx, owner);
  const foreign = createVault([newer]).seal('LOST', codeContext(id));
  await ctx.db.updateTable('couponSecrets').set({ code: foreign }).where('couponId', '=', id).execute();
  const rotating = await contextOf([newest, NEW]);
  const foreignKey = createVault([newer]).seal('LOST', secondFactorContext(careful.id));
  await ctx.db
    .updateTable('secondFactors')
    .set({ secret: foreignKey })
    .where('userId', '=', careful.id)
    .execute();
  const { closed } = await rotateKeys(rotating, silent);
  expect(closed).toEqual([`the code of coupon ${id}`, `the second factor of user ${careful.id}`]);
  expect(await keysInUse(ctx.db, [newest, NEW])).toEqual([newest, NEW].map(keyReference));
  const row = ctx.db.selectFrom('couponSecrets').select('code').where('couponId', '=', id);
  expect((await row.executeTakeFirstOrThrow()).code).toEqual(foreign);
});
