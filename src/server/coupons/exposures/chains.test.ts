import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { updateCouponInputSchema } from '#contract/coupons/coupons.ts';
import { NO_HASH } from '#contract/oversight/proof-lines.ts';
import type { Actor } from '#server/context/context.ts';
import { createVault } from '#server/core/crypto.ts';
import { exportCoupons } from '#server/coupons/codes/exporting.ts';
import { keepCodes, reportViews } from '#server/coupons/codes/kept-codes.ts';
import { codeImage, revealCode } from '#server/coupons/codes/reveals.ts';
import { inTransaction } from '#server/database/client.ts';
import { removeCoupon, updateCoupon } from '#server/deals/coupon-changes/service.ts';
import { rotateKeys } from '#server/oversight/backup/rotation.ts';
import {
  actingAs,
  createCoupon,
  createUser,
  setUpFreshContext,
  TEST_SECRET_KEY,
} from '#tests/support/builders.ts';
import { listCoupon } from '#tests/support/coupons.ts';
import { move, propose, twoPeople } from '#tests/support/exchanges.ts';
import { insertImage } from '#tests/support/images.ts';
import { hashesOf } from './hashes.ts';
import { exposureOf, issueStatement } from './service.ts';
import { chainById, findChain, listEntries } from './store.ts';

const ctx = setUpFreshContext();

/** The kinds and people of the chain of a coupon's present code: 'listed 1'. */
async function chainOf(couponId: number): Promise<string[]> {
  const chain = await findChain(ctx.db, couponId);
  if (!chain) return [];
  const entries = await listEntries(ctx.db, { chainId: chain.id, limit: 1_000 });
  return entries.map(({ kind, person }) => (person === null ? kind : `${kind} ${person}`));
}
const edit = (who: Actor, input: Record<string, unknown>) =>
  updateCoupon(actingAs(ctx, who), updateCouponInputSchema.parse(input));
const reveal = (who: Actor, id: number) => revealCode(actingAs(ctx, who), id);

/** Swaps the coupon of the first for that of the second. */
async function swap(first: Actor, offered: { id: number }, second: Actor, requested: { id: number }) {
  const { id } = await propose(ctx, first, { offered, requested });
  await move(ctx, second, id, 'accepted');
  await move(ctx, second, id, 'completed');
}

describe('the chain of a code', () => {
  it('has the listing, every view, and every hand-over, by numbers of people', async () => {
    const { requester, owner, offered, requested } = await twoPeople(ctx);
    await reveal(owner, requested.id);
    await swap(requester, offered, owner, requested);
    ctx.clock.advanceDays(0.1);
    await reveal(requester, requested.id);
    await codeImage(actingAs(ctx, requester), { id: requested.id, kind: 'qrcode' });
    expect(await chainOf(requested.id)).toEqual(['listed 1', 'shown 1', 'handed_over 2', 'shown 2']);
    // Back to the first: the same person has the same number.
    await swap(requester, requested, owner, offered);
    expect((await chainOf(requested.id)).at(-1)).toBe('handed_over 1');
  });

  it('has what a device keeps and shows, and what an export has', async () => {
    const owner = await createUser(ctx);
    const coupon = await listCoupon(ctx, owner);
    await keepCodes(actingAs(ctx, owner), { known: [], only: null });
    await reportViews(actingAs(ctx, owner), { views: [{ couponId: coupon.id, secondsAgo: 5 }] });
    for await (const _ of exportCoupons(ctx, { ownerId: owner.id, hasCodes: true }));
    expect(await chainOf(coupon.id)).toEqual(['listed 1', 'kept 1', 'shown 1', 'shown 1']);
  });

  it('is hashed as everybody can hash it', async () => {
    const owner = await createUser(ctx);
    const { id } = await listCoupon(ctx, owner);
    for (let count = 0; count < 3; count += 1) await reveal(owner, id);
    const { id: chainId = '', head } = (await findChain(ctx.db, id)) ?? {};
    const entries = await listEntries(ctx.db, { chainId, limit: 10 });
    const hashes = hashesOf(chainId, entries);
    expect(hashes.at(-1)).toBe(head?.toString('hex'));
    const stored = await ctx.db
      .selectFrom('exposureEntries')
      .select('hash')
      .where('chainId', '=', chainId)
      .orderBy('seq')
      .execute();
    expect(stored.map(({ hash }) => hash.toString('hex'))).toEqual(hashes);
    expect(hashes).not.toContain(NO_HASH);
  });

  it('begins with a picture if that is the code, and views of it are in it', async () => {
    const owner = await createUser(ctx);
    const { id } = await createCoupon(ctx, owner, { code: null });
    expect(await chainOf(id)).toEqual([]);
    await insertImage(ctx, owner, { couponId: id });
    await codeImage(actingAs(ctx, owner), { id, kind: 'qrcode' });
    expect(await chainOf(id)).toEqual(['listed 1', 'shown 1']);
  });

  it('is none for a public code', async () => {
    const owner = await createUser(ctx);
    const { id } = await createCoupon(ctx, owner, { category: 'imported' });
    await reveal(owner, id);
    expect(await chainOf(id)).toEqual([]);
    expect(await exposureOf(actingAs(ctx, owner), id)).toBeNull();
  });

  it('is as long as its views when they come at once', async () => {
    const owner = await createUser(ctx);
    const { id } = await listCoupon(ctx, owner);
    await Promise.all(Array.from({ length: 8 }, () => reveal(owner, id)));
    const chain = await findChain(ctx.db, id);
    expect(chain?.length).toBe(9);
  });
});

