import { describe, expect, it, vi } from 'vitest';
import { buyersCover, moneyBack, sellersCover } from './cover-words.ts';

const cover = { until: '2027-01-06T12:00:00.000Z' };

describe('the words for the guarantee', () => {
  it.each([
    ['42', true, 'Money back for 72 hours. After that, up to 42 days from the seller.'],
    ['7', true, 'Money back for 72 hours. After that, up to 7 days from the seller.'],
    ['0', true, 'Money back for 72 hours.'],
    ['42', false, 'Money back for 72 hours.'],
  ])('with %s days of it, and a coupon that is covered: %s', (content, isCovered, text) => {
    vi.stubGlobal('document', { querySelector: () => ({ content }) });
    expect(moneyBack(isCovered)).toBe(text);
  });

  it('tell the buyer for how long, and the seller what they would owe', () => {
    expect(buyersCover(cover)).toBe(
      'Money back from the seller until Jan 6, 2027, if the code does not work.',
    );
    expect(sellersCover({ cover, netAmount: '10.86', isOffer: false })).toBe(
      'Covered until Jan 6, 2027: if a claim of the buyer is upheld, you owe $10.86 CAD.',
    );
  });
});
