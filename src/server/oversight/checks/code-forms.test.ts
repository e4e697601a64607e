import { expect, it } from 'vitest';
import { CODE_FORM } from '#server/core/fold.ts';
import { codeFingerprint } from '#server/coupons/core/code-fingerprint.ts';
import { createCoupon, createUser, setUpContext } from '#tests/support/builders.ts';
import { checkInvariants } from '#tests/support/invariants.ts';
import { insertFeedOffer } from '#tests/support/offers.ts';
import { makeCodeForms } from './code-forms.ts';

const ctx = setUpContext();

/** A fingerprint as an earlier version made it. */
const earlier = (merchant: string, code: string) =>
  ctx.vault.fingerprint(`${merchant.toLowerCase()}\n${code}`);

const hashOf = async (id: number) =>
  (await ctx.db.selectFrom('coupons').select('codeHash').where('id', '=', id).executeTakeFirstOrThrow())
    .codeHash;

it('fingerprints of an earlier version are made anew, once, though two codes may have become one', async () => {
  await ctx.db
    .updateTable('codeForms')
    .set({ form: CODE_FORM - 1 })
    .execute();
  const [owner, other] = [await createUser(ctx), await createUser(ctx)];
  const stored = (who: typeof owner, merchant: string, code: string, columns = {}) =>
    createCoupon(ctx, who, { merchant, code, codeHash: earlier(merchant, code), ...columns });
  const first = await stored(owner, 'Nike', 'SAVE_10');
  const second = await stored(other, 'Nike Inc', 'SAVE10');
  const unlisted = await stored(other, 'Nike', 'SAVE.10', { isActive: false });
  const imported = await stored(other, 'Nike', 'SAVE10', { category: 'imported' });
  const sold = await stored(owner, 'Opera', 'BOX_1', { isActive: false });
  const relisted = await stored(other, 'Opera', 'BOX1');
  await ctx.db
    .insertInto('codeOwners')
    .values({ codeHash: earlier('Opera', 'BOX_1'), ownerId: owner.id })
    .execute();
  for (const code of ['SPRING_20', 'SPRING20']) {
    await insertFeedOffer(ctx, { merchant: 'Tea', code });
    await ctx.db
      .updateTable('feedOffers')
      .set({ identity: earlier('Tea', code) })
      .where('code', '=', code)
      .execute();
  }
  const said = { codeHash: earlier('Tea', 'SPRING_20'), userId: owner.id, couponId: null };
  await ctx.db
    .insertInto('codeFeedback')
    .values({ ...said, worked: true, givenAt: ctx.clock() })
    .execute();

  await makeCodeForms(ctx);

  const nike = codeFingerprint(ctx.vault, 'Nike', 'SAVE10');
  expect(await Promise.all([first, unlisted, imported].map(({ id }) => hashOf(id)))).toEqual([
    nike,
    nike,
    nike,
  ]);
  expect(await hashOf(second.id)).toBe(earlier('Nike Inc', 'SAVE10'));
  const opera = codeFingerprint(ctx.vault, 'Opera', 'BOX1');
  expect([await hashOf(sold.id), await hashOf(relisted.id)]).toEqual([opera, earlier('Opera', 'BOX1')]);
  const owners = ctx.db.selectFrom('codeOwners').selectAll();
  expect(await owners.execute()).toEqual([{ codeHash: opera, ownerId: owner.id }]);
  const tea = codeFingerprint(ctx.vault, 'Tea', 'SPRING20');
  const offers = ctx.db.selectFrom('feedOffers').select(['code', 'identity']);
  expect(await offers.execute()).toEqual([{ code: 'SPRING_20', identity: tea }]);
  expect(await ctx.db.selectFrom('codeFeedback').select('codeHash').execute()).toEqual([{ codeHash: tea }]);
  expect(await ctx.db.selectFrom('codeForms').selectAll().orderBy('kind').execute()).toEqual([
    { kind: 'coupons', form: CODE_FORM, afterId: null },
    { kind: 'offers', form: CODE_FORM, afterId: null },
  ]);
  expect(await checkInvariants(ctx.db)).toEqual([]);
});
