import { expect, it } from 'vitest';
import { aVerdict } from '#tests/support/web/builders.ts';
import { outcomeOf, signsOf, sourceText, worthText } from './wording.ts';

it.each([
  [{ valid: true, details: { confirmed: true } }, 'confirmed'],
  [{ valid: true, details: { confirmed: false } }, 'unconfirmed'],
  [{ valid: false, details: { confirmed: true } }, 'invalid'],
])('%j is %s', (given, outcome) => {
  expect(outcomeOf(aVerdict(given))).toBe(outcome);
});

it.each([
  ['voucherify', 'Checked with Voucherify'],
  ['voucherify-offline', 'Checked without Voucherify, which could not be reached'],
  ['pattern', 'Checked by its pattern: the look of the code'],
  ['offline', 'Checked offline, without asking anyone'],
  ['somebody-new', 'Checked with somebody-new'],
])('%s: %s [spec/3 2.37]', (validatedWith, text) => {
  expect(sourceText(validatedWith)).toBe(text);
});

it.each([
  [{ value: 2_000, discountType: 'percentage' }, '20.00%'],
  [{ value: 1_250, discountType: 'percentage' }, '12.50%'],
  [{ value: 550, discountType: 'fixed' }, '5.50'],
  [{ value: null }, null],
] as const)('%j is worth %s', (details, text) => {
  expect(worthText(aVerdict({ details }).details)).toBe(text);
});

const check = (name: string, passed = true) => ({ name, passed, text: `The ${name}.` });

it.each([
  [
    'one line for all that only says that it looks like a code',
    'format-only',
    [check('characters'), check('letters'), check('address')],
    [['weak', 'It looks like a code. No one was asked whether it works.']],
  ],
  [
    'what speaks against it first',
    'format-only',
    [check('letters'), check('provider', false), check('platform', false)],
    [
      ['against', 'The provider.'],
      ['against', 'The platform.'],
      ['weak', 'It looks like a code. No one was asked whether it works.'],
    ],
  ],
  [
    'each check of a provider',
    'provider',
    [check('provider'), check('accepted')],
    [
      ['strong', 'The provider.'],
      ['strong', 'The accepted.'],
    ],
  ],
] as const)('a verdict lists %s [decisions 6.0.6]', (_what, confidence, checks, expected) => {
  const { details } = aVerdict({ details: { confidence, checks: [...checks] } });
  expect(signsOf(details).map(({ weight, text }) => [weight, text])).toEqual(expected);
});
