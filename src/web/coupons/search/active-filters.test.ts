import { describe, expect, it } from 'vitest';
import { CATEGORIES } from '#contract/coupons/choices.ts';
import { FILTERS_ADDRESS, type Filters, NO_FILTERS, toListInput } from '#contract/coupons/coupon-filters.ts';
import { listCouponsInputSchema } from '#contract/coupons/coupons.ts';
import { CHECKED_CHOICES, EXPIRY_CHOICES, MARKET_SORTS } from '#contract/coupons/sorts.ts';
import { activeFilters } from './active-filters.ts';

const EMPTY: Filters = { ...NO_FILTERS, sort: 'newest', page: 1 };

const read = (address: string) => FILTERS_ADDRESS.read(new URLSearchParams(address));
const write = (address: string, change: Partial<Filters>) =>
  FILTERS_ADDRESS.change(new URLSearchParams(address), change).toString();

describe('reading the address', () => {
  it('shows everything, newest first, without parameters', () => {
    expect(read('')).toEqual(EMPTY);
  });

  it('reads every filter [spec/1 9.2]', () => {
    const address =
      'q=free+coffee&category=food&merchant=Bean+%26+Co&min=5&max=9.50&expires=30&checked=30&buy=now&sort=value-low&page=2';
    expect(read(address)).toEqual({
      search: 'free coffee',
      category: 'food',
      merchant: 'Bean & Co',
      minValue: 500,
      maxValue: 950,
      expiryDays: 30,
      checkedDays: 30,
      hasAskingPrice: true,
      sort: 'value-low',
      page: 2,
    });
  });

  it.each([
    'category=scraped',
    'category=FOOD',
    'min=-5',
    'min=abc',
    'min=1.234',
    'max=1e3',
    'max=999999999999',
    'min=20&max=10',
    'expires=8',
    'expires=null',
    'checked=5',
    'buy=later',
    'sort=cheapest',
    'page=0',
    'page=-1',
    'page=1.5',
    'page=Infinity',
    `q=${'x'.repeat(101)}`,
    'q=%00',
    `merchant=${'x'.repeat(81)}`,
    'unknown=1',
  ])('ignores %s', (address) => {
    expect(read(address)).toEqual(EMPTY);
  });

  it('gives input that the server accepts for any text', () => {
    const keys = ['q', 'category', 'merchant', 'min', 'max', 'expires', 'checked', 'buy', 'sort', 'page'];
    const texts = [
      '',
      ' ',
      '0',
      '-0',
      '0.0',
      '1',
      '99999999.99',
      '100000000',
      '٣',
      '\ud800',
      '\u0000',
      '\n\t',
      'ü😀',
      '%',
    ];
    for (const text of [...texts, ...texts.map((part) => part.repeat(60))]) {
      const input = toListInput(FILTERS_ADDRESS.read(new URLSearchParams(keys.map((key) => [key, text]))));
      expect(listCouponsInputSchema.safeParse(input).error, JSON.stringify(text)).toBeUndefined();
    }
  });
});

describe('writing the address', () => {
  it('writes values that are read back', () => {
    const each: Partial<Filters>[] = [
      ...['free coffee', 'a&b=c', '100% 😀', '+'].flatMap((text) => [{ search: text }, { merchant: text }]),
      ...CATEGORIES.map((category) => ({ category })),
      ...EXPIRY_CHOICES.map((expiryDays) => ({ expiryDays })),
      ...CHECKED_CHOICES.map((checkedDays) => ({ checkedDays })),
      { hasAskingPrice: true },
      ...MARKET_SORTS.filter((sort) => sort !== 'price-low').map((sort) => ({ sort })),
      ...[0, 1, 29, 100, 950, 115, 99_999_999].flatMap((cents) => [{ minValue: cents }, { maxValue: cents }]),
      { minValue: 950, maxValue: 950 },
      { page: 34 },
    ];
    for (const change of each) expect(read(write('', change))).toEqual({ ...EMPTY, ...change });
    const all = Object.assign({}, ...each);
    expect(read(write('', all))).toEqual({ ...EMPTY, ...all });
  });

  it('writes amounts as people type them', () => {
    expect(write('', { minValue: 500, maxValue: 950 })).toBe('min=5&max=9.50');
  });

  it('keeps the order by price and the filter of what has one together', () => {
    expect(read(write('', { sort: 'price-low' }))).toEqual({
      ...EMPTY,
      sort: 'price-low',
      hasAskingPrice: true,
    });
    expect(read('sort=price-low').hasAskingPrice).toBe(true);
    expect(write('sort=price-low&buy=now', { hasAskingPrice: null })).toBe('');
    expect(write('sort=price-low&buy=now', { sort: 'oldest' })).toBe('sort=oldest&buy=now');
  });

  it('drops the other bound if the new one contradicts it', () => {
    expect(write('min=10', { maxValue: 500 })).toBe('max=5');
    expect(write('max=10', { minValue: 2_000 })).toBe('min=20');
  });
});

describe('active filters', () => {
  it('are named one by one, without the search and the order', () => {
    const filters = read('q=tea&sort=oldest&category=travel&min=5&max=10&merchant=Air&expires=90');
    expect(activeFilters(filters).map(({ label }) => label)).toEqual([
      'Travel',
      'At least $5.00 CAD',
      'At most $10.00 CAD',
      'Merchant: Air',
      'Expires: Next 3 months',
    ]);
  });

  it('each remove only themselves', () => {
    const address = 'category=travel&min=0&max=10&merchant=Air&expires=90';
    for (const [index, { without }] of activeFilters(read(address)).entries()) {
      const left = activeFilters(read(write(address, without))).map(({ label }) => label);
      const expected = activeFilters(read(address)).map(({ label }) => label);
      expected.splice(index, 1);
      expect(left).toEqual(expected);
    }
  });
});
