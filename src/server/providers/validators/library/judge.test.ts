import { describe, expect, it } from 'vitest';
import { judgeByLibrary } from './judge.ts';

const merchant = 'Acme';
const now = new Date('2026-11-21T23:30:00Z');
const judge = (code: string, at = now) => judgeByLibrary({ merchant, code, now: at });

/** A coupon for 2.50 off one item of a product. */
const OFFER = '106141416543213250110120';
const withDays = (expiry: string, start = '') => `(8110)${OFFER}3${expiry}${start && `4${start}`}`;
const COUPON_8112 = '001234561234560123456';

describe('an 8110 coupon', () => {
  it('is read', () => {
    expect(judge(withDays('261231', '261101'))).toEqual({
      valid: true,
      message: 'The code is well formed, but Acme has not confirmed it.',
      validatedWith: 'library',
      value: 250,
      discountType: 'fixed',
      expiryDate: '2026-12-31',
      description: '2.50 off',
      requirement: 'Buy 1 item of the qualifying product',
      confirmed: false,
      dead: false,
      confidence: 'structure',
      checks: [
        { name: 'structure', passed: true, text: 'The code follows the standard.' },
        { name: 'start', passed: true, text: 'It began on Nov 1, 2026.' },
        { name: 'expiry', passed: true, text: 'Its last day is Dec 31, 2026.' },
      ],
    });
  });

  it('is valid on its first and its last day, in UTC', () => {
    expect(judge(withDays('261121', '261121'))?.valid).toBe(true);
    expect(judge(withDays('261121'), new Date('2026-11-21T23:59:59.999Z'))?.valid).toBe(true);
  });

  it('has expired on the day after', () => {
    expect(judge(withDays('261121'), new Date('2026-11-22T00:00:00Z'))).toMatchObject({
      valid: false,
      message: 'This coupon expired on Nov 21, 2026.',
      expiryDate: '2026-11-21',
      value: 250,
      checks: [{ passed: true }, { name: 'expiry', passed: false, text: 'It ended on Nov 21, 2026.' }],
    });
  });

  it('cannot be used before its first day', () => {
    expect(judge(withDays('261231', '261122'))).toMatchObject({
      valid: false,
      message: 'This coupon cannot be used before Nov 22, 2026.',
      checks: [
        { passed: true },
        { name: 'start', passed: false, text: 'It begins on Nov 22, 2026.' },
        { name: 'expiry', passed: true },
      ],
    });
  });

  it('gets a message with its mistake', () => {
    expect(judge('(8110)1061414165')).toMatchObject({
      valid: false,
      message: 'This is not a valid coupon code: its offer code is cut short.',
      value: null,
      expiryDate: null,
      confirmed: false,
      confidence: 'structure',
      checks: [{ name: 'structure', passed: false }],
    });
  });
});

describe('an 8112 coupon', () => {
  it('is only checked for its structure', () => {
    expect(judge(`(8112)${COUPON_8112}`)).toMatchObject({
      valid: true,
      message: 'The code is well formed but not confirmed: only The Coupon Bureau knows the offer.',
      value: null,
      expiryDate: null,
      confirmed: false,
      confidence: 'structure',
    });
    expect(judge(`(8112)${COUPON_8112}7`)).toMatchObject({
      valid: false,
      message: 'This is not a valid coupon code: it has digits that belong to nothing.',
    });
  });
});

describe('spellings', () => {
  it.each([
    ['in brackets', `(8110)${OFFER}`],
    ['in brackets, with spaces', `(8110) ${OFFER.slice(0, 8)} ${OFFER.slice(8)}`],
    ['digits alone', `8110${OFFER}`],
    ['digits in groups', ` 8110 ${OFFER.slice(0, 8)}\u00a0${OFFER.slice(8)}\n`],
    ['as DataBar is scanned', `]e08110${OFFER}`],
    ['as Code 128 is scanned', `]C18110${OFFER}`],
    ['scanned and bracketed', `]e0(8110)${OFFER}`],
    ['after a group separator', `\u001d8110${OFFER}`],
    ['after FNC1 in words', `{FNC1}8110${OFFER}`],
    ['before another element', `]e08110${OFFER}\u001d8112${COUPON_8112}`],
    ['before another element in brackets', `(8110)${OFFER}(8112)${COUPON_8112}`],
    ['ended by a separator', `8110${OFFER}<GS>`],
  ])('%s', (_how, code) => {
    expect(judge(code)).toMatchObject({ valid: true, value: 250 });
  });

  it.each([
    ['a shop’s code', 'SAVE20'],
    ['nothing', ''],
    ['spaces', '  '],
    ['letters after the identifier', '8110SAVE'],
    ['too short for a coupon, and no barcode', '8110123456'],
    ['another identifier', '(21)12345'],
    ['another element', ']C12112345'],
    ['an identifier that it only begins with', '(81101)123'],
    ['arabic digits', '٨١١٠٠١٢٣٤٥٦١٢٣٤٥٦١١١١٠١٢٣'],
  ])('%s is not a standard code', (_what, code) => {
    expect(judge(code)).toBeNull();
  });

  it('treats a short number as a broken coupon only when it is marked as GS1', () => {
    expect(judge('81101061414165')).toBeNull();
    expect(judge(']e081101061414165')).toMatchObject({ valid: false });
    expect(judge('(8110)SAVE20')).toMatchObject({
      valid: false,
      message: 'This is not a valid coupon code: it holds something else than digits.',
    });
  });
});

