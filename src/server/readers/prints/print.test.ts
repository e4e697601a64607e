import { describe, expect, it } from 'vitest';
import { inLanguage } from '#server/core/language.ts';
import type { TextReading } from './lines.ts';
import { readPrint } from './print.ts';

const TODAY = '2030-11-01';

/** A reading of lines below each other; a number in front is the height of a line, one in % behind its confidence. */
function reading(...lines: readonly string[]): TextReading {
  return lines.map((given, at) => {
    const [, height = '20', text = '', confidence = '95'] =
      /^(?:(\d+)px )?(.*?)(?: (\d+)c)?$/.exec(given) ?? [];
    return {
      words: text.split(' ').map((word) => ({ text: word, confidence: Number(confidence) })),
      ...{ left: 10, right: 10 + text.length * 10, top: at * 100, height: Number(height) },
    };
  });
}

const print = (...lines: readonly string[]) => readPrint([reading(...lines)], { today: TODAY, codes: [] });
const shown = (fact: { value: unknown; isDoubtful: boolean } | null) =>
  fact && `${fact.value}${fact.isDoubtful ? '?' : ''}`;

describe('the last day', () => {
  it.each([
    ['Expires 12/31/2030', '2030-12-31'],
    ['EXP 03/15/31', '2031-03-15'],
    ['Valid until December 31, 2030', '2030-12-31'],
    ['Ends Sunday, February 14th, 2031', '2031-02-14'],
    ['Offer valid through 31 Jan 2031', '2031-01-31'],
    ['Use by 30-Jun-2031', '2031-06-30'],
    ['Good through 04.30.2031', '2031-04-30'],
    ['Expires: 2031-02-28', '2031-02-28'],
    ['Valid 11/01/2030 - 01/31/2031', '2031-01-31'],
    ['Valid Jan 5 - Feb 28, 2031', '2031-02-28'],
    ['Valid from December 1 to December 24, 2030', '2030-12-24'],
    ['Valable jusqu’au 31 janvier 2031', '2031-01-31'],
    ['Échéance : 28/02/2031', '2031-02-28'],
    ['BEST USED BEFORE AUG 12031', '2031-08-01'],
    ['Expires 31. Dezember 2030', '2030-12-31'],
    ['Expira el 31 de diciembre de 2030', '2030-12-31'],
    ['Expires 31 grudnia 2030', '2030-12-31'],
    ['Expires 31 Aralık 2030', '2030-12-31'],
    ['Expires 31 декабря 2030 г.', '2030-12-31'],
    ['Valable jusqu’à fin décembre 2030', '2030-12-31'],
    ['EXP 12/2030', '2030-12-31'],
    ['EXP 12/30', '2030-12-31?'],
    ["Expires Dec '30", '2030-12-31'],
    ['From 25/12/2030, valid until 03/02/2031', '2031-02-03'],
  ])('is read: %s', (line, day) => {
    expect(shown(print('20% off', line).expiryDate)).toBe(day);
  });

  it.each([
    ['is the month or the day', 'Expires 04/05/2031', '2031-04-05?'],
    ['has no year', 'Expires Dec 31', '2030-12-31?'],
    ['is not said to be the last one', '12/31/2030', '2030-12-31?'],
    ['is hardly legible', 'Expires 12/31/2030 60c', '2030-12-31?'],
  ])('is doubtful where a number %s', (_, line, day) => {
    expect(shown(print(line).expiryDate)).toBe(day);
  });

  it.each([
    'Printed 12/31/2030',
    '© 2030',
    'Expired 10/31/2030',
    'Call 1-800-555-0199',
    'Store 0412 Reg 03',
    'The December 2030 sale',
    '1/2 off',
    'Open 24/7',
  ])('is none: %s', (line) => expect(print(line).expiryDate).toBeNull());

  it('has day and month in the order of the language of whoever asks, with a doubt', () => {
    const read = () => shown(print('Expires 04/05/2031').expiryDate);
    expect([inLanguage('en', read), inLanguage('fr', read)]).toEqual(['2031-04-05?', '2031-05-04?']);
  });

  it('is none where the coupon does not expire', () => {
    expect(print('No expiration date')).toMatchObject({ hasNoExpiry: true, expiryDate: null });
    expect(print('Expires 12/31/2030').hasNoExpiry).toBe(false);
  });
});

