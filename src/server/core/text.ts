import { withoutInvisible } from '#contract/base/invisible.ts';

/** One key for all spellings of a merchant's name: ignores case, Unicode compatibility forms and spacing. */
export function merchantKey(merchant: string): string {
  return merchant.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();
}

/** The text without such characters at its end, of which there may be many. */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** Letters, digits and signs in another width or style: ＳＡＶＥ　１０, 𝗦𝗔𝗩𝗘. */
const STYLED = /[\u3000\uff01-\uff5e\u{1d400}-\u{1d7ff}]+/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: PostgreSQL text refuses U+0000, and nobody reads the others
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f]/g;

/**
 * A text that others wrote as a person sees it. Every reader asks for it where a text comes in, so that nothing behind
 * meets what nobody sees. Tabs and line ends stay; line ends of Unicode are others.
 */
export function seenText(given: string): string {
  return withoutInvisible(given)
    .replace(/[\u2010\u2011]/g, '-')
    .replace(STYLED, (signs) => signs.normalize('NFKC'))
    .replace(/[\u0085\p{Zl}\p{Zp}]/gu, '\n')
    .replace(CONTROLS, ' ')
    .replace(/\p{Surrogate}/gu, '')
    .replace(/\p{Zs}/gu, ' ');
}
