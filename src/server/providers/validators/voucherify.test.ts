import { expect, it } from 'vitest';
import { holdTimeLimits } from '#tests/support/time-limits.ts';
import {
  CODE,
  hang,
  json,
  MERCHANT,
  type SandboxVoucher,
  setUpSandboxServers,
  voucherify,
  voucherifyAt,
} from '#tests/support/voucher-sandbox.ts';
import { openValidators } from './open-validators.ts';

const start = setUpSandboxServers();

const NOW = new Date('2035-06-15T12:00:00Z');

async function check(voucher: SandboxVoucher | null, setting: Parameters<typeof voucherifyAt>[1] = {}) {
  const sandbox = await start(voucherify(voucher ? { [CODE]: voucher } : {}));
  const adapter = voucherifyAt(sandbox.baseUrl, { merchants: [MERCHANT], ...setting });
  const validators = openValidators({ adapters: [adapter] });
  const verdict = await validators.check({ merchant: MERCHANT, code: CODE, source: 'voucherify', now: NOW });
  expect(JSON.stringify(verdict)).not.toMatch(/KQZ|4711|LATTE/i);
  return { verdict, asked: sandbox.asked };
}

const TEN_OFF = { type: 'AMOUNT', amount_off: 1_000, effect: 'APPLY_TO_ORDER', is_dynamic: false };

it('requests a validation that locks nothing, and then the last day', async () => {
  const { verdict, asked } = await check({ discount: TEN_OFF, expires: '2035-12-31T23:59:59.000Z' });
  expect(verdict).toEqual({
    valid: true,
    message: 'Voucherify confirms this code for Corner Coffee.',
    validatedWith: 'voucherify',
    value: 1_000,
    discountType: 'fixed',
    expiryDate: '2035-12-31',
    description: null,
    requirement: null,
    confirmed: true,
    dead: false,
    confidence: 'provider',
    checks: [
      { name: 'provider', passed: true, text: 'Voucherify was asked.' },
      { name: 'accepted', passed: true, text: 'The code is accepted.' },
    ],
  });
  expect(asked.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'POST /v1/validations',
    `GET /v1/vouchers/${CODE}`,
  ]);
  expect(JSON.parse(asked[0]?.body ?? '')).toEqual({ redeemables: [{ object: 'voucher', id: CODE }] });
});

it.each([
  ['a percentage', { discount: { type: 'PERCENT', percent_off: 12.5 } }, 1_250, 'percentage'],
  ['a gift card’s balance', { gift: { amount: 5_000, balance: 1_234 } }, 1_234, 'fixed'],
  ['units', { discount: { type: 'UNIT', unit_off: 1, unit_type: 'prod_1' } }, null, null],
  ['an amount worked out anew', { discount: { ...TEN_OFF, is_dynamic: true } }, null, null],
  ['an amount of nonsense', { discount: { ...TEN_OFF, amount_off: 0.5 } }, null, null],
  ['too high a percentage', { discount: { type: 'PERCENT', percent_off: 101 } }, null, null],
])('reads %s', async (_what, voucher, value, discountType) => {
  const { verdict } = await check(voucher);
  expect(verdict).toMatchObject({ valid: true, confirmed: true, value, discountType });
});

it('tells the most that a percentage takes off', async () => {
  const discount = { type: 'PERCENT', percent_off: 20, amount_limit: 2_000 };
  const { verdict } = await check({ discount });
  expect(verdict).toMatchObject({ valid: true, value: 2_000, requirement: 'At most 20.00 CAD off' });
});

it('calls a gift card with nothing left used up', async () => {
  const { verdict } = await check({ gift: { amount: 5_000, balance: 0 } });
  expect(verdict).toMatchObject({ valid: false, message: 'This code has been used up.', dead: true });
});

it('reads an answer of half a megabyte', async () => {
  const { verdict } = await check({ discount: { ...TEN_OFF, note: 'x'.repeat(500_000) } });
  expect(verdict).toMatchObject({ valid: true, confirmed: true, value: 1_000 });
});

it('describes an amount in another currency in words', async () => {
  const { verdict } = await check({ discount: TEN_OFF }, { currency: 'USD' });
  expect(verdict).toMatchObject({ value: null, discountType: null, description: '10.00 USD off' });
});

it.each([
  ['voucher_expired', 'This code has expired.'],
  ['voucher_disabled', 'This code has been withdrawn.'],
  ['quantity_exceeded', 'This code has been used up.'],
  ['gift_amount_exceeded', 'This code has been used up.'],
  ['not_found', 'Voucherify does not know this code of Corner Coffee.'],
  ['resource_not_found', 'Voucherify does not know this code of Corner Coffee.'],
  ['some_key_of_tomorrow', 'Voucherify says that this code is not valid with Corner Coffee.'],
  ['', 'Voucherify says that this code is not valid with Corner Coffee.'],
])('reads the error %j as a confirmed refusal', async (error, message) => {
  const { verdict, asked } = await check({ error });
  expect(verdict).toMatchObject({
    valid: false,
    message,
    validatedWith: 'voucherify',
    confirmed: true,
    confidence: 'provider',
  });
  expect(asked).toHaveLength(1);
});