describe('numbers with a check digit', () => {
  it.each([
    ['GTIN-8', '96385074'],
    ['UPC-E', '04252614'],
    ['UPC-A', '0 36000 29145 2'],
    ['EAN-13', '4006381333931'],
    ['GTIN-14', '10614141000415'],
  ])('%s', (format, code) => {
    expect(judge(code)).toMatchObject({
      valid: true,
      message: 'The check digit is right, but Acme has not confirmed it.',
      value: null,
      confirmed: false,
      confidence: 'structure',
      checks: [
        { name: 'structure', passed: true, text: `It has the form of ${format}.` },
        { name: 'check-digit', passed: true },
      ],
    });
  });

  it('accepts a card’s number', () => {
    expect(judge('6006 4917 2700 5748 186')).toMatchObject({ valid: true });
  });

  it.each([
    ['UPC-A', '036000291453'],
    ['EAN-13', '4006381333932'],
    ['of a card', '6006491727005748187'],
    ['all alike, as placeholders are', '000000000000'],
    ['of no such length', '1234567'],
  ])('ignores a wrong check digit of a shop’s own number: %s', (_format, code) => {
    expect(judge(code)).toBeNull();
  });

  it.each(['512345678900', '0512345678900', '00512345678900', '9912345678905', '9812345678900'])(
    'a legacy coupon is told as one, right or wrong: %s',
    (code) => {
      const body = code.slice(0, -1);
      const verdicts = [...'0123456789'].map((digit) => judge(body + digit));
      const right = verdicts.filter((verdict) => verdict?.valid);
      expect(right).toHaveLength(1);
      expect(right[0]?.message).toBe(
        'This is an older kind of coupon. We can check only its check digit, which is right; Acme has not confirmed it.',
      );
      expect(verdicts.filter((verdict) => verdict?.valid === false)).toHaveLength(9);
      expect(verdicts.find((verdict) => verdict?.valid === false)).toMatchObject({
        message:
          'It starts like an older kind of coupon, but its check digit is wrong. A digit may be mistyped.',
        checks: [{ passed: true }, { name: 'check-digit', passed: false }],
      });
    },
  );

  it('treats an EAN-13 that begins with 5 as a product', () => {
    expect(judge('5901234123457')?.message).toBe('The check digit is right, but Acme has not confirmed it.');
    expect(judge('5901234123458')).toBeNull();
  });

  it('treats a UPC-A that begins with 05 as a product', () => {
    expect(judge('0050000000013')).toBeNull();
    expect(judge('050000000012')?.message).toBe('The check digit is right, but Acme has not confirmed it.');
  });

  it('refuses a number marked as a GTIN that is none', () => {
    expect(judge('(01)10614141000415')).toMatchObject({ valid: true });
    expect(judge(']e00110614141000415')).toMatchObject({ valid: true });
    expect(judge('(01)10614141000416')).toMatchObject({
      valid: false,
      message: 'The check digit of this barcode number is wrong. A digit may be mistyped.',
    });
    expect(judge('(01)1061414100041')).toMatchObject({ valid: false });
  });
});

it('never shows the code, and confirms nothing', () => {
  const secrets = [OFFER, '1061414165', '654321', COUPON_8112, '036000291452', '512345678900'];
  const codes = [withDays('261231', '261101'), withDays('250101'), `(8110)${OFFER}8`, `(8112)${COUPON_8112}`];
  for (const code of [...codes, '(8110)1061414165', '036000291452', '512345678900', '512345678901']) {
    const verdict = judge(code);
    expect(verdict?.confirmed).toBe(false);
    for (const secret of secrets) expect(JSON.stringify(verdict)).not.toContain(secret);
  }
});
