import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { LIMITS } from '#contract/base/limits.ts';
import type { Actor } from '#server/context/context.ts';
import { addDays } from '#server/core/clock.ts';
import { codeFingerprint } from '#server/coupons/core/code-fingerprint.ts';
import { countForStrangers } from '#server/coupons/core/code-tries.ts';
import { openValidators } from '#server/providers/validators/open-validators.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createCoupon, createUser } from '#tests/support/builders.ts';
import { anOffer, listCoupon } from '#tests/support/coupons.ts';
import { MANY_CONNECTIONS } from '#tests/support/database.ts';
import { insertImage } from '#tests/support/images.ts';
import { insertFeedOffer } from '#tests/support/offers.ts';

/** Somebody guesses codes of a merchant with so many accounts and networks that no limit of one of them helps. */

const MERCHANT = 'Corner Coffee';
const HIDDEN = 'LATTE-2035-417';
const FREED = 'LATTE-2035-418';
const WITH_ACCOUNT = 'Tea House';
const OF_STRANGERS = LIMITS.codesOfOneMerchantByStrangers.points;
const OF_OWN = LIMITS.codesOfOneMerchantOfOwn.points;
const WAITING = LIMITS.waitingCoupons.points;

const local = openValidators({ adapters: [] });
const asked: string[] = [];
const test = setUpApp({
  withLimits: true,
  connections: MANY_CONNECTIONS,
  providers: {
    validators: {
      ...local,
      hasOwn: async (merchant) => merchant === WITH_ACCOUNT,
      async check(question) {
        asked.push(question.code);
        return local.check(question);
      },
    },
  },
});
beforeAll(async () => {
  const owner = await createUser(test.ctx);
  await listCoupon(test.ctx, owner, { merchant: MERCHANT, codeValue: HIDDEN });
  // It has changed hands, and its coupon is gone.
  const codeHash = codeFingerprint(test.ctx.vault, MERCHANT, FREED);
  await test.database.db.insertInto('codeOwners').values({ codeHash, ownerId: owner.id }).execute();
});
beforeEach(() => test.database.db.deleteFrom('rateLimits').execute());

const times = <Item>(count: number, make: (i: number) => Item) =>
  Array.from({ length: count }, (_, i) => make(i));
/** Somebody whose address is confirmed, and who has dealt with nobody. */
const veteran = () =>
  createUser(test.ctx, { createdAt: addDays(test.ctx.clock(), -365), establishedAt: null });
/** Somebody who has dealt with many people. */
const seller = () => createUser(test.ctx, { createdAt: addDays(test.ctx.clock(), -365) });
let counter = 0;
function aGuess(): string {
  counter += 1;
  return `LATTE-2035-${counter + 1_000}`;
}

/** Others try so many codes of a merchant that it is suspicious: visitors, or people with confirmed addresses. */
async function guessAt(merchant: string, by: 'visitors' | 'members' = 'members'): Promise<void> {
  const who = await veteran();
  const tries = times(OF_STRANGERS, (i) => {
    const actor = by === 'members' ? { ...who, id: who.id + 1_000_000 + i } : null;
    const guess = { merchant, code: aGuess() };
    return countForStrangers({ ...test.ctx, actor, ip: `2001:db8:${i.toString(16)}::1` }, guess);
  });
  expect(await Promise.all(tries)).toEqual(times(OF_STRANGERS, () => 0));
}

const list = (who: Actor, codeValue: string | null, given: Record<string, unknown> = {}) =>
  test.call(who, {
    method: 'POST',
    url: '/api/coupons',
    body: { ...anOffer(), merchant: MERCHANT, codeValue, ...given },
  });
const edit = (who: Actor, id: number, body: Record<string, unknown>) =>
  test.call(who, { method: 'PATCH', url: `/api/coupons/${id}`, body });

/** Every way by which a code comes to the lists. */
const DOORS: Record<string, (who: Actor, code: string) => ReturnType<typeof list>> = {
  create: list,
  async picture(who, code) {
    const { url: qrCodeUrl } = await insertImage(test.ctx, who, { code });
    return list(who, null, { qrCodeUrl });
  },
  async edit(who, codeValue) {
    const { id } = await listCoupon(test.ctx, who, { merchant: `Shop of ${who.username}` });
    return edit(who, id, { merchant: MERCHANT, codeValue });
  },
  async 'edit of the merchant'(who, codeValue) {
    const other = { merchant: `Shop of ${who.username}`, codeValue };
    const { id } = await listCoupon(test.ctx, who, other);
    return edit(who, id, { merchant: MERCHANT });
  },
  async 'edit of the last day'(who, codeValue) {
    const { id } = await listCoupon(test.ctx, who, { merchant: `Shop of ${who.username}` });
    const codeHash = codeFingerprint(test.ctx.vault, MERCHANT, codeValue);
    await test.database.db
      .updateTable('coupons')
      .set({ merchant: MERCHANT, codeHash, isActive: false, expiryDate: '2020-01-01' })
      .where('id', '=', id)
      .execute();
    return edit(who, id, { expiryDate: '2035-12-31' });
  },
};

/** An answer without what is the coupon's own. */
const plain = (answer: Awaited<ReturnType<typeof list>>) => [
  answer.statusCode,
  {
    ...answer.json(),
    ...{ id: 0, ownerId: 0, ownerUsername: '', codePreview: '', createdAt: '', updatedAt: '' },
    ...{ qrCodeUrl: '', drawnQrCodeUrl: '', drawnBarcodeUrl: '' },
  },
];

