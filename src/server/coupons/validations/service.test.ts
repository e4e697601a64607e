import { beforeEach, describe, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { addDays } from '#server/core/clock.ts';
import { inLanguage } from '#server/core/language.ts';
import { codeFingerprint } from '#server/coupons/core/code-fingerprint.ts';
import { createRateLimiter } from '#server/database/rate-limits.ts';
import { actingAs, createCoupon, createUser, type TestContext } from '#tests/support/builders.ts';
import {
  CODE,
  json,
  MERCHANT,
  STANDARD_CODE,
  setUpVouchers,
  voucherify,
} from '#tests/support/voucher-sandbox.ts';
import { cleanUpValidations, isConfirmed, validateCode } from './service.ts';

const { ctx, database, sandbox, vouchers } = setUpVouchers();
let person: Actor;
beforeEach(async () => {
  person = await createUser(ctx);
});

type Asked = Partial<Parameters<typeof validateCode>[1]> & { ip?: string };

function ask(who: Actor | null, { ip = '192.0.2.1', ...given }: Asked = {}, base = ctx) {
  const caller = { ...base, ip };
  const question = {
    merchant: MERCHANT,
    code: CODE,
    source: 'auto',
    couponId: null,
    disclaimer: null,
  } as const;
  return validateCode(who ? actingAs(caller, who) : caller, { ...question, ...given });
}

const records = () => ctx.db.selectFrom('validations').selectAll().orderBy('id').execute();
const validations = () => sandbox.asked.filter(({ method }) => method === 'POST').length;
const codeHash = () => codeFingerprint(ctx.vault, MERCHANT, CODE);
const isConfirmedFor = async (who: Actor, now = ctx.clock()) => {
  const answer = isConfirmed(ctx.db, { userId: who.id, codeHash: codeHash(), now }).as('answer');
  return (await ctx.db.selectNoFrom(answer).executeTakeFirstOrThrow()).answer;
};

describe('the record', () => {
  it('contains the verdict and the confirmed statement, but not the code [spec/1 5.13]', async () => {
    const verdict = await ask(person, { disclaimer: 'It is mine to check.' });
    expect(verdict).toMatchObject({ valid: true, confirmed: true, value: 500, expiryDate: '2035-12-31' });
    const [record] = await records();
    expect(record).toMatchObject({
      userId: person.id,
      couponId: null,
      codeHash: codeHash(),
      source: 'auto',
      validatedWith: 'voucherify',
      isValid: true,
      isConfirmed: true,
      verdict: { ...verdict, language: 'en' },
      disclaimer: 'It is mine to check.',
      createdAt: ctx.clock(),
    });
    expect(JSON.stringify(record)).not.toMatch(/4711|KQZ|LATTE/i);
  });

  it('contains no part of a code that a local source has read', async () => {
    const verdict = await ask(person, { code: STANDARD_CODE, source: 'library' });
    expect(verdict).toMatchObject({ validatedWith: 'library', confidence: 'structure' });
    expect(verdict.value).not.toBeNull();
    const [record] = await records();
    expect(record?.verdict).toMatchObject({
      value: null,
      expiryDate: null,
      requirement: null,
      description: null,
    });
    expect(JSON.stringify(record?.verdict)).not.toMatch(/\d/);
  });

  it('distinguishes a confirmed refusal from a confirmation', async () => {
    delete vouchers[CODE];
    expect(await ask(person)).toMatchObject({ valid: false, confirmed: true });
    expect(await records()).toMatchObject([{ isValid: false, isConfirmed: false }]);
  });
});

describe('isConfirmed', () => {
  it('is true for the person who entered the code, for a day', async () => {
    const stranger = await createUser(ctx);
    await ask(person);
    expect(await isConfirmedFor(person)).toBe(true);
    expect(await isConfirmedFor(stranger)).toBe(false);
    const aDayLater = addDays(ctx.clock(), 1);
    expect(await isConfirmedFor(person, aDayLater)).toBe(true);
    expect(await isConfirmedFor(person, new Date(aDayLater.getTime() + 1))).toBe(false);
  });

  it('is false for a person who checked a listed coupon without entering its code', async () => {
    const coupon = await createCoupon(ctx, await createUser(ctx), { merchant: MERCHANT, code: CODE });
    await ask(person, { couponId: coupon.id });
    expect(await isConfirmedFor(person)).toBe(false);
  });

  it('is false after a confirmed refusal, whoever asked', async () => {
    await ask(person);
    vouchers[CODE] = { error: 'quantity_exceeded' };
    await ask(null);
    expect(await isConfirmedFor(person)).toBe(false);
  });

  it("needs a verdict of the merchant's own programme", async () => {
    sandbox.answer(json({}, 503));
    await ask(person);
    await ask(person, { source: 'pattern' });
    expect(await isConfirmedFor(person)).toBe(false);
  });
});

describe('a repeated question', () => {
  it('is answered from the record for ten minutes', async () => {
    const first = await ask(person);
    ctx.clock.advanceDays(9 / 1_440);
    expect(await ask(person, { code: ' kqz 4711 latte ' })).toEqual(first);
    expect(validations()).toBe(1);
    expect(await records()).toHaveLength(1);
    ctx.clock.advanceDays(2 / 1_440);
    await ask(person);
    expect(validations()).toBe(2);
  });

  it('is asked again for another person, source or coupon, and without a session', async () => {
    const coupon = await createCoupon(ctx, person, { merchant: MERCHANT, code: CODE });
    await ask(person);
    await ask(await createUser(ctx));
    await ask(person, { source: 'voucherify' });
    await ask(person, { couponId: coupon.id });
    await ask(null);
    await ask(null);
    expect(validations()).toBe(6);
  });

  it('is asked again in another language', async () => {
    await ask(person);
    await inLanguage('fr', () => ask(person));
    await inLanguage('fr', () => ask(person));
    expect(validations()).toBe(2);
  });

  it('is asked again if the provider was unavailable', async () => {
    sandbox.answer(json({}, 401));
    expect(await ask(person)).toMatchObject({ validatedWith: 'voucherify-offline' });
    sandbox.answer(voucherify(vouchers));
    expect(await ask(person)).toMatchObject({ validatedWith: 'voucherify', confirmed: true });
  });

  it('returns everything that can be read from the code again', async () => {
    const given = { merchant: 'Bakery Lane', code: STANDARD_CODE };
    const first = await ask(person, given);
    expect(first.value).not.toBeNull();
    expect(await ask(person, given)).toEqual(first);
    expect(await records()).toHaveLength(1);
  });
});

describe('limits', () => {
  let limited: TestContext;
  beforeEach(() => {
    limited = { ...ctx, limiter: createRateLimiter(database.pool) };
  });
  const LIMITED = { code: 'rate_limited' };
  const wrong = (i: number) => ({ code: `WRONG-${i}` });
  const times = (count: number) => Array.from({ length: count }, (_, i) => i);

  it("refuse a guesser's right code like a wrong one", async () => {
    for (const i of times(20)) expect(await ask(person, wrong(i), limited)).toMatchObject({ valid: false });
    const asked = validations();
    const refusals = await Promise.all(
      [CODE, 'WRONG-20'].map((code) => ask(person, { code }, limited).catch((error) => error)),
    );
    for (const refusal of refusals) expect(refusal).toMatchObject(LIMITED);
    expect(new Set(refusals.map(({ message }) => message)).size).toBe(1);
    // No provider was asked, so the response time reveals nothing either.
    expect(validations()).toBe(asked);
  });

  it('give simultaneous guesses no more answers than guesses one by one', async () => {
    const guesses = times(30).map((i) => ask(person, wrong(i), limited));
    const outcomes = await Promise.allSettled(guesses);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
    expect(await records()).toHaveLength(20);
    await expect(ask(person, {}, limited)).rejects.toMatchObject(LIMITED);
  });

  it('do not count the same code twice', async () => {
    for (const _ of times(30)) expect(await ask(person, wrong(1), limited)).toMatchObject({ valid: false });
    expect(await ask(person, {}, limited)).toMatchObject({ valid: true });
  });
});

it('removes records after 90 days if no coupon needs them', async () => {
  const owner = await createUser(ctx);
  const coupon = await createCoupon(ctx, owner, { merchant: MERCHANT, code: CODE });
  await ask(owner, { couponId: coupon.id });
  await ask(owner);
  await ask(owner, { code: 'ANOTHER-CODE' });
  await ask(null, { merchant: 'Bakery Lane' });
  ctx.clock.advanceDays(90);
  expect(await cleanUpValidations(ctx)).toBe(0);
  await ask(null, { code: 'NEW-CODE' });
  ctx.clock.advanceDays(1);
  expect(await cleanUpValidations(ctx)).toBe(2);
  expect((await records()).map(({ couponId, codeHash: hash }) => [couponId, hash === codeHash()])).toEqual([
    [coupon.id, true],
    [null, true],
    [null, false],
  ]);
});
