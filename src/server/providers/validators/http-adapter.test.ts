import { expect, it } from 'vitest';
import { httpAt, json, MERCHANT, setUpSandboxServers } from '#tests/support/voucher-sandbox.ts';
import { openValidators } from './open-validators.ts';

const start = setUpSandboxServers();

const BOUND = { merchants: [MERCHANT] };

/** Asks a provider that gives the same answer to every request. */
async function ask(
  answering: Parameters<typeof start>[0],
  setting: Parameters<typeof httpAt>[1] = BOUND,
  code = 'KQZ-4711',
) {
  const sandbox = await start(answering);
  const validators = openValidators({ adapters: [httpAt(sandbox.baseUrl, setting)] });
  const now = new Date('2035-06-15T12:00:00Z');
  const verdict = await validators.check({ merchant: MERCHANT, code, source: 'coupontools', now });
  return { verdict, asked: sandbox.asked };
}

it('reads the answer by the JSON pointers', async () => {
  const { verdict, asked } = await ask(
    json({ found: { id: 7 }, ok: true, amount: '12.5', until: '2035-12-31' }),
  );
  expect(verdict).toMatchObject({
    valid: true,
    message: 'Coupontools confirms this code for Corner Coffee.',
    validatedWith: 'coupontools',
    value: 1_250,
    discountType: 'fixed',
    expiryDate: '2035-12-31',
    confirmed: true,
    confidence: 'provider',
  });
  expect(asked).toMatchObject([
    { method: 'GET', url: '/codes/KQZ-4711', headers: { 'x-client-secret': 'client-secret' } },
  ]);
});

it.each([
  [{ found: false, ok: false }, 'Coupontools does not know this code of Corner Coffee.'],
  [{ found: [], ok: false }, 'Coupontools does not know this code of Corner Coffee.'],
  [{}, 'Coupontools does not know this code of Corner Coffee.'],
  [{ found: 1, ok: false, why: 'past' }, 'This code has expired.'],
  [{ found: 1, ok: 'no', why: 'Redeemed' }, 'This code has been used up.'],
  [
    { found: 1, ok: 0, why: 'of <b>their</b> own' },
    'Coupontools says that this code is not valid with Corner Coffee.',
  ],
])('reads %j as a confirmed refusal', async (answer, message) => {
  const { verdict } = await ask(json(answer));
  expect(verdict).toMatchObject({ valid: false, message, confirmed: true, validatedWith: 'coupontools' });
});

it('reads a condition', async () => {
  const { verdict } = await ask(json({ found: 1, ok: false, why: 'New customers' }));
  expect(verdict).toMatchObject({ valid: true, confirmed: false });
  expect(verdict.requirement).toBe('Only for customers the merchant has chosen');
});

it.each([
  ['2035-12-31T23:30:00-05:00', '2036-01-01'],
  [2_082_672_000, '2035-12-31'],
  [2_082_672_000_000, '2035-12-31'],
  ['31/12/2035', null],
  [0, null],
])('reads the last day %s as %s', async (until, expiryDate) => {
  const { verdict } = await ask(json({ found: 1, ok: true, until }));
  expect(verdict).toMatchObject({ valid: true, expiryDate });
});

it.each([
  ['units', 'fixed', 12, 1_200],
  ['hundredths', 'fixed', 1_250, 1_250],
  ['units', 'percentage', '15', 1_500],
  ['units', 'percentage', '115', null],
  ['units', 'fixed', '$50 off', null],
  ['hundredths', 'fixed', 'many', null],
] as const)('reads a value in %s, %s: %s', async (valueUnit, valueType, amount, value) => {
  const { verdict } = await ask(json({ found: 1, ok: true, amount }), { ...BOUND, valueUnit, valueType });
  expect(verdict).toMatchObject({ valid: true, value });
});

it.each([
  ['not_found', false, true, 'coupontools'],
  ['valid', true, true, 'coupontools'],
  ['unknown', false, false, 'coupontools'],
] as const)('reads a status as %s when the settings say so', async (outcome, valid, confirmed, source) => {
  const { verdict } = await ask(json({}, 404), { ...BOUND, statuses: { 404: outcome } });
  expect(verdict).toMatchObject({ valid, confirmed, validatedWith: source });
});

