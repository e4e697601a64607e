import { setTimeout as sleep } from 'node:timers/promises';
import { importSPKI, jwtVerify } from 'jose';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { updateCouponInputSchema } from '#contract/coupons/coupons.ts';
import type { Wallet } from '#contract/coupons/wallet-passes.ts';
import type { Actor } from '#server/context/context.ts';
import { revealCode } from '#server/coupons/codes/reveals.ts';
import { type Database, inTransaction, type Trx } from '#server/database/client.ts';
import { markUsed, removeCoupon, updateCoupon } from '#server/deals/coupon-changes/service.ts';
import { readPass } from '#server/readers/pictures/passes.ts';
import {
  actingAs,
  createCoupon,
  createUser,
  setUpFreshContext,
  type TestCoupon,
} from '#tests/support/builders.ts';
import { PASS_TYPE, setUpWallets } from '#tests/support/wallets.ts';
import { latestPass, listChangedPasses, registerDevice, unregisterDevice } from './devices.ts';
import { tokenOf } from './making.ts';
import { addPass, forgetVoidPasses, readPassFile, tellWallets } from './service.ts';

const sandbox = setUpWallets();
const base = setUpFreshContext();
let ctx: typeof base;
let owner: Actor;
let other: Actor;
let soup: TestCoupon;
beforeEach(async () => {
  ctx = { ...base, providers: { ...base.providers, wallets: sandbox.wallets } };
  owner = await createUser(ctx);
  other = await createUser(ctx);
  soup = await createCoupon(ctx, owner, { title: 'Soup', merchant: 'Kettle', terms: 'Evenings.' });
  sandbox.push.pushes.length = 0;
  sandbox.push.isDown = false;
  sandbox.google.objects.clear();
  sandbox.google.isDown = false;
});

const add = (wallet: Wallet, person = owner) => addPass(actingAs(ctx, person), { id: soup.id, wallet });
const views = async () => (await revealCode(actingAs(ctx, owner), soup.id)).reveals.length - 1;
const passes = () =>
  ctx.db
    .selectFrom('walletPasses')
    .select(['id', 'wallet', 'voidedAt', 'dueAt'])
    .where('couponId', '=', soup.id)
    .orderBy('addedAt')
    .execute();
const serialOf = async (wallet: Wallet) =>
  (await passes()).findLast((one) => one.wallet === wallet)?.id ?? '';
const transfer = () =>
  inTransaction(ctx.db, (trx) =>
    trx.updateTable('coupons').set({ ownerId: other.id }).where('id', '=', soup.id).execute(),
  );
const rename = (title: string) =>
  updateCoupon(actingAs(ctx, owner), updateCouponInputSchema.parse({ id: soup.id, title }));
const proof = (serial: string) => ({
  passType: PASS_TYPE,
  serial,
  authorization: `ApplePass ${tokenOf(ctx, serial)}`,
});
const objectOf = async () => sandbox.google.objects.get(`3388000000012345678.${await serialOf('google')}`);

