import { describe, expect, it } from 'vitest';
import type { ValidationSource } from '#contract/coupons/validation.ts';
import {
  CODE,
  httpAt,
  json,
  MERCHANT,
  setUpSandboxServers,
  voucherify,
  voucherifyAt,
} from '#tests/support/voucher-sandbox.ts';
import { followValidators, openValidators } from './open-validators.ts';
import type { ValidatorSettings } from './settings.ts';

const start = setUpSandboxServers();

/** A GTIN with a correct check digit. */
const GTIN = '4006381333931';

function check(
  adapters: ValidatorSettings['adapters'],
  source: ValidationSource,
  { merchant = MERCHANT, code = CODE } = {},
) {
  const now = new Date('2035-06-15T12:00:00Z');
  return openValidators({ adapters }).check({ merchant, code, source, now });
}

const good = voucherify({ [CODE]: { discount: { type: 'PERCENT', percent_off: 10 } } });
const empty = voucherify({});
const down = json({}, 503);

describe('a source chosen by name', () => {
  it('says that it is not configured', async () => {
    expect(await check([], 'voucherify')).toEqual({
      valid: false,
      message: 'Voucherify is not configured.',
      validatedWith: 'voucherify',
      value: null,
      discountType: null,
      expiryDate: null,
      description: null,
      requirement: null,
      confirmed: false,
      dead: false,
      confidence: 'none',
      checks: [],
    });
    expect(await check([], 'aklamio')).toMatchObject({ message: 'Aklamio is not configured.' });
  });

  it('says that it is not configured for the merchant, and makes no request', async () => {
    const { baseUrl, asked } = await start(good);
    const adapters = [voucherifyAt(baseUrl, { merchants: ['Bakery Lane'] })];
    const verdict = await check(adapters, 'voucherify');
    expect(verdict).toMatchObject({
      valid: false,
      message: 'Voucherify is not configured for Corner Coffee.',
      validatedWith: 'voucherify',
      confidence: 'none',
    });
    expect(asked).toEqual([]);
  });

  it.each(['corner coffee', ' CORNER  COFFEE ', 'Ｃｏｒｎｅｒ Coffee'])(
    'knows the merchant as %j',
    async (merchant) => {
      const { baseUrl } = await start(good);
      const adapters = [voucherifyAt(baseUrl, { merchants: [MERCHANT] })];
      expect(await check(adapters, 'voucherify', { merchant })).toMatchObject({
        valid: true,
        confirmed: true,
      });
    },
  );

  it('asks no other source', async () => {
    const [first, second] = [await start(empty), await start(json({ found: 1, ok: true }))];
    const adapters = [voucherifyAt(first.baseUrl), httpAt(second.baseUrl, { merchants: [MERCHANT] })];
    expect(await check(adapters, 'voucherify')).toMatchObject({
      valid: false,
      message: 'Voucherify does not know this code. It may still work elsewhere.',
      validatedWith: 'voucherify',
    });
    expect(second.asked).toEqual([]);
  });

  it('asks each account that may know the code, the merchant’s own first', async () => {
    const [own, other, free] = [await start(down), await start(good), await start(good)];
    const adapters = [
      voucherifyAt(free.baseUrl),
      voucherifyAt(other.baseUrl, { merchants: ['Bakery Lane'] }),
      voucherifyAt(own.baseUrl, { merchants: [MERCHANT] }),
    ];
    expect(await check(adapters, 'voucherify')).toMatchObject({ valid: true, confirmed: false });
    expect([own, other, free].map(({ asked }) => asked.length)).toEqual([2, 0, 2]);
  });

  it('is replaced by the local sources when it cannot be reached', async () => {
    const { baseUrl } = await start(down);
    const adapters = [voucherifyAt(baseUrl, { merchants: [MERCHANT] })];
    expect(await check(adapters, 'voucherify', { code: GTIN })).toMatchObject({
      valid: true,
      validatedWith: 'voucherify-offline',
      confirmed: false,
      confidence: 'structure',
    });
    expect(await check(adapters, 'voucherify', { code: 'N/A' })).toMatchObject({
      valid: false,
      validatedWith: 'voucherify-offline',
      confirmed: false,
    });
  });
});

