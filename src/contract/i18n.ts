import { I18n, type MessageDescriptor, type MessageOptions, type Messages } from '@lingui/core';

/** The languages of the product's texts, with the locale of their numbers and dates. English is the source's. */
export const LANGUAGES = { en: 'en', fr: 'fr-CA' } as const;

export type Language = keyof typeof LANGUAGES;

export const LANGUAGE_CODES = Object.keys(LANGUAGES) as readonly Language[];

/** What the languages call themselves. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: 'English', fr: 'Français' };

/** A language that we know, or English. */
export function toLanguage(name: string): Language {
  return Object.hasOwn(LANGUAGES, name) ? (name as Language) : 'en';
}

/** The cookie with the language that somebody has chosen in this browser. */
export const LANGUAGE_COOKIE = 'language';

/** What the addresses of pages in a language begin with: '/fr'. Those of English are plain. */
export function prefixOf(language: Language): '' | `/${Language}` {
  return language === 'en' ? '' : `/${language}`;
}

/** The language of the page at an address of this site, such as '/fr/discover?sort=newest'. */
export function languageOfPath(path: string): Language {
  const [, language = 'en'] = /^\/([a-z]{2})(?![^/?#])/.exec(path) ?? [];
  return toLanguage(language);
}

/** The address of a page without its language: '/discover?sort=newest'. */
export function withoutPrefix(path: string): string {
  const rest = path.slice(prefixOf(languageOfPath(path)).length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

type Values = Record<string, unknown>;

/** Lingui reads `\x41` as an A, also in values. What people wrote keeps its backslashes. */
function withBackslashes(values: Values | undefined): Values | undefined {
  return (
    values &&
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [
        name,
        typeof value === 'string' ? value.replaceAll('\\', '\\x5c') : value,
      ]),
    )
  );
}

/** The texts of one language. */
export class Texts extends I18n {
  readonly language: Language;

  /** @param messages the translations by the ids of their messages; a message without one stays English */
  constructor(language: Language, messages: Messages = {}) {
    super({ locale: language, locales: LANGUAGES[language], messages: { [language]: messages } });
    this.language = language;
  }

  override _(message: MessageDescriptor): string;
  override _(id: string, values?: Values, options?: MessageOptions): string;
  override _(message: MessageDescriptor | string, values?: Values, options?: MessageOptions): string {
    const { id, ...rest } = typeof message === 'object' ? message : { id: message, values, ...options };
    return super._(id, withBackslashes(rest.values), rest);
  }
}

/** In a browser it is the page's language. */
const page = new Texts(toLanguage(globalThis.document?.documentElement.lang.slice(0, 2) ?? 'en'));
let current = () => page;

/** The texts of the language that is spoken right now. */
export function texts(): Texts {
  return current();
}

/** Says how to find the texts of the language that is spoken right now. A server speaks several at once. */
export function speak(texts: () => Texts): void {
  current = texts;
}

/** The language that is spoken right now: the page's in a browser, that of the request or the receiver in the server. */
export function language(): Language {
  return current().language;
}

/** The locale of its numbers, days, and lists: 'fr-CA'. */
export function locale(): (typeof LANGUAGES)[Language] {
  return LANGUAGES[language()];
}

/** The address of a page in the language that is spoken right now. @param path without a language */
export function localPath(path: string): string {
  return prefixOf(language()) + path;
}

/** Makes something for each locale when it is first needed, such as a formatter. */
export function perLocale<Made>(make: (locale: string) => Made): () => Made {
  const made = new Map<string, Made>();
  return () => {
    const known = made.get(locale()) ?? make(locale());
    made.set(locale(), known);
    return known;
  };
}

/** What Lingui's macros call. */
export const i18n = { _: (message: MessageDescriptor) => current()._(message) };