describe('adding a code to a wallet', () => {
  it('is a view of the code, once', async () => {
    await expect(add('apple')).resolves.toEqual({ url: `/api/coupons/${soup.id}/wallet-pass.pkpass` });
    const { bytes } = await readPassFile(actingAs(ctx, owner), soup.id);
    expect((await readPass(bytes).catch((error: unknown) => error)) as Error).toMatchObject({
      problem: 'no_barcode',
    });
    expect(await views()).toBe(1);
  });

  it('again gives the same pass', async () => {
    await add('apple');
    const serial = await serialOf('apple');
    await add('apple');
    expect(await passes()).toMatchObject([{ id: serial }]);
  });

  it.each(['user', 'moderator', 'admin'] as const)('is refused to another %s', async (role) => {
    const stranger = await createUser(ctx, { role });
    await expect(add('google', stranger)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(readPassFile(actingAs(ctx, stranger), soup.id)).rejects.toMatchObject({ code: 'forbidden' });
    expect(sandbox.google.objects.size).toBe(0);
  });

  it('asks for the second factor where showing the code does', async () => {
    await ctx.db
      .insertInto('secondFactors')
      .values({ userId: owner.id, secret: Buffer.from('x'), createdAt: ctx.clock(), enabledAt: ctx.clock() })
      .execute();
    const session = { isNewBrowser: true, confirmedAt: null };
    await expect(
      addPass({ ...actingAs(ctx, owner), session }, { id: soup.id, wallet: 'apple' }),
    ).rejects.toMatchObject({ code: 'second_factor_required' });
  });

  it('is refused for a used coupon, and where no wallet is set up', async () => {
    ctx = { ...ctx, providers: base.providers };
    await expect(add('apple')).rejects.toMatchObject({ code: 'not_found' });
    ctx = { ...ctx, providers: { ...base.providers, wallets: sandbox.wallets } };
    await markUsed(actingAs(ctx, owner), soup.id);
    await expect(add('apple')).rejects.toMatchObject({ code: 'conflict' });
  });

  it('gives Google the code by its API, and the browser a signed link with ids only', async () => {
    const { url } = await add('google');
    expect(await objectOf()).toMatchObject({
      state: 'ACTIVE',
      cardTitle: { defaultValue: { value: 'Kettle' } },
      header: { defaultValue: { value: 'Soup' } },
      barcode: { type: 'TEXT_ONLY', value: soup.code },
      textModulesData: expect.arrayContaining([{ id: 'terms', header: 'Terms', body: 'Evenings.' }]),
    });
    const token = url.replace('https://pay.google.com/gp/v/save/', '');
    const key = await importSPKI(sandbox.googleKey, 'RS256');
    const { payload } = await jwtVerify(token, key, { audience: 'google' });
    expect(payload).toMatchObject({ typ: 'savetowallet', origins: ['http://localhost'] });
    const serial = await serialOf('google');
    expect(payload.payload).toEqual({
      genericObjects: [
        {
          id: `3388000000012345678.${serial}`,
          classId: '3388000000012345678.clipswap_coupon',
        },
      ],
    });
  });

  it('says so when Google does not answer', async () => {
    sandbox.google.isDown = true;
    await expect(add('google')).rejects.toMatchObject({ code: 'unavailable' });
  });
});

/** Whatever makes the holder no longer the coupon's, by the product's own acts. */
const ENDS: readonly (readonly [string, () => Promise<unknown>])[] = [
  ['given away', transfer],
  ['used', () => markUsed(actingAs(ctx, owner), soup.id)],
  ['deleted', () => removeCoupon(actingAs(ctx, owner), soup.id)],
  [
    'of a person who is banned',
    () => ctx.db.updateTable('users').set({ status: 'banned' }).where('id', '=', owner.id).execute(),
  ],
  [
    'of a deleted account',
    () => ctx.db.updateTable('users').set({ deletedAt: ctx.clock() }).where('id', '=', owner.id).execute(),
  ],
];

describe('the passes of a coupon that was', () => {
  beforeEach(async () => {
    await add('apple');
    await add('google');
    await registerDevice(ctx, { ...proof(await serialOf('apple')), deviceId: 'phone', pushToken: 'p1' });
  });

  it.each(ENDS)('%s become void, for good, and lose the code', async (_what, act) => {
    await act();
    expect(await tellWallets(ctx)).toBe(2);
    expect(sandbox.push.pushes).toEqual([{ token: 'p1', topic: PASS_TYPE, body: '{}' }]);
    const object = await objectOf();
    expect(object).toMatchObject({ state: 'INACTIVE' });
    expect(JSON.stringify(object)).not.toMatch(/Soup|Kettle/);
    expect(object?.barcode).toBeUndefined();
    const serial = await serialOf('apple');
    const { bytes } = await latestPass(ctx, proof(serial));
    await expect(readPass(bytes ?? Buffer.of())).rejects.toMatchObject({ problem: 'used_pass' });
    expect(Buffer.from(bytes ?? Buffer.of()).includes(String(soup.code))).toBe(false);
    expect(await tellWallets(ctx)).toBe(0);
    await ctx.db
      .updateTable('coupons')
      .set({ ownerId: owner.id, deletedAt: null, usedAt: null, wasListed: false })
      .where('id', '=', soup.id)
      .execute();
    expect((await passes()).every(({ voidedAt }) => voidedAt !== null)).toBe(true);
  });

  it('edited change, in their holder’s language, and each new showing is recorded', async () => {
    await ctx.db.updateTable('users').set({ language: 'fr' }).where('id', '=', owner.id).execute();
    await rename('Soup of the day');
    ctx.clock.advanceDays(1);
    expect(await tellWallets(ctx)).toBe(2);
    expect(sandbox.push.pushes).toHaveLength(1);
    expect(await objectOf()).toMatchObject({
      header: { defaultValue: { value: 'Soup of the day', language: 'fr-CA' } },
      barcode: { value: soup.code },
    });
    ctx.clock.advanceDays(1);
    const { bytes } = await latestPass(ctx, proof(await serialOf('apple')));
    expect(bytes?.byteLength).toBeGreaterThan(1_000);
    expect(await views()).toBe(3);
  });

  it('given away are told again until it works, and given up in the end', async () => {
    await transfer();
    sandbox.push.isDown = true;
    sandbox.google.isDown = true;
    expect(await tellWallets(ctx)).toBe(0);
    expect(await tellWallets(ctx)).toBe(0);
    sandbox.push.isDown = false;
    ctx.clock.advanceDays(1);
    expect(await tellWallets(ctx)).toBe(1);
    for (let day = 0; day < 40; day += 1) {
      await tellWallets(ctx);
      ctx.clock.advanceDays(1);
    }
    expect((await passes()).map(({ dueAt }) => dueAt)).toEqual([null, null]);
  });

  it('given away are forgotten a year later', async () => {
    await transfer();
    // The database's clock says since when they have been void.
    ctx.clock.set(new Date());
    await forgetVoidPasses(ctx);
    expect(await passes()).toHaveLength(2);
    ctx.clock.advanceDays(366);
    await forgetVoidPasses(ctx);
    expect(await passes()).toEqual([]);
  });
});

describe('the database', () => {
  it('has no pass for somebody else, and lets none change hands', async () => {
    const pass = { id: 'B'.repeat(22), couponId: soup.id, wallet: 'apple', addedAt: ctx.clock() } as const;
    const insert = (holderId: number) =>
      ctx.db
        .insertInto('walletPasses')
        .values({ ...pass, holderId })
        .execute();
    await expect(insert(other.id)).rejects.toMatchObject({ constraint: 'wallet_passes_holder' });
    await insert(owner.id);
    await expect(
      ctx.db.updateTable('walletPasses').set({ holderId: other.id }).execute(),
    ).rejects.toMatchObject({ constraint: 'wallet_passes_holder' });
    await ctx.db.updateTable('users').set({ status: 'banned' }).where('id', '=', owner.id).execute();
    await ctx.db.deleteFrom('walletPasses').execute();
    await expect(insert(owner.id)).rejects.toMatchObject({ constraint: 'wallet_passes_holder' });
  });

  it('waits for a transfer and for a ban that are being written', async () => {
    // As a ban locks its person.
    const ban = (trx: Trx) =>
      trx.selectFrom('users').select('id').where('id', '=', other.id).forUpdate().execute();
    const give = (trx: Trx) =>
      trx.updateTable('coupons').set({ ownerId: other.id }).where('id', '=', soup.id).execute();
    for (const [act, holder] of [
      [give, owner],
      [ban, other],
    ] as const) {
      let adding: Promise<unknown> = Promise.resolve();
      await inTransaction(ctx.db, async (trx) => {
        await act(trx);
        adding = add('apple', holder).catch((error: unknown) => error);
        await waitForLock(ctx.db);
        if (act === ban)
          await trx.updateTable('users').set({ status: 'banned' }).where('id', '=', other.id).execute();
      });
      expect(await adding).toBeInstanceOf(Error);
    }
    expect(await passes()).toEqual([]);
  });
});

/** Until somebody waits for a lock in this database. */
async function waitForLock(db: Database): Promise<void> {
  for (;;) {
    const { rows } = await sql`select from pg_stat_activity
      where wait_event_type = 'Lock' and datname = current_database()`.execute(db);
    if (rows.length > 0) return;
    await sleep(10);
  }
}

describe('a device', () => {
  it('is told of changes, until nobody has its token any more', async () => {
    await add('apple');
    const serial = await serialOf('apple');
    const device = { ...proof(serial), deviceId: 'phone' };
    expect(await registerDevice(ctx, { ...device, pushToken: 'p1' })).toEqual({ isNew: true });
    expect(await registerDevice(ctx, { ...device, pushToken: 'p2' })).toEqual({ isNew: false });
    const asks = (since?: string) =>
      listChangedPasses(ctx, { passType: PASS_TYPE, deviceId: 'phone', since });
    expect((await asks()).serialNumbers).toEqual([serial]);
    const later = String(Math.floor(Date.now() / 1_000) + 3_600);
    expect((await asks(later)).serialNumbers).toEqual([]);
    sandbox.push.gone.add('p2');
    await transfer();
    await tellWallets(ctx);
    expect(sandbox.push.pushes).toEqual([]);
    expect((await asks()).serialNumbers).toEqual([]);
  });

  it('may leave, and a pass has few of them', async () => {
    await add('apple');
    const serial = await serialOf('apple');
    for (let nth = 1; nth <= 25; nth += 1) {
      ctx.clock.advanceDays(0.01);
      await registerDevice(ctx, { ...proof(serial), deviceId: `d${nth}`, pushToken: `p${nth}` });
    }
    await unregisterDevice(ctx, { ...proof(serial), deviceId: 'd25' });
    const rows = await ctx.db
      .selectFrom('walletDevices')
      .select('deviceId')
      .where('passId', '=', serial)
      .execute();
    expect(rows).toHaveLength(19);
    expect(rows.map(({ deviceId }) => deviceId)).not.toContain('d5');
  });

  it('has this version already', async () => {
    await add('apple');
    const latest = await latestPass(ctx, proof(await serialOf('apple')));
    const again = await latestPass(ctx, { ...proof(await serialOf('apple')), since: latest.changedAt });
    expect(again).toEqual({ changedAt: latest.changedAt, bytes: null });
    await rename('Soup of the day');
    const since = latest.changedAt;
    expect((await latestPass(ctx, { ...proof(await serialOf('apple')), since })).bytes).not.toBeNull();
  });
});
