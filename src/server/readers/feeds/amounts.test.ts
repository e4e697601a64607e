import { describe, expect, it } from 'vitest';
import { CURRENCIES, type Currency } from '#contract/base/money.ts';
import { amountsIn, readAmount, readShare } from './amounts.ts';

const read = (text: string, fallback: Currency | null = 'CAD') => {
  const amount = readAmount(text, fallback);
  return amount && amount.hundredths !== null ? `${amount.hundredths} ${amount.unit ?? ''}`.trim() : null;
};

describe('an amount', () => {
  it.each([
    ['1 234,50 $', '123450 CAD'],
    ['1\u00a0234,50\u00a0$', '123450 CAD'],
    ['1\u202f234,50\u202f$', '123450 CAD'],
    ['12 500 $', '1250000 CAD'],
    ["1'500 CHF", '150000 other'],
    ['1’234.50 EUR', '123450 EUR'],
    ['$1,234.50', '123450 CAD'],
    ['1.234,50 €', '123450 EUR'],
    ['1 234 567', '123456700'],
    ['12,34,567.50 INR', '123456750 INR'],
    ['$1,500', '150000 CAD'],
    ['£1,500', '150000 GBP'],
    ['1.500 JPY', '150000 JPY'],
    ['12,500 %', '1250 %'],
    ['12,5%', '1250 %'],
    ['%20', '2000 %'],
    ['20 percent', '2000 %'],
    ['CA$5', '500 CAD'],
    ['$5 USD', '500 USD'],
    ['$5 EUR', '500 other'],
    ['5,00 $ US', '500 USD'],
    ['USD 5', '500 USD'],
    ['20,- €', '2000 EUR'],
    ['.50 $', '50 CAD'],
    ['0,50 €', '50 EUR'],
    ['10.100000000000001', '1010'],
    ['10.1', '1010'],
  ])('is read: %s as %s', (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  it.each([
    ...['1,500 $', '1.500 €', '1,500', '1.500', '1,500 CAD', '1,500 USD'],
    ...[
      '-5,00 €',
      '−5 $',
      '(5.00)',
      '5,00- $',
      '2 x 500 $',
      '2x500',
      '3 for $10',
      '2/$5',
      '10-20%',
      '10 to 20%',
    ],
    ...['2026 500 $', '15 50 $', '1 2345 $', '0 500 $', '1.2.3', '1,23,4', '1 234 50', "12'50"],
    ...['$5k', '5 k€', '$1.5 million', '1,5 Mio. €', '$20+', '10.125 $', '٥٠ $', '１５ $', '5٠ $'],
    ...['20kg', '', '$', '%', 'x', '12345678901234567890123456'],
  ])('is refused where nobody can tell it, or it is negative: %s', (text) => {
    expect(read(text)).toBeNull();
  });

  it('has the currency of the country where its sign belongs to several', () => {
    expect([read('$5', 'USD'), read('$5', 'EUR'), read('$5', null), read('¥5')]).toEqual([
      '500 USD',
      '500 other',
      '500 other',
      '500 other',
    ]);
  });
});

const LOCALES =
  'ar bg bn-u-nu-latn ca cs da de de-AT de-CH el en en-CA en-GB en-IN en-ZA es es-AR es-CL es-MX et eu fa fi fr fr-CA fr-CH he hi hr hu id it it-CH ja ko lt lv nb nl pl pt pt-PT ro ru sk sl sr sv th tr uk ur vi zh'.split(
    ' ',
  );
const NUMBERS = [0.5, 5, 12.5, 99.99, 500, 1_000, 1_234, 1_250.5, 12_500, 123_456.78, 999_999, -5, -1_500];
const STYLES: readonly Intl.NumberFormatOptions[] = [
  ...(['symbol', 'narrowSymbol', 'code', 'name'] as const).map((currencyDisplay) => ({ currencyDisplay })),
  { maximumFractionDigits: 0 },
  { currencySign: 'accounting' },
  { notation: 'compact' },
];

it.each(['CAD', 'USD', 'EUR', 'GBP', 'JPY', 'BRL', 'CHF'])(
  'of %s is read back or refused as each language prints it, and never read as another one',
  (currency) => {
    const wrong: string[] = [];
    const back = new Set<string>();
    const fallback = CURRENCIES.find((each) => each === currency) ?? null;
    for (const style of STYLES) {
      const options = { style: 'currency', currency, ...style } as const;
      const english = new Intl.NumberFormat('en', options);
      for (const locale of LOCALES) {
        const format = new Intl.NumberFormat(locale, options);
        for (const number of NUMBERS) {
          const text = format.format(number);
          const amount = readAmount(text, fallback);
          if (!amount || amount.hundredths === null) continue;
          const printed = english
            .formatToParts(number)
            .filter(({ type }) => /integer|fraction|decimal/.test(type));
          const shown = [Math.round(Number(printed.map(({ value }) => value).join('')) * 100)];
          // Some languages have no short form of a thousand.
          if (style.notation === 'compact') shown.push(Math.round(number) * 100);
          const isUnit = amount.unit === currency || amount.unit === 'other' || amount.unit === null;
          if (shown.includes(amount.hundredths) && number > 0 && isUnit) back.add(text);
          else wrong.push(`${locale} ${text}: ${amount.hundredths} ${amount.unit}`);
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(back.size).toBeGreaterThan(90);
  },
);

it('finds the amounts of a sentence with what belongs to each', () => {
  const text = 'Save $10 or 1 500,50 € and 20 % today, not 7 or 2 x 5 $';
  const found = amountsIn(text, 'CAD').map(({ start, end, unit, hundredths }) => [
    text.slice(start, end),
    unit,
    hundredths,
  ]);
  expect(found).toEqual([
    ['$10', 'CAD', null],
    ['1 500,50 €', 'EUR', null],
    ['20 %', '%', 2_000],
    ['7', null, null],
    ['2', null, null],
    ['5 $', 'CAD', null],
  ]);
});

it.each([
  ['0.2', 2_000],
  [',125', 1_250],
  ['0.15000000000000002', 1_500],
  ['0.123456', null],
  ['1.2', null],
  ['20', null],
])('a share of a spreadsheet: %s', (text, share) => {
  expect(readShare(text)).toBe(share);
});