describe('auto', () => {
  it('only checks the form when no provider can be asked', async () => {
    expect(await check([], 'auto')).toMatchObject({
      valid: true,
      validatedWith: 'pattern',
      confirmed: false,
      confidence: 'format-only',
    });
    expect(await check([], 'auto', { code: GTIN })).toMatchObject({ valid: true, validatedWith: 'library' });
    expect(await check([], 'auto', { code: 'N/A' })).toMatchObject({
      valid: false,
      validatedWith: 'pattern',
    });
  });

  it('asks the merchant’s own accounts first and takes the first definite answer [spec/1 7.16]', async () => {
    const [free, own] = [await start(json({ found: 1, ok: true })), await start(empty)];
    const adapters = [httpAt(free.baseUrl), voucherifyAt(own.baseUrl, { merchants: [MERCHANT] })];
    expect(await check(adapters, 'auto')).toMatchObject({
      valid: false,
      validatedWith: 'voucherify',
      confirmed: true,
    });
    expect(free.asked).toEqual([]);
  });

  it('asks the next account when one does not know the code, and skips accounts of other merchants', async () => {
    const [unknowing, other, knowing] = [
      await start(empty),
      await start(good),
      await start(json({ found: 1, ok: true })),
    ];
    const adapters = [
      voucherifyAt(unknowing.baseUrl),
      voucherifyAt(other.baseUrl, { merchants: ['Bakery Lane'] }),
      httpAt(knowing.baseUrl, { source: 'aklamio' }),
    ];
    expect(await check(adapters, 'auto')).toMatchObject({
      valid: true,
      validatedWith: 'aklamio',
      confirmed: false,
    });
    expect(unknowing.asked).toHaveLength(1);
    expect(other.asked).toEqual([]);
  });

  it('says offline only when a provider was asked and could not be reached [spec/3 2.37]', async () => {
    const [away, unknowing] = [await start(down), await start(empty)];
    const unknown = voucherifyAt(unknowing.baseUrl);
    expect(await check([unknown], 'auto')).toMatchObject({ validatedWith: 'pattern' });
    const adapters = [unknown, httpAt(away.baseUrl, { merchants: [MERCHANT] })];
    const verdict = await check(adapters, 'auto');
    expect(verdict).toMatchObject({ valid: true, validatedWith: 'coupontools-offline', confirmed: false });
    expect(verdict.checks[0]).toEqual({
      name: 'provider',
      passed: false,
      text: 'Coupontools could not be reached.',
    });
  });

  it('does not say offline when another account answers', async () => {
    const [away, knowing] = [await start(down), await start(json({ found: 1, ok: true }))];
    const adapters = [voucherifyAt(away.baseUrl, { merchants: [MERCHANT] }), httpAt(knowing.baseUrl)];
    expect(await check(adapters, 'auto')).toMatchObject({ valid: true, validatedWith: 'coupontools' });
  });
});

describe('local sources', () => {
  it.each([
    ['library', GTIN, { valid: true, validatedWith: 'library', confidence: 'structure' }],
    [
      'library',
      CODE,
      {
        valid: false,
        message: 'This is not a standard code, so nothing can be read from it.',
        validatedWith: 'library',
        confidence: 'none',
      },
    ],
    ['pattern', CODE, { valid: true, validatedWith: 'pattern', confidence: 'format-only' }],
    ['offline', CODE, { valid: true, validatedWith: 'offline', confidence: 'format-only' }],
    ['offline', GTIN, { valid: true, validatedWith: 'offline', confidence: 'structure' }],
  ] as const)('%s validates %s without a request [spec/1 7.16]', async (source, code, verdict) => {
    const { baseUrl, asked } = await start(good);
    const adapters = [voucherifyAt(baseUrl, { merchants: [MERCHANT] })];
    expect(await check(adapters, source, { code })).toMatchObject({ ...verdict, confirmed: false });
    expect(asked).toEqual([]);
  });
});

it('asks the providers of the moment, and ends a question with those that it has begun with', async () => {
  let answer: () => void = () => {};
  const waits = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const slow = await start(async (asked, response) => {
    await waits;
    good(asked, response);
  });
  const fast = await start(good);
  const now = new Date('2035-06-15T12:00:00Z');
  let settings: ValidatorSettings = { adapters: [voucherifyAt(slow.baseUrl, { merchants: [MERCHANT] })] };
  const validators = followValidators(
    () => settings,
    (now) => now,
  );
  const question = { merchant: MERCHANT, code: CODE, source: 'voucherify', now } as const;
  const begun = validators.check(question);
  const [{ id } = { id: '' }] = validators.accounts();
  settings = { adapters: [voucherifyAt(fast.baseUrl, { merchants: [MERCHANT] })] };
  expect(await validators.check(question)).toMatchObject({ confirmed: true });
  expect(validators.accounts().map((account) => account.id)).not.toContain(id);
  answer();
  expect(await begun).toMatchObject({ confirmed: true, validatedWith: 'voucherify' });
  settings = { adapters: [] };
  expect(await validators.check(question)).toMatchObject({ message: 'Voucherify is not configured.' });
});
