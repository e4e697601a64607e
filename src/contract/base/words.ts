import { t } from '@lingui/core/macro';
import { listed } from './locale.ts';

const QUOTATION_MARKS = /["“”„‟«»‹›「」『』＂]/g;

/**
 * Somebody's words in a sentence of ours: “A”. They cannot end the quotation or begin a new line, so that nothing that
 * people write reads as if we had written it.
 */
export function quote(words: string): string {
  const inside = words
    .replace(/[\p{Cc}\p{Zs}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\p{Bidi_Control}/gu, '')
    .replace(QUOTATION_MARKS, "'")
    .trim();
  return t`“${inside}”`;
}

/** 'Date: Nov 21, 2026'. */
export function labelled(name: string, value: string): string {
  return t`${name}: ${value}`;
}

/** “A”, “B”, and “C”. */
export function quoted(titles: readonly string[]): string {
  return listed(titles.map(quote));
}
