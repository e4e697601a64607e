import { AsyncLocalStorage } from 'node:async_hooks';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import Negotiator from 'negotiator';
import {
  defaultLanguage,
  LANGUAGE_CODES,
  type Language,
  speak,
  Texts,
  type Tokens,
  toLanguage,
} from '#contract/base/i18n.ts';
import { readCatalogue } from '../../locales/catalogue.ts';

const spoken = new AsyncLocalStorage<Language>();
const known = new Map<Language, Texts>();

function createTexts(language: Language): Texts {
  const catalogue = readCatalogue(language);
  const compiled = new Map<string, Tokens>();
  return new Texts(language, (id) => {
    const translation = catalogue.get(id);
    if (translation === undefined) return undefined;
    const tokens = compiled.get(id) ?? (compileMessage(translation) as Tokens);
    compiled.set(id, tokens);
    return tokens;
  });
}

/** The texts of a language. Its catalogue is read when it is first spoken. */
function textsIn(language: Language): Texts {
  const texts = known.get(language) ?? createTexts(language);
  known.set(language, texts);
  return texts;
}

speak(() => textsIn(spoken.getStore() ?? 'en'));

/** Runs an act, and all that it starts, in a language. Outside of one, English is spoken. */
export function inLanguage<Result>(language: Language, act: () => Result): Result {
  return spoken.run(language, act);
}

/** Which of our languages somebody prefers. @param header `Accept-Language`; without one of ours it is the market's */
export function preferredLanguage(header: string | undefined): Language {
  const negotiator = new Negotiator({ headers: { 'accept-language': header } });
  const usual = defaultLanguage();
  // Of equal ones, and without a wish, the first is taken.
  const ours = [usual, ...LANGUAGE_CODES.filter((code) => code !== usual)];
  return toLanguage(negotiator.language(ours) ?? usual);
}
