import { locale } from '#contract/i18n.ts';

/** The sign of the dollar, on the side where the language has it. */
export const DOLLAR_SIGN = locale() === 'en' ? { leftSection: '$' } : { rightSection: '$' };

/** The looks of a field for an amount: a phone shows digits with a decimal sign, and nothing is suggested. */
export const AMOUNT_FIELD = { inputMode: 'decimal', autoComplete: 'off' } as const;

/** The looks of a field for what has to be typed to the letter, such as a code: nothing changes or suggests it. */
export const EXACT_FIELD = {
  autoComplete: 'off',
  autoCapitalize: 'none',
  autoCorrect: 'off',
  spellCheck: false,
} as const;