describe('the value', () => {
  it.each([
    [['60px 20% OFF', 'your entire order'], '2000 percentage'],
    [['60px SAVE $10', 'on any purchase of $50 or more'], '1000 fixed'],
    [['60px 5 $ de rabais', 'à l’achat de 30 $ ou plus'], '500 fixed'],
    [['60px $100 GIFT CARD'], '10000 fixed'],
    [['60px 20% OFF', 'Save up to 5% more with our app'], '2000 percentage'],
    [['60px 20% OFF 60c'], '2000 percentage?'],
    [['60px 1 250,00 $', '25px de crédit voyage'], '125000 fixed'],
    [['60px 1 500 $ de rabais', 'sur votre voyage'], '150000 fixed'],
    [['60px Épargnez 25 $', 'à l’achat de 100 $ ou plus'], '2500 fixed'],
    [['60px Bon de 25 $', 'chez Hibou'], '2500 fixed'],
    [['60px Escompte de 10 %'], '1000 percentage'],
    [['60px $10', '25px off any pizza'], '1000 fixed'],
    [['60px 10,00 € Rabatt'], '1478 fixed?'],
    [['60px 2 x 500 $ de rabais'], null],
    [['60px $10', '25px a pizza'], null],
    [['60px SAVE S10'], '1000 fixed?'],
    [['60px £5 off'], '861 fixed?'],
    [['60px UP TO', '60px 40% OFF'], '4000 percentage?'],
    [['60px 20% OFF', '50px 30% OFF'], '2000 percentage?'],
    [['60px BUY ONE GET ONE FREE'], null],
    [['60px 2 FOR 1', 'all main courses over $20'], null],
  ])('of %j is %s', (lines, expected) => {
    const { worth } = print(...lines);
    expect(shown(worth && { ...worth, value: `${worth.value.value} ${worth.value.discountType}` })).toBe(
      expected,
    );
  });
});

it('is doubtful where two readings differ, and certain where only one can be read', () => {
  const [clear, other, none] = [
    reading('60px 50% OFF', 'Expires 12/31/2030'),
    reading('60px 90% OFF', 'Expires 12/30/2030'),
    reading('illegible'),
  ];
  const given = { today: TODAY, codes: [] };
  expect(readPrint([clear, other], given)).toMatchObject({
    worth: { isDoubtful: true },
    expiryDate: { isDoubtful: true },
  });
  expect(readPrint([none, clear], given)).toMatchObject({
    worth: { value: { value: 5_000 }, isDoubtful: false },
    expiryDate: { value: '2030-12-31', isDoubtful: false },
  });
});

it('is doubtful in all facts where two coupons are on one print', () => {
  const two = [
    ...['60px $5 OFF', 'any large order', 'Code: PIZZA-5A', 'Expires 12/31/2030'],
    ...['30px 20% OFF', 'all salads', 'Code: SALAD-20B', 'Limit one per customer.'],
  ];
  expect(print(...two)).toMatchObject({
    ...{ worth: { isDoubtful: true }, expiryDate: { isDoubtful: true }, title: { isDoubtful: true } },
    terms: null,
  });
  const one = two.filter((line) => !line.includes('SALAD-20B'));
  expect(print(...one)).toMatchObject({ worth: { isDoubtful: false }, expiryDate: { isDoubtful: false } });
});

it('has the offer as title, the small print as terms, and the names by their size', () => {
  const read = print(
    '40px Pizza Palazzo',
    '70px $5 OFF',
    'any large order',
    'Expires 12/31/2030',
    'Limit one per customer. Not valid with other offers.',
  );
  expect(read.title?.value).toBe('$5 OFF any large order');
  expect(read.terms).toBe('Limit one per customer. Not valid with other offers.');
  expect(read.names[0]).toBe('Pizza Palazzo');
});

describe('the code', () => {
  it.each([
    [['Code: OWL-7431'], 'OWL-7431'],
    [['Code promo : HIBOU25'], 'HIBOU25'],
    [['Voucher number', '6035 7100 1234 5678'], '6035 7100 1234 5678'],
    [['Code: OWL-7431', 'PIN: 4711'], 'OWL-7431'],
    [['Code: PIZZA-5A', 'Code: SALAD-20B'], null],
    [['Show this coupon at the till'], null],
  ])('in words alone, as in %j, is %s', (lines, code) => {
    expect(print('60px $25 off', ...lines).code).toBe(code);
    const symbol = { today: TODAY, codes: ['4006381333931'] };
    expect(readPrint([reading('60px $25 off', ...lines)], symbol).code).toBeNull();
  });

  it('is that of the reading that reads it best', () => {
    const [poor, good] = [reading('$25 off', 'Code: 0WL-7431 60c'), reading('$25 off', 'Code: OWL-7431 90c')];
    expect(readPrint([poor, good], { today: TODAY, codes: [] }).code).toBe('OWL-7431');
  });

  it.each([
    ['below its bars', ['PIZZA 5 OFF 2K'], ['PIZZA-5-OFF-2K']],
    ['in parts', ['PIZZA', '5OFF2K'], ['PIZZA-5-OFF-2K']],
    ['behind its name', ['Promo code: SUMMER'], []],
    ['below its name', ['Your code:', 'SUMMER'], []],
    ['of letters and digits', ['70px SAVE20NOW'], []],
    ['of digits', ['4006 3813 3393 1'], []],
  ])('is in no fact, printed %s', (_, lines, codes) => {
    const read = readPrint([reading('50px $5 OFF', ...lines, 'Limit one. SUMMER code')], {
      today: TODAY,
      codes,
    });
    const said = JSON.stringify([read.title, read.terms, read.names]);
    for (const word of lines
      .flatMap((line) => line.replace(/^\d+px |^.*:/, '').split(' '))
      .filter((each) => each.length > 3))
      expect(said).not.toContain(word);
  });
});
