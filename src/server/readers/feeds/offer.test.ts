import { describe, expect, it } from 'vitest';
import { readWorth } from './money.ts';
import { fieldPaths, readOffer } from './offer.ts';
import { readRegions } from './regions.ts';

const mapping = { paths: fieldPaths(), merchant: null, currency: null };

const read = (fields: Record<string, unknown>) => {
  const row = readOffer({ merchant: 'Acme', code: 'SAVE20', title: 'Twenty off', ...fields }, mapping);
  return 'problem' in row ? row : row.offer;
};

describe('regions', () => {
  it.each([
    ['GB', 'GB'],
    ['uk, Ireland', 'GB IE'],
    ['Deutschland; Österreich | Schweiz', 'AT CH DE'],
    ['États-Unis', 'US'],
    ['United States', 'US'],
    ['Moldova, Republic of', 'MD'],
    ['us ca mx', 'CA MX US'],
    [['FR', 'BE', 'FR'], 'BE FR'],
    [{ all: true, list: [] }, ''],
    [{ all: false, list: [{ name: 'Spain', countrycode: 'ES' }] }, 'ES'],
    ['00', ''],
    ['Worldwide', ''],
    ['all', ''],
    [undefined, ''],
    [7, ''],
  ])('are read as country codes: %j as %s', (given, codes) => {
    expect(readRegions(given).join(' ')).toBe(codes);
  });

  it('of the European Union are its members', () => {
    expect(readRegions('EU')).toHaveLength(27);
  });
});

describe('money', () => {
  const nothing = { percentOff: '', amountOff: '', discount: '', discountType: '', currency: '' };
  const worth = (fields: Partial<typeof nothing>, currency: 'USD' | null = null) => {
    const read = readWorth({ ...nothing, ...fields }, currency);
    return read && `${read.value} ${read.discountType}`;
  };

  it.each([
    [{ percentOff: '25' }, '2500 percentage'],
    [{ percentOff: '12.5 %' }, '1250 percentage'],
    [{ percentOff: '100' }, '10000 percentage'],
    [{ percentOff: '101' }, null],
    [{ percentOff: '0' }, null],
    [{ amountOff: '40.00 GBP' }, '6886 fixed'],
    [{ amountOff: '£40' }, '6886 fixed'],
    [{ amountOff: 'CAD 1,250.50' }, '125050 fixed'],
    [{ amountOff: '1000 JPY' }, '885 fixed'],
    [{ amountOff: '10 CHF' }, null],
    [{ amountOff: '1 234,50 CAD' }, '123450 fixed'],
    [{ amountOff: '12 500', currency: 'CAD' }, '1250000 fixed'],
    [{ amountOff: '10.100000000000001', currency: 'CAD' }, '1010 fixed'],
    [{ amountOff: '1,500', currency: 'CAD' }, null],
    [{ amountOff: '-5,00 €' }, null],
    [{ percentOff: '12,5 %' }, '1250 percentage'],
    // It may be a fifth.
    [{ percentOff: '0.2' }, null],
    // It does not say which country's dollar.
    [{ amountOff: '$10' }, null],
    [{ amountOff: '10', currency: 'CAD' }, '1000 fixed'],
    [{ discount: '10%' }, '1000 percentage'],
    [{ discount: '10% off' }, '1000 percentage'],
    [{ discount: '40.00 EUR' }, '5913 fixed'],
    [{ discount: '10' }, null],
    [{ discount: '10', currency: 'CAD' }, '1000 fixed'],
    [{ discount: '10', discountType: 'percentage' }, '1000 percentage'],
    [{ discount: '10', discountType: 'cashback', currency: 'CAD' }, null],
    [{ discount: '10', discountType: 'fixed', currency: 'CAD' }, '1000 fixed'],
    [{ discount: '$50 off when you spend $250' }, null],
    [{ discount: 'up to 70%' }, null],
    [{ discount: '10-20%' }, null],
    [{ amountOff: 'from 5 CAD' }, null],
    [{ amountOff: '99999999 GBP' }, null],
  ])('reads %j as %s', (fields, expected) => {
    expect(worth(fields)).toBe(expected);
  });

  it('uses the currency of the settings for amounts without one, but not for bare numbers', () => {
    expect(worth({ amountOff: '10' }, 'USD')).toBe('1360 fixed');
    expect(worth({ discount: '$10' }, 'USD')).toBe('1360 fixed');
    expect(worth({ discount: '10' }, 'USD')).toBeNull();
  });

  it('comes from the title where no field states it, and is marked', () => {
    expect(read({ title: '10% off tea' })).toMatchObject({ value: 1_000, isValueRead: true });
    expect(read({ title: '10% off tea', percentoff: '15' })).toMatchObject({
      value: 1_500,
      isValueRead: false,
    });
  });

  it('is not read from other free text', () => {
    expect(read({ title: '$50 off when you spend $250', description: 'Save 20% (10.00 CAD)' })).toMatchObject(
      {
        value: null,
        discountType: null,
      },
    );
  });
});

describe('an offer', () => {
  it('has the code that only its text names, and no notes to publishers', () => {
    const terms = 'Enter code: TEA20. Affiliates may not bid on the brand.';
    expect(read({ code: '', terms, description: 'Any tea. Commission: 5%.' })).toMatchObject({
      code: 'TEA20',
      terms: 'Enter code: TEA20.',
      description: 'Any tea.',
    });
    expect(read({ code: 'No code required', terms })).toEqual({ problem: 'It has no code' });
  });

  it('is refused with a reason that does not contain the code', () => {
    const problems = [
      read({ merchant: ' ' }),
      read({ merchant: 'x'.repeat(81) }),
      read({ title: '', description: '<p> </p>' }),
      read({ status: 'Deleted' }),
      read({ code: 'SAVE20'.repeat(40) }),
    ];
    expect(problems).toEqual([
      { problem: 'It names no merchant' },
      { problem: "Its merchant's name is longer than 80 characters" },
      { problem: 'It has neither a title nor a description' },
      { problem: 'Its status is deleted' },
      { problem: 'Its code is longer than 200 characters' },
    ]);
    expect(JSON.stringify(problems)).not.toContain('SAVE20');
  });

  it('has texts without markup, within their maximum lengths', () => {
    const offer = read({
      merchant: 'Caf&eacute;&nbsp;No. 1',
      title: `<b>${'Long '.repeat(100)}</b>`,
      description: 'One<br>two<script>alert(1)</script>\u0000\ud800 &lt;three&gt; 5 < 6',
      terms: '😀'.repeat(1_500),
    });
    expect(offer).toMatchObject({
      merchant: 'Café No. 1',
      description: 'One two <three> 5 < 6',
    });
    if ('problem' in offer) throw new Error(offer.problem);
    expect(offer.title).toHaveLength(120);
    expect(offer.title.endsWith('…')).toBe(true);
    expect(offer.terms?.length).toBeLessThanOrEqual(2_000);
    expect(offer.terms).not.toMatch(/\p{Surrogate}/u);
  });

  it('uses the title as a missing description, and the description as a missing title', () => {
    expect(read({ title: '', description: 'Words '.repeat(40) })).toMatchObject({
      title: `${'Words '.repeat(40).slice(0, 119).trimEnd()}…`,
    });
    expect(read({})).toMatchObject({ description: 'Twenty off' });
  });

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://x.example/',
    'https://me:secret@x.example/',
    '/relative',
    `https://x.example/${'a'.repeat(2_000)}`,
  ])('has no link for %s', (url) => {
    expect(read({ url })).toMatchObject({ sourceUrl: null });
  });
});
