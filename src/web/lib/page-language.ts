import { LANGUAGE_COOKIE, type Language } from '#contract/base/i18n.ts';

/** Remembers for a year which language pages of this browser come in whose address does not say it. */
export function keepLanguage(language: Language): void {
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store API yet.
  document.cookie = `${LANGUAGE_COOKIE}=${language}; path=/; max-age=31536000; samesite=lax`;
}
