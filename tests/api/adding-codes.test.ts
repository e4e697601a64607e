import { describe, expect, it } from 'vitest';
import { setUpApp } from '#tests/support/app.ts';
import { createCoupon, createUser } from '#tests/support/builders.ts';
import { anOffer } from '#tests/support/coupons.ts';
import { insertImage } from '#tests/support/images.ts';
import { json, MERCHANT, type SandboxVoucher, setUpOwnAccount } from '#tests/support/voucher-sandbox.ts';

const { vouchers, sandbox, validators } = setUpOwnAccount();
const test = setUpApp({ providers: { validators: { ...validators, hasOwn: async () => true } } });

const person = () => createUser(test.ctx);
const GOOD = { discount: { type: 'AMOUNT', amount_off: 500 } };
let counter = 0;
/** A code that the merchant's account answers so; undefined: it knows no such code. */
function aCode(voucher?: SandboxVoucher): string {
  counter += 1;
  const code = `ADDED-${counter}-KQZ`;
  if (voucher) vouchers[code] = voucher;
  return code;
}

type Body = Record<string, unknown>;
/** The two doors by which a code comes. */
const DOORS: Record<
  string,
  (who: Awaited<ReturnType<typeof person>>, body: Body) => ReturnType<typeof test.call>
> = {
  'POST /api/coupons': (who, body) =>
    test.call(who, {
      method: 'POST',
      url: '/api/coupons',
      body: { ...anOffer(), merchant: MERCHANT, ...body },
    }),
  'PATCH /api/coupons/{id}': async (who, body) => {
    const { id } = await createCoupon(test.ctx, who, { merchant: MERCHANT });
    return test.call(who, { method: 'PATCH', url: `/api/coupons/${id}`, body });
  },
};
const questions = () => sandbox.asked.filter(({ method }) => method === 'POST').length;
const recordsOf = ({ id }: { id: number }) =>
  test.database.db
    .selectFrom('validations')
    .select(['validatedWith', 'isValid', 'isConfirmed', 'source'])
    .where('userId', '=', id)
    .orderBy('id')
    .execute();

describe.each(Object.entries(DOORS))('a new code by %s', (_door, bring) => {
  it('is validated in the same call, and its verdict is kept [decisions 2.14.1]', async () => {
    const who = await person();
    const answer = await bring(who, { codeValue: aCode(GOOD) });
    expect(answer.statusCode).toBeLessThan(300);
    expect(answer.json()).toMatchObject({ isVerified: true });
    expect(await recordsOf(who)).toMatchObject([
      { source: 'auto', validatedWith: 'voucherify', isValid: true, isConfirmed: true },
    ]);
  });

  it('may come with empty fields for pictures, as a form sends them', async () => {
    const who = await person();
    const codeValue = aCode(GOOD);
    const pictures = { qrCodeUrl: '', barcodeUrl: '' };
    const answer = await bring(who, { codeValue, ...pictures, imageUrl: '' });
    expect(answer.statusCode).toBeLessThan(300);
    expect(answer.json()).toMatchObject({ hasCode: true, qrCodeUrl: null, barcodeUrl: null, imageUrl: null });
    const body = { merchant: MERCHANT, codeValue, ...pictures };
    const verdict = await test.call(who, { method: 'POST', url: '/api/validate-coupon', body });
    expect(verdict.json()).toMatchObject({ valid: true });
  });

  it.each([
    ['used up', { error: 'quantity_exceeded' }, 'This code has been used up.'],
    ['expired', { error: 'voucher_expired' }, 'This code has expired.'],
    ['withdrawn', { error: 'voucher_disabled' }, 'This code has been withdrawn.'],
    ['unknown', undefined, `Voucherify does not know this code of ${MERCHANT}.`],
  ])(
    'is refused if the merchant’s account calls it %s, unless that is acknowledged [decisions 2.14.2]',
    async (_why, voucher, text) => {
      const who = await person();
      const codeValue = aCode(voucher);
      const refused = await bring(who, { codeValue });
      expect(refused.statusCode).toBe(409);
      expect(refused.json()).toMatchObject({
        code: 'code_dead',
        error: text,
        issues: [{ path: 'codeValue' }],
      });
      const added = await bring(who, { codeValue, acknowledgeDeadCode: true });
      expect(added.statusCode).toBeLessThan(300);
      expect(added.json()).toMatchObject({ hasCode: true, isVerified: false });
      // The first look is on record.
      expect(questions()).toBe(1);
      expect(await recordsOf(who)).toHaveLength(1);
    },
  );

  it.each([
    ['is not active yet', () => {}, { error: 'voucher_not_active' }],
    ['is for chosen customers only', () => {}, { error: 'customer_rules_violated' }],
    ['cannot be checked now', () => sandbox.answer(json({}, 503)), undefined],
  ])('is taken if it %s [decisions 2.14.2]', async (_why, prepare, voucher) => {
    prepare();
    const answer = await bring(await person(), { codeValue: aCode(voucher) });
    expect(answer.statusCode).toBeLessThan(300);
    expect(answer.json()).toMatchObject({ hasCode: true, isVerified: false });
  });

  it('is not asked about again if the caller has validated it before [decisions 2.14.1]', async () => {
    const [who, code] = [await person(), aCode(GOOD)];
    const body = { merchant: MERCHANT, code };
    await test.call(who, { method: 'POST', url: '/api/validate-coupon', body });
    test.ctx.clock.advanceDays(1 / 24);
    expect((await bring(who, { codeValue: code })).statusCode).toBeLessThan(300);
    expect(questions()).toBe(1);
    // What another person was told does not count.
    vouchers[code] = { error: 'voucher_expired' };
    expect((await bring(await person(), { codeValue: code })).json()).toMatchObject({ code: 'code_dead' });
    expect(questions()).toBe(2);
  });
});

it('a code that a picture brings is validated too', async () => {
  const who = await person();
  const { url: qrCodeUrl } = await insertImage(test.ctx, who, { code: aCode() });
  const body = { ...anOffer(), merchant: MERCHANT, codeValue: null, qrCodeUrl };
  const answer = await test.call(who, { method: 'POST', url: '/api/coupons', body });
  expect(answer.json()).toMatchObject({ code: 'code_dead' });
});

it.each([
  ['typed', 'SAVE\u001d20\u001e%', 'codeValue'],
  ['on a picture', 'SAVE\u00003\u001d0\n%', 'qrCodeUrl'],
])('control characters in a code are kept: %s', async (_, code, field) => {
  const who = await person();
  vouchers[code] = GOOD;
  const value = field === 'codeValue' ? code : (await insertImage(test.ctx, who, { code })).url;
  const body = { ...anOffer(), merchant: MERCHANT, codeValue: null, [field]: value };
  const { id } = (await test.call(who, { method: 'POST', url: '/api/coupons', body })).json();
  const revealed = await test.call(who, { method: 'POST', url: `/api/coupons/${id}/reveal` });
  expect(revealed.json()).toMatchObject({ codeValue: code });
});

it('an edit that leaves code and merchant asks nobody', async () => {
  const who = await person();
  const { id } = await createCoupon(test.ctx, who, { merchant: MERCHANT });
  const edit = (body: Body) => test.call(who, { method: 'PATCH', url: `/api/coupons/${id}`, body });
  expect((await edit({ title: 'Another title', merchant: MERCHANT })).statusCode).toBe(200);
  expect(questions()).toBe(0);
  expect((await edit({ merchant: 'Bakery Lane' })).statusCode).toBe(200);
  expect(await recordsOf(who)).toHaveLength(1);
});
