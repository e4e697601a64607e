import { describe, expect, it } from 'vitest';
import { buyersCover, sellersCover } from './cover-words.ts';

const sale = (fromReserve: string, isOffer = false) => ({
  cover: { until: '2027-01-06T12:00:00.000Z', fromReserve },
  buyerTotal: '12.00',
  netAmount: '10.86',
  isOffer,
});

describe('the words for the guarantee', () => {
  it.each([
    [
      '10.86',
      'Covered until Jan 6, 2027: up to $12.00 CAD from the seller, else from the reserve, as long as it lasts.',
    ],
    [
      '5.00',
      'Covered until Jan 6, 2027: up to $12.00 CAD from the seller, else up to $5.00 CAD from the reserve, as long as it lasts.',
    ],
    ['0.00', 'Covered until Jan 6, 2027: up to $12.00 CAD from the seller.'],
  ])('promise no more than %s from the reserve', (fromReserve, text) => {
    expect(buyersCover(sale(fromReserve))).toBe(text);
    const offer = buyersCover(sale(fromReserve, true));
    expect(offer).toBe(text.replace('Covered', 'If you pay today, you are covered'));
  });

  it('tell the seller what they would owe', () => {
    expect(sellersCover(sale('5.00'))).toBe(
      'Covered until Jan 6, 2027: if a claim of the buyer is upheld, you owe $10.86 CAD.',
    );
  });
});
