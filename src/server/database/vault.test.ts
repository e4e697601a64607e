import { beforeEach, expect, it } from 'vitest';
import { ClosedError, createVault, keyReference } from '#server/core/crypto.ts';
import { rotateKeys } from '#server/oversight/backup/rotation.ts';
import { setUpContext } from '#tests/support/builders.ts';
import { keysInUse, lookAtVault, openPushKeys, openVault } from './vault.ts';

const ctx = setUpContext();
beforeEach(() => ctx.db.deleteFrom('vaultKeys').execute());
const [FIRST, NEWEST, FOREIGN] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte)) as [Buffer, Buffer, Buffer];
const silent = () => {};
const pairOf = (pair: string) => async () => pair;

it('holds nothing before the first start, and looking at it adds nothing', async () => {
  for (let time = 0; time < 2; time += 1)
    expect(await lookAtVault(ctx.db, [FIRST])).toEqual({ fits: null, hasPushKeys: false });
  expect(await keysInUse(ctx.db, [NEWEST, FIRST])).toEqual([NEWEST, FIRST].map(keyReference));
});

it('keeps the fingerprints of its oldest key at the first start, whichever key is the newest later', async () => {
  const { fingerprint } = await openVault(ctx.db, [NEWEST, FOREIGN, FIRST]);
  const expected = createVault([FIRST]).fingerprint('SAVE20');
  expect(fingerprint('SAVE20')).toBe(expected);
  expect((await openVault(ctx.db, [FOREIGN, NEWEST])).fingerprint('SAVE20')).toBe(expected);
});

it('is refused to keys that are not its own, with what to do', async () => {
  await openVault(ctx.db, [FIRST]);
  const refused = openVault(ctx.db, [FOREIGN]);
  await expect(refused).rejects.toThrow('SECRET_KEY does not fit this database');
  await expect(refused).rejects.toMatchObject({ cause: expect.any(ClosedError) });
  expect(await lookAtVault(ctx.db, [FOREIGN])).toEqual({ fits: false, hasPushKeys: false });
  expect(await lookAtVault(ctx.db, [FIRST])).toEqual({ fits: true, hasPushKeys: false });
});

it('makes one pair of keys for push services, also for two processes that start at once', async () => {
  const vault = await openVault(ctx.db, [FIRST]);
  const ofSlower = await openPushKeys(ctx.db, vault, async () => {
    await openPushKeys(ctx.db, vault, pairOf('the faster one’s'));
    return 'the slower one’s';
  });
  expect(ofSlower).toBe('the faster one’s');
  expect(await openPushKeys(ctx.db, vault, pairOf('a later one’s'))).toBe('the faster one’s');
  expect(await lookAtVault(ctx.db, [FIRST])).toEqual({ fits: true, hasPushKeys: true });
});

it('needs its older keys until everything is sealed under the newest', async () => {
  await openVault(ctx.db, [FIRST]);
  const vault = await openVault(ctx.db, [NEWEST, FIRST]);
  expect(await keysInUse(ctx.db, [NEWEST, FIRST])).toEqual([NEWEST, FIRST].map(keyReference));
  await rotateKeys({ ...ctx, vault }, silent);
  expect(await keysInUse(ctx.db, [NEWEST, FIRST])).toEqual([keyReference(NEWEST)]);
});
