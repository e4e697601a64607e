import { baseCurrency, signedMoney } from '#contract/base/money.ts';

const shown = signedMoney(0, baseCurrency(), 0);
const sign = shown.replace(/[\d\s]/g, '');

/** The sign of the market's currency, on the side where the language has it. */
export const CURRENCY_SIGN = shown.startsWith(sign) ? { leftSection: sign } : { rightSection: sign };

/** The looks of a field for an amount: a phone shows digits with a decimal sign, and nothing is suggested. */
export const AMOUNT_FIELD = { inputMode: 'decimal', autoComplete: 'off' } as const;

/** The looks of a field for what has to be typed to the letter, such as a code: nothing changes or suggests it. */
export const EXACT_FIELD = {
  autoComplete: 'off',
  autoCapitalize: 'none',
  autoCorrect: 'off',
  spellCheck: false,
} as const;
