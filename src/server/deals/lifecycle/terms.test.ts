import { expect, it } from 'vitest';
import type { FeeRate } from '#contract/money/fees.ts';
import { agreedTerms, type Terms } from './terms.ts';

const rate = (basisPoints: number, minimum = 0): FeeRate => ({ basisPoints, minimum });
const terms = (buyer: FeeRate, seller: FeeRate, guaranteeDays = 0): Terms => ({
  feeRates: { buyer, seller },
  guaranteeDays,
});
const five = terms(rate(500), rate(500), 42);
const fifteen = terms(rate(1_500), rate(1_500), 7);

it.each<[string, number, Parameters<typeof agreedTerms>[1], Terms, Terms]>([
  ['nobody has offered: what is now', 2_000, { buyer: null, seller: null }, fifteen, fifteen],
  [
    'dearer for the buyer, who offered',
    2_000,
    { buyer: five, seller: null },
    fifteen,
    terms(rate(500), rate(1_500), 42),
  ],
  [
    'dearer for the seller, who offered',
    2_000,
    { buyer: null, seller: five },
    fifteen,
    terms(rate(1_500), rate(500), 7),
  ],
  ['dearer for both, who offered', 2_000, { buyer: five, seller: five }, fifteen, five],
  [
    'cheaper for both, with a shorter guarantee',
    2_000,
    { buyer: { ...fifteen, guaranteeDays: 42 }, seller: fifteen },
    { ...five, guaranteeDays: 0 },
    { ...five, guaranteeDays: 42 },
  ],
  [
    'a minimum that is more than the higher rate',
    1_000,
    { buyer: terms(rate(500, 200), rate(0)), seller: null },
    terms(rate(1_000), rate(0)),
    terms(rate(1_000), rate(0)),
  ],
  [
    'the same minimum, where the rate counts',
    10_000,
    { buyer: terms(rate(500, 200), rate(0)), seller: null },
    terms(rate(1_000), rate(0)),
    terms(rate(500, 200), rate(0)),
  ],
])('%s', (_, amount, shown, now, agreed) => {
  expect(agreedTerms(amount, shown, now)).toEqual(agreed);
});
