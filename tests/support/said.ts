import { language } from '#contract/base/i18n.ts';
import { STORED_TEXTS } from '#server/texts/reading.ts';
import { stored } from '#server/texts/stored.ts';

const TEXTS = stored('testing', {
  said: ({ words }: { words: string }) => words,
  inLanguage: () => `In ${language()}`,
});

Object.assign(STORED_TEXTS, { testing: TEXTS });

/** A text to be stored, which is the same in each language. */
export const said = (words: string) => TEXTS.said({ words });

/** A text to be stored that says in which language it is read: 'In fr'. */
export const ofReader = () => TEXTS.inLanguage();