describe('while codes of a merchant are guessed', () => {
  beforeEach(() => guessAt(MERCHANT));

  it.each(Object.keys(DOORS))(
    'the answer to %s does not say whether the code is listed [decisions 2.5.1]',
    async (name) => {
      const by = DOORS[name] ?? list;
      const answers = [];
      for (const code of [HIDDEN, FREED, aGuess()]) answers.push(await by(await veteran(), code));
      const [listed, freed, wrong] = answers.map(plain);
      expect(wrong).toMatchObject([expect.any(Number), { isWaiting: true, isActive: false }]);
      expect([listed, freed]).toEqual([wrong, wrong]);
    },
  );

  it('nobody else sees the coupon, its owner does [decisions 2.5.1]', async () => {
    const [who, other] = [await veteran(), await veteran()];
    const { id } = (await list(who, aGuess())).json();
    const seenBy = async (viewer: Actor | null) => [
      (await test.call(viewer, { method: 'GET', url: `/api/coupons/${id}` })).statusCode,
      (await test.call(viewer, { method: 'GET', url: '/api/coupons?limit=100' })).body.includes(
        `"id":${id},`,
      ),
    ];
    expect([await seenBy(other), await seenBy(null)]).toEqual([
      [404, false],
      [404, false],
    ]);
    expect(await seenBy(who)).toEqual([200, false]);
    const offered = await createCoupon(test.ctx, other);
    const body = { requestedCouponId: id, offeredCouponId: offered.id };
    expect((await test.call(other, { method: 'POST', url: '/api/exchanges', body })).statusCode).toBe(409);
  });

  it('an edit of anything else leaves it waiting', async () => {
    const who = await veteran();
    const { id } = (await list(who, HIDDEN)).json();
    for (let i = 0; i < WAITING + 1; i += 1) {
      const answer = await edit(who, id, { title: `Another title ${i}` });
      expect([answer.statusCode, answer.json().isWaiting]).toEqual([200, true]);
    }
  });

  it('coupons of other merchants are listed at once, and so are public codes for own use', async () => {
    const who = await veteran();
    expect((await list(who, aGuess(), { merchant: 'Bakery' })).json()).toMatchObject({
      isActive: true,
      isWaiting: false,
    });
    const code = aGuess();
    await insertFeedOffer(test.ctx, { merchant: MERCHANT, code });
    expect((await list(who, code)).json()).toMatchObject({ category: 'imported', isWaiting: false });
  });

  it('10 coupons of a person wait in a day, so that the moderators are not flooded', async () => {
    const who = await veteran();
    for (let i = 0; i < WAITING; i += 1) expect((await list(who, aGuess())).statusCode).toBe(201);
    const [listed, wrong] = [await list(who, HIDDEN), await list(who, aGuess())];
    expect([listed.statusCode, listed.json()]).toEqual([429, wrong.json()]);
    expect(listed.json().error).toMatch(
      /^Moderators check coupons of this merchant before others see them, up to 10 of yours/,
    );
  });
});

it('the merchant’s own account is not asked about guesses', async () => {
  await guessAt(WITH_ACCOUNT);
  await guessAt(WITH_ACCOUNT, 'visitors');
  const who = await veteran();
  asked.splice(0);
  const validate = (viewer: Actor | null, merchant: string) => {
    const body = { merchant, code: aGuess(), ownershipConfirmation: true };
    return test.call(viewer, { method: 'POST', url: '/api/validate-coupon', body });
  };
  for (const viewer of [who, null]) {
    const answer = await validate(viewer, WITH_ACCOUNT);
    expect(answer.statusCode).toBe(429);
    expect(answer.json().error).toMatch(
      /^Too many codes of this merchant were tried today, so we check only those of established members./,
    );
  }
  expect((await list(who, aGuess(), { merchant: WITH_ACCOUNT })).json().isWaiting).toBe(true);
  expect(asked).toEqual([]);
  expect((await validate(who, 'Bakery')).statusCode).toBe(200);
});

describe('strangers do not stop', () => {
  it('people with confirmed addresses, as long as their own are not', async () => {
    await guessAt(MERCHANT, 'visitors');
    const unconfirmed = await createUser(test.ctx, { emailVerifiedAt: null, establishedAt: null });
    expect((await list(unconfirmed, aGuess())).json()).toMatchObject({ isWaiting: true });
    expect((await list(await veteran(), aGuess())).json()).toMatchObject({ isActive: true });
  });

  it.each(['who are established', 'who have dealt with five people'])('people %s', async (who) => {
    await guessAt(MERCHANT);
    const isNoted = who === 'who are established';
    const actor = isNoted
      ? await seller()
      : await createUser(test.ctx, { establishedAt: null, dealPartners: 5 });
    const answers = [];
    for (let i = 0; i <= OF_OWN; i += 1) {
      // An hour later: what a person may try at one merchant in an hour is no more than their own share.
      await test.database.db.deleteFrom('rateLimits').where('key', 'like', 'codes-merchant:%').execute();
      answers.push((await list(actor, aGuess())).json().isWaiting);
    }
    expect(answers).toEqual([...times(OF_OWN, () => false), true]);
  });
});

it('one person alone does not make a merchant suspicious, nor do validations where nobody knows the codes', async () => {
  const [who, other] = [await veteran(), await veteran()];
  const body = { merchant: MERCHANT, code: 'MINE-1', ownershipConfirmation: true };
  for (let i = 0; i < OF_STRANGERS + 1; i += 1) {
    expect(await countForStrangers({ ...test.ctx, actor: who }, { merchant: MERCHANT, code: 'MINE-1' })).toBe(
      0,
    );
    const ip = `198.51.100.${i}`;
    const asks = {
      method: 'POST',
      url: '/api/validate-coupon',
      ip,
      body: { ...body, code: aGuess() },
    } as const;
    expect((await test.call(null, asks)).statusCode).toBe(200);
  }
  expect((await list(other, aGuess())).json()).toMatchObject({ isActive: true, isWaiting: false });
});