it.each(['voucher_not_active', 'voucher_not_active_now'])(
  'reads the error %j as neither a confirmation nor a refusal',
  async (error) => {
    const { verdict } = await check({ error });
    expect(verdict).toMatchObject({
      valid: false,
      message: 'This code is not active yet.',
      confirmed: false,
      dead: false,
    });
  },
);

it.each(['not_found', 'resource_not_found', 'some_key_of_tomorrow'])(
  '%s says nothing where the account is nobody’s own',
  async (error) => {
    const { verdict } = await check({ error }, { merchants: [] });
    expect(verdict).toMatchObject({
      valid: false,
      message: 'Voucherify does not know this code. It may still work elsewhere.',
      confirmed: false,
      confidence: 'none',
    });
  },
);

it('confirms nothing with an account that belongs to no merchant', async () => {
  const { verdict } = await check({ discount: TEN_OFF }, { merchants: [] });
  expect(verdict).toMatchObject({
    valid: true,
    message: 'Voucherify knows this code, but not whether Corner Coffee accepts it.',
    confirmed: false,
  });
});

it.each([
  ['order_rules_violated', 'Only with a purchase that meets the merchant’s conditions', true],
  ['missing_order', 'Only with a purchase that meets the merchant’s conditions', true],
  ['missing_amount', 'Only with a purchase that meets the merchant’s conditions', true],
  ['customer_rules_violated', 'Only for customers the merchant has chosen', false],
  ['missing_customer', 'Only for customers the merchant has chosen', false],
  ['redemption_rules_violated', 'Other conditions of the merchant apply', false],
])('reads %s as a condition', async (error, requirement, confirmed) => {
  const { verdict } = await check({ error });
  expect(verdict).toMatchObject({ valid: true, requirement, confirmed, confidence: 'provider' });
});

it.each([
  ['fails', json({}, 500)],
  ['hangs', hang],
  ['answers nonsense', json('nonsense')],
])('loses only the last day when the second request %s', async (_how, second) => {
  const first = voucherify({ [CODE]: { discount: TEN_OFF, expires: '2035-12-31T00:00:00Z' } });
  const sandbox = await start((asked, response) =>
    (asked.method === 'POST' ? first : second)(asked, response),
  );
  const adapter = voucherifyAt(sandbox.baseUrl, { merchants: [MERCHANT], timeoutMs: 15_000 });
  const limits = holdTimeLimits();
  const verdict = openValidators({ adapters: [adapter] }).check({
    merchant: MERCHANT,
    code: CODE,
    source: 'voucherify',
    now: NOW,
  });
  await expect.poll(() => sandbox.asked.length, { interval: 5 }).toBe(2);
  if (second === hang) limits.end();
  expect(await verdict).toMatchObject({ valid: true, confirmed: true, value: 1_000, expiryDate: null });
  expect(sandbox.asked).toHaveLength(2);
});

it.each(['..', '.', 'a/../b', '"}],"session":{"type":"LOCK"', '{merchant}', '%2e%2e', 'ünï?x=1#y'])(
  'asks about %s and nothing else',
  async (code) => {
    const sandbox = await start(
      voucherify({ [code]: { discount: TEN_OFF, expires: '2035-12-31T00:00:00Z' } }),
    );
    const adapter = voucherifyAt(sandbox.baseUrl, { merchants: [MERCHANT] });
    const validators = openValidators({ adapters: [adapter] });
    const verdict = await validators.check({ merchant: MERCHANT, code, source: 'auto', now: NOW });
    expect(JSON.parse(sandbox.asked[0]?.body ?? '')).toEqual({
      redeemables: [{ object: 'voucher', id: code }],
    });
    // Two dots cannot be a path segment, so the second request is not made.
    const isDots = code === '.' || code === '..';
    expect(verdict).toMatchObject({ valid: true, expiryDate: isDots ? null : '2035-12-31' });
    expect(sandbox.asked).toHaveLength(isDots ? 1 : 2);
  },
);

it.each([
  ['without a redeemable', { valid: true, redeemables: [] }],
  ['that contradicts itself', { valid: true, redeemables: [{ status: 'INAPPLICABLE', result: {} }] }],
  ['of the deprecated call', { valid: true, discount: TEN_OFF, code: CODE }],
])('treats an answer %s as none', async (_what, body) => {
  const sandbox = await start(json(body));
  const adapter = voucherifyAt(sandbox.baseUrl, { merchants: [MERCHANT] });
  const validators = openValidators({ adapters: [adapter] });
  const verdict = await validators.check({ merchant: MERCHANT, code: CODE, source: 'voucherify', now: NOW });
  expect(verdict).toMatchObject({ validatedWith: 'voucherify-offline', confirmed: false });
  expect(sandbox.asked).toHaveLength(1);
});

it('finds the redeemable when the account lists refused ones separately', async () => {
  const refused = {
    status: 'INAPPLICABLE',
    id: CODE,
    object: 'voucher',
    result: { error: { key: 'voucher_expired' } },
  };
  const sandbox = await start(json({ valid: false, redeemables: [], inapplicable_redeemables: [refused] }));
  const adapter = voucherifyAt(sandbox.baseUrl, { merchants: [MERCHANT] });
  const validators = openValidators({ adapters: [adapter] });
  const verdict = await validators.check({ merchant: MERCHANT, code: CODE, source: 'voucherify', now: NOW });
  expect(verdict).toMatchObject({ valid: false, message: 'This code has expired.', confirmed: true });
});