it.each([
  ['a status without a meaning', json({}, 404)],
  ['nothing where the verdict should be', json({ found: 1 })],
  ['a list for a verdict', json({ found: 1, ok: [] })],
])('treats %s as no answer', async (_what, answering) => {
  const { verdict, asked } = await ask(answering);
  expect(verdict).toMatchObject({ validatedWith: 'coupontools-offline', confirmed: false });
  expect(asked).toHaveLength(1);
});

it('without a list of merchants, asks about any merchant and does not confirm unknown codes as invalid', async () => {
  const free = { merchants: [] };
  expect((await ask(json({ found: false, ok: false }), free)).verdict).toMatchObject({
    valid: false,
    message: 'Coupontools does not know this code. It may still work elsewhere.',
    confirmed: false,
  });
  expect((await ask(json({ found: 1, ok: true }), free)).verdict).toMatchObject({
    valid: true,
    confirmed: false,
  });
  // The request names the merchant, so the answer is about this merchant.
  const named = { merchants: [], path: '/codes/{code}?shop={merchant}' };
  const { verdict, asked } = await ask(json({ found: 1, ok: true }), named);
  expect(verdict).toMatchObject({ valid: true, confirmed: true });
  expect(asked[0]?.url).toBe('/codes/KQZ-4711?shop=Corner%20Coffee');
});

const NASTY = [
  '../../admin',
  '"},"admin":{"a":"',
  '{merchant}',
  'a b+c&d=e;f',
  "x'y",
  'ünï',
  '%2e%2e',
  'a\u001db',
  '\ud800',
];

it.each(NASTY)('keeps the code %j inside its path segment', async (code) => {
  const path = '/codes/{code}/state?code={code}&shop={merchant}';
  const { asked } = await ask(json({ found: 1, ok: true }), { ...BOUND, path }, code);
  const url = new URL(asked[0]?.url ?? '', 'http://localhost');
  const [empty, codes, given = '', state, ...rest] = url.pathname.split('/');
  const sent = Buffer.from(code).toString();
  expect([empty, codes, decodeURIComponent(given), state, rest]).toEqual(['', 'codes', sent, 'state', []]);
  expect([...url.searchParams]).toEqual([
    ['code', sent],
    ['shop', MERCHANT],
  ]);
});

it.each(['.', '..'])('makes no request for %s in a path', async (code) => {
  const { verdict, asked } = await ask(json({ found: 1, ok: true }), BOUND, code);
  expect(asked).toEqual([]);
  expect(verdict).toMatchObject({ valid: false, confirmed: false, validatedWith: 'coupontools' });
});

it.each(NASTY)('keeps the code %j inside its JSON text', async (code) => {
  const body = { coupon: { code: '{code}', shop: 'at {merchant}' }, limit: 1 };
  const { asked } = await ask(
    json({ found: 1, ok: true }),
    { ...BOUND, method: 'POST', path: '/check', body },
    code,
  );
  expect(JSON.parse(asked[0]?.body ?? '')).toEqual({
    coupon: { code: JSON.parse(JSON.stringify(code)), shop: 'at Corner Coffee' },
    limit: 1,
  });
  expect(asked[0]?.headers['content-type']).toBe('application/json');
});

it('keeps a code inside its form field', async () => {
  const body = { code: '{code}', shop: '{merchant}' };
  const setting = { ...BOUND, method: 'POST', path: '/check', body, bodyFormat: 'form' } as const;
  const { asked } = await ask(json({ found: 1, ok: true }), setting, 'a&shop=Elsewhere');
  expect([...new URLSearchParams(asked[0]?.body)]).toEqual([
    ['code', 'a&shop=Elsewhere'],
    ['shop', 'Corner Coffee'],
  ]);
  expect(asked[0]?.headers['content-type']).toBe('application/x-www-form-urlencoded');
});
