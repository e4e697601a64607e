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

let usual: Language = 'en';

/** The language of this market for whoever wishes none of ours. Known to the server alone. */
export function defaultLanguage(): Language {
  return usual;
}

/** Gives the market of this process its default language. A server does it once, at start. */
export function speakByDefault(language: Language): void {
  usual = language;
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

type Values = Readonly<Record<string, unknown>>;

/** A text as Lingui compiles it: words, values by their names, and choices by a number or a word. */
export type Tokens = readonly (
  | string
  | readonly [name: string]
  | readonly [
      name: string,
      kind: 'plural' | 'selectordinal' | 'select',
      choices: Readonly<Record<string, Tokens>>,
    ]
)[];

/** A text with its values, as Lingui's macros leave it. The id finds its translations. */
export interface Message {
  readonly id?: string | undefined;
  readonly message: Tokens;
  readonly values?: Values | undefined;
}

/** The texts of one language. */
export class Texts {
  readonly language: Language;
  readonly #translationOf: (id: string) => Tokens | undefined;

  /** @param translationOf finds the translation of a message by its id; a message without one stays English */
  constructor(language: Language, translationOf: (id: string) => Tokens | undefined = () => undefined) {
    this.language = language;
    this.#translationOf = translationOf;
  }

  /** Visits the words and the values of a text, in their order. */
  visit({ id, message, values = {} }: Message, add: (piece: unknown, isValue: boolean) => void): void {
    const locale = LANGUAGES[this.language];
    const visit = (tokens: Tokens, count?: number) => {
      for (const token of tokens) {
        if (token === '#' && count !== undefined) add(numbers(locale).format(count), false);
        else if (typeof token === 'string') add(token, false);
        else {
          const [name, kind, choices] = token;
          const value = values[name];
          if (!choices) add(value, true);
          else if (kind === 'select') visit(choices[String(value)] ?? choices.other ?? []);
          else {
            const number = Number(value);
            const rule = (kind === 'plural' ? cardinals : ordinals)(locale).select(number);
            visit(choices[number] ?? choices[rule] ?? choices.other ?? [], number);
          }
        }
      }
    };
    visit((id && this.#translationOf(id)) || message);
  }

  /** The text with its values in it. */
  text(message: Message): string {
    let text = '';
    this.visit(message, (piece) => {
      text += piece ?? '';
    });
    return text;
  }
}

/** In a browser it is the page's language. */
const page = new Texts(toLanguage(globalThis.document?.documentElement.lang.slice(0, 2) ?? 'en'));
let current = () => page;

/** The texts of the language that is spoken right now. */
export function texts(): Texts {
  return current();
}

/**
 * Says how to find the texts of the language that is spoken right now. A server speaks several at once.
 * @returns how they were found before
 */
export function speak(texts: () => Texts): () => Texts {
  const before = current;
  current = texts;
  return before;
}

/** The language that is spoken right now: the page's in a browser, that of the request or the receiver in the server. */
export function language(): Language {
  return current().language;
}

/** The locale of its numbers, days, and lists: 'fr-CA'. */
export function locale(): (typeof LANGUAGES)[Language] {
  return LANGUAGES[language()];
}

/** The address of a page in a language. It stays on this site: two slashes would begin the address of another. */
export function pathIn(language: Language, path: string): string {
  return prefixOf(language) + path.replace(/^\/+/, '/');
}

/** The address of a page in the language that is spoken right now. @param path without a language */
export function localPath(path: string): string {
  return pathIn(language(), path);
}

/** Makes something for each locale when it is first needed, such as a formatter. */
export function perLocale<Made>(make: (locale: string) => Made): (of?: string) => Made {
  const made = new Map<string, Made>();
  return (of = locale()) => {
    const known = made.get(of) ?? make(of);
    made.set(of, known);
    return known;
  };
}

const numbers = perLocale((of) => new Intl.NumberFormat(of));
const cardinals = perLocale((of) => new Intl.PluralRules(of));
const ordinals = perLocale((of) => new Intl.PluralRules(of, { type: 'ordinal' }));

/** What Lingui's macros call. */
export const i18n = { _: (message: Message) => current().text(message) };