describe('a new chain', () => {
  it('begins with a new code, and the old one stays', async () => {
    const owner = await createUser(ctx);
    const { id } = await listCoupon(ctx, owner);
    await reveal(owner, id);
    const before = await findChain(ctx.db, id);
    await edit(owner, { id, codeValue: 'ANOTHER-CODE-1' });
    expect(await chainOf(id)).toEqual(['listed 1']);
    expect(await chainById(ctx.db, before?.id ?? '')).toEqual(before);
  });

  it('does not begin with another merchant, the same code, or another key', async () => {
    const owner = await createUser(ctx);
    const { id } = await listCoupon(ctx, owner, { codeValue: 'STAYS-THE-SAME' });
    await reveal(owner, id);
    await edit(owner, { id, merchant: 'Another Merchant' });
    await edit(owner, { id, codeValue: 'STAYS-THE-SAME', title: 'Three coffees for one' });
    const vault = createVault([randomBytes(32), TEST_SECRET_KEY]);
    await rotateKeys({ ...ctx, vault }, () => {});
    expect(await chainOf(id)).toEqual(['listed 1', 'shown 1']);
  });

  it('says that the code was here before: after an edit and back, and under another coupon', async () => {
    const { requester, owner, offered, requested } = await twoPeople(ctx);
    await swap(requester, offered, owner, requested);
    const { codeValue } = await reveal(requester, requested.id);
    await edit(requester, { id: requested.id, codeValue: 'FOR-A-MOMENT-1' });
    await edit(requester, { id: requested.id, codeValue });
    expect(await chainOf(requested.id)).toEqual(['listed 1', 'known']);
    await removeCoupon(actingAs(ctx, requester), requested.id);
    const again = await listCoupon(ctx, requester, { codeValue, merchant: requested.merchant });
    expect(await chainOf(again.id)).toEqual(['listed 1', 'known']);
    const picture = await insertImage(ctx, requester, { code: codeValue ?? '' });
    await removeCoupon(actingAs(ctx, requester), again.id);
    const pictured = await listCoupon(ctx, requester, {
      ...{ codeValue: null, merchant: requested.merchant, qrCodeUrl: picture.url },
    });
    expect(await chainOf(pictured.id)).toEqual(['listed 1', 'known']);
    expect(await exposureOf(ctx, pictured.id)).toMatchObject({ people: 1, isKnown: true });
  });

  it('says that the merchant issued the code, unless its owner has given it', async () => {
    const owner = await createUser(ctx);
    const { id } = await listCoupon(ctx, owner);
    await ctx.db
      .updateTable('couponSecrets')
      .set({ code: ctx.vault.seal('MINTED-1', `coupon:${id}`) })
      .where('couponId', '=', id)
      .execute();
    expect(await chainOf(id)).toEqual(['reissued']);
    await reveal(owner, id);
    expect(await exposureOf(ctx, id)).toEqual({
      ...{ people: 1, isKnown: false, isReissued: true, isTakenOver: false },
      own: null,
    });
  });
});

describe('what others learn', () => {
  it('is how many people had the code; the owner learns when', async () => {
    const { requester, owner, offered, requested } = await twoPeople(ctx);
    await swap(requester, offered, owner, requested);
    const counts = { people: 2, isKnown: false, isReissued: false, isTakenOver: false };
    for (const who of [ctx, actingAs(ctx, owner)])
      expect(await exposureOf(who, requested.id)).toEqual({ ...counts, own: null });
    expect(await exposureOf(actingAs(ctx, requester), requested.id)).toEqual({
      ...counts,
      own: { you: 2, length: 2, entries: [expect.anything(), expect.objectContaining({ person: 2 })] },
    });
  });
});

it('a statement has neither the code nor names, and only the owner gets one', async () => {
  const { requester, owner, offered, requested } = await twoPeople(ctx);
  await swap(requester, offered, owner, requested);
  const { statement } = await issueStatement(actingAs(ctx, requester), requested.id);
  const text = Buffer.from(statement.split('.')[1] ?? '', 'base64url').toString();
  expect(JSON.parse(text)).toMatchObject({ coupon: requested.id, you: 2, length: 2 });
  const hash = await ctx.db.selectFrom('coupons').select('codeHash').where('id', '=', requested.id).execute();
  for (const secret of [requested.code, requester.username, owner.username, hash[0]?.codeHash])
    expect(text).not.toContain(secret);
  const asked = issueStatement(actingAs(ctx, owner), requested.id);
  await expect(asked).rejects.toMatchObject({ code: 'forbidden' });
});

describe('the database', () => {
  it.each([
    ['an entry changes', sql`update exposure_entries set at = now()`],
    ['an entry goes', sql`delete from exposure_entries`],
    ['entries are emptied', sql`truncate exposure_entries cascade`],
    ['a person changes', sql`update exposure_people set person = person + 1`],
    ['a chain goes', sql`delete from exposure_chains`],
    ['a chain shrinks', sql`update exposure_chains set length = length - 1`],
    ['a chain gets another head', sql`update exposure_chains set head = sha256(head)`],
  ])('refuses it when %s', async (_what, statement) => {
    const { id } = await listCoupon(ctx, await createUser(ctx));
    await expect(inTransaction(ctx.db, (trx) => statement.execute(trx))).rejects.toThrow('only grows');
    expect(await chainOf(id)).toEqual(['listed 1']);
  });
});
