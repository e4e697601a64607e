import { visibleCode } from '#contract/base/invisible.ts';
import { isNoCode } from './no-code.ts';
import { behindCodeWords, namedCode } from './shop-words.ts';
import { plainCode } from './text.ts';

export type CodeReading = { readonly code: string } | { readonly problem: string };

const NONE: CodeReading = { problem: 'It has no code' };
const SEVERAL: CodeReading = { problem: 'It has several codes' };
const ADDRESS: CodeReading = { problem: 'It has a web address in place of a code' };

/**
 * The code of an offer. What is not plainly one is none: people would try a sentence at the till.
 * @param given what the fields for codes have
 * @param texts of the offer, which count if there is no such field
 */
export function readCode(given: readonly string[], texts: readonly string[]): CodeReading {
  const values = new Set(given.map(cleaned).filter((value) => value !== ''));
  const [value] = values;
  if (value === undefined) {
    const code = namedCode(...texts);
    return code === null ? NONE : { code };
  }
  return values.size > 1 ? SEVERAL : classify(value);
}

/** Excel keeps the zeros of ="0042" and of '0042. */
const FORMULA = /^=\s*"((?:[^"]|"")*)"$/;
const QUOTED = /^(["'“”„«»‘’`])(.+)(["'“”«»‘’`])$/u;

function cleaned(given: string): string {
  const text = visibleCode(plainCode(given));
  const formula = FORMULA.exec(text);
  if (formula) return (formula[1] ?? '').replaceAll('""', '"').trim();
  return (QUOTED.exec(text)?.[2] ?? text).replace(/^'(?=[\d=+@-])/, '').trim();
}

function classify(text: string): CodeReading {
  if (isNoCode(text)) return NONE;
  if (ADDRESSES.some((form) => form.test(text))) return ADDRESS;
  if (isPlain(text)) return { code: text };
  if (mixedTokens(text).size > 1) return SEVERAL;
  const code = namedCode(text) ?? behindCodeWords(text);
  return code !== null && isPlain(code) && !isNoCode(code) ? { code } : NONE;
}

const ADDRESSES = [
  /:\/\/|^(?:mailto:|tel:)|(?:^|\s)www\./i,
  /^(?:[\w-]+\.)+[a-z]{2,}(?:[/?#:]|$)/i,
  /^[^\s@]+@(?:[^\s@.]+\.)+[a-z]{2,}$/i,
];

/** Hidden, cut off, or left unfilled by a template: '****', 'SAVE…', 'XXXX'. */
const HIDDEN = /[*•●█…]|\.\.\.|x{4,}|^x{3,}$|^0+$/i;

/** One word as shops write codes. */
const WORD = /^[\p{L}\p{M}\p{Nd}!#$&'’.+<>?@^_~\p{Pd}]+$/u;
/** Several words: capitals, and numbers beside them. */
const WORDS = /^(?=.*\d)(?:(?:\p{Lu}+|\d+)(?: |$)){2,4}$/u;

/** Numbers that a program has spoilt, its errors, amounts and days. */
const OTHER_NUMBERS =
  /^(?:\d+\.\d+|\d+(?:\.\d+)?e\+\d+|\d\.\d+e-?\d+|[$€£]\s?\d.*|\d[\d.]*\s?[$€£]|\d{4}-\d\d-\d\d.*|\+\d[\d ]*|#(?:name\?|ref!|value!|null!|num!))$/i;

/** Words around a number that is no code: "20 OFF", "TOP 10". */
const NUMBERED =
  /(?:^| )(?:OFF|SAVE|EUR|EURO|EUROS|USD|GBP|CAD|CHF|PLN|DOLLARS?|RABATT|REMISE|SCONTO|KORTING|RABAT|DESCUENTO|DESCONTO|PERCENT|PROZENT|PROCENT|UP|TO|TOP|NO|NOT|CODES?|COUPONS?|VOUCHERS?|USE|ENTER|GET|OR|AND|FROM|BIS|AB|DE|OU|ET|ODER|UND|MIN|MAX|FREE|DAYS?|ONLY|UNTIL|BUY|FOR)(?: |$)/;

function isPlain(text: string): boolean {
  if (!/[\p{L}\p{Nd}]/u.test(text) || HIDDEN.test(text) || OTHER_NUMBERS.test(text)) return false;
  if (WORDS.test(text)) return !NUMBERED.test(text);
  // A sentence of a script without spaces.
  if (/^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}]+$/u.test(text)) return false;
  const joined = text.split(/[+&]/).filter((part) => mixedTokens(part).size > 0);
  return WORD.test(text) && joined.length < 2;
}

/** What looks like a code within a text: letters and digits together. */
function mixedTokens(text: string): Set<string> {
  const tokens = text.match(/(?<![\p{L}\p{Nd}_%-])[\p{Lu}\p{Nd}_-]{3,}(?![\p{L}\p{Nd}_%-])/gu) ?? [];
  return new Set(tokens.filter((token) => /\p{Lu}/u.test(token) && /\p{Nd}/u.test(token)));
}
