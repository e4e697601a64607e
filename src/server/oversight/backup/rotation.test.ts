import { randomBytes } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { createVault } from '#server/core/crypto.ts';
import { queueReissues } from '#server/coupons/codes/reissuing.ts';
import { openCodes, sealCodes } from '#server/coupons/images/view.ts';
import { inTransaction } from '#server/database/client.ts';
import type { DB } from '#server/database/types.ts';
import { openPushKeys, openVault } from '#server/database/vault.ts';
import { startSecondFactor } from '#server/people/accounts/second-factor.ts';
import { beginOnce, keepAnswer } from '#server/people/idempotency/service.ts';
import { keepKey } from '#server/people/settings/keys.ts';
import { createWebhook, renewSecret } from '#server/people/webhooks/service.ts';
import { internet } from '#server/providers/guarded-network.ts';
import { openWebhooks } from '#server/providers/webhooks/open-webhooks.ts';
import { createBid } from '#tests/support/bids.ts';
import { actingAs, createUser, TEST_PASSWORD, TEST_SECRET_KEY } from '#tests/support/builders.ts';
import { listCoupon } from '#tests/support/coupons.ts';
import { setUpForwarding } from '#tests/support/forwarding.ts';
import { insertImage } from '#tests/support/images.ts';
import { rotateKeys } from './rotation.ts';
import { SEALED_COLUMNS, VAULT_KEYS } from './sealed-columns.ts';

const { ctx, receive, draftsOf } = setUpForwarding();
const COLUMNS = [...SEALED_COLUMNS, VAULT_KEYS].map(({ table, column }) => `${table}.${column}`);
const silent = () => {};
let owner: Actor;
beforeAll(async () => {
  owner = await createUser(ctx);
});

/** A vault that opens what the test's has sealed, and seals under another key, which is the only one of the second. */
function newerVaults() {
  const newest = randomBytes(32);
  return [createVault([newest, TEST_SECRET_KEY]), createVault([newest])] as const;
}

/** Has something in every sealed column. */
async function fillColumns(): Promise<void> {
  await listCoupon(ctx, owner, { codeValue: 'CARD-0001', pin: '4471' });
  const { id: bidId, bidder, coupon } = await createBid(ctx);
  const validators = { ...ctx.providers.validators, canReissue: () => true };
  const moves = [{ couponId: coupon.id, toUserId: bidder.id }];
  await inTransaction(ctx.db, (trx) =>
    queueReissues(
      trx,
      { ...ctx, providers: { ...ctx.providers, validators } },
      { deal: { bidId }, moves, paid: [], at: ctx.clock() },
    ),
  );
  await insertImage(ctx, owner, { code: 'PICTURED' });
  await startSecondFactor(actingAs(ctx, owner), { password: TEST_PASSWORD }, null);
  const csv = (content: string) => [{ filename: 'vouchers.csv', content }];
  await draftsOf({ attachments: csv('Code\nREAD-1') });
  await receive({ attachments: csv('Code\nWAITS-1') });
  const webhooks = openWebhooks({ network: { ...internet, resolve: async () => ['93.184.216.34'] } });
  const calling = actingAs({ ...ctx, providers: { ...ctx.providers, webhooks } }, owner);
  const given = { url: 'https://shop.example/hook', events: ['bid.placed' as const], isForAll: false };
  await renewSecret(calling, (await createWebhook(calling, given)).id);
  const once = await beginOnce(ctx, { caller: '1', key: 'one', call: 'makes a secret' });
  if ('id' in once) await keepAnswer(ctx, once, { secret: 'whsec_1' });
  await inTransaction(ctx.db, (trx) => keepKey(trx, ctx, { key: 'sk_1', boundTo: 'a'.repeat(64) }));
  await openVault(ctx.db, [TEST_SECRET_KEY]);
  await openPushKeys(ctx.db, ctx.vault, async () => 'a pair of keys');
}

/** What a column has sealed. */
async function sealedIn(name: string): Promise<Buffer[]> {
  const [table = '', column = ''] = name.split('.');
  const { rows } = await sql<{ sealed: Buffer }>`
    select ${sql.ref(column)} as sealed from ${sql.table(table)} where ${sql.ref(column)} is not null`.execute(
    ctx.db,
  );
  return rows.map(({ sealed }) => sealed);
}

it('every sealed column of the database is sealed anew, bound as it was', async () => {
  await fillColumns();
  const before = await Promise.all(COLUMNS.map(sealedIn));
  expect(COLUMNS.filter((_, at) => before[at]?.length === 0)).toEqual([]);
  const [vault, alone] = newerVaults();
  expect((await rotateKeys({ ...ctx, vault }, silent)).closed).toEqual([]);
  const after = (await Promise.all(COLUMNS.map(sealedIn))).flat();
  const isOld = new Set(before.flat().map((sealed) => sealed.toString('base64')));
  expect(after.filter((sealed) => isOld.has(sealed.toString('base64')))).toEqual([]);
  // What the newest key opens alone is found done, and what it does not open would be named.
  const { resealed, closed } = await rotateKeys({ ...ctx, vault: alone }, silent);
  expect([resealed.filter((words) => !words.startsWith('0 ')), closed]).toEqual([[], []]);
});

it('the table has every sealed column of the catalogue', async () => {
  const { rows } = await sql<{ name: string }>`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public' and data_type = 'bytea' and table_name !~ '^(exposure|proof_root)'`.execute(
    ctx.db.withoutPlugins(),
  );
  const camelCase = ({ name }: { name: string }) =>
    name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
  const others = [
    // No secret: not sealed. Chains of exposures and daily roots have hashes only, too.
    'passkeys.publicKey',
    // A provider's event as it was sent: not sealed.
    'webhookEvents.payload',
    // Another key takes its place.
    'proofKeys.sealed',
  ];
  expect(rows.map(camelCase).sort()).toEqual([...COLUMNS, ...others].sort());
});

it('what changes while it is sealed anew stays as it is then', async () => {
  const [changed, discarded] = [
    await insertImage(ctx, owner, { code: 'BEFORE' }),
    await insertImage(ctx, owner),
  ];
  const [vault] = newerVaults();
  const { storage } = ctx.providers;
  const change = (id: string, set: Partial<Selectable<DB['images']>>) =>
    ctx.db.updateTable('images').set(set).where('id', '=', id).execute();
  const put = async (id: string, bytes: Uint8Array) => {
    if (id === changed.id) await change(id, { codes: sealCodes(vault, id, []) });
    if (id === discarded.id) await change(id, { discardedAt: ctx.clock() });
    await storage.put(id, bytes);
  };
  const providers = { ...ctx.providers, storage: { ...storage, put } };
  await rotateKeys({ ...ctx, vault, providers }, silent);
  const row = await ctx.db
    .selectFrom('images')
    .selectAll()
    .where('id', '=', changed.id)
    .executeTakeFirstOrThrow();
  expect(openCodes(vault, row)).toEqual([]);
  expect([await storage.get(changed.id), await storage.get(discarded.id)]).toEqual([expect.anything(), null]);
});
