import { type Language, language } from './i18n.ts';
import { pageSetting } from './page-setting.ts';

/** In a browser, the page says it in the head. */
let name = pageSetting('application-name') ?? 'ClipSwap';

/** What this market is called: on screens, in mails, and wherever else people read its name. */
export function marketName(): string {
  return name;
}

/** Gives the market of this process its name. A server does it once, at start. */
export function nameMarket(given: string): void {
  name = given;
}

/** What the market says of itself in one line, by language; English is for those without one. */
export type Taglines = Readonly<Partial<Record<Language, string>>> & { readonly en: string };
let taglines: Taglines | null = null;

/** The market's own line, in the language that is spoken; undefined: it has none. */
export function marketTagline(): string | undefined {
  return taglines?.[language()] ?? taglines?.en;
}

/** Gives the market of this process its line. A server does it once, at start. */
export function setTaglines(given: Taglines | null): void {
  taglines = given;
}
