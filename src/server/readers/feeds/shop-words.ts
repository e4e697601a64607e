import { isNoCode } from './no-code.ts';

/** Words in front of a code, in the languages of feeds. */
const BEFORE_CODE = [
  // Before the shorter words that they begin with.
  'code (?:promo|avantage|de réduction|promotionnel)',
  'kod rabatowy',
  '(?:(?:promo|coupon|voucher|discount|gutschein|rabatt|aktions|promotion[s]?|kortings|actie|rabat|gavekort)[ -]?)?(?:code|kode|kod)',
  'c[óo]digo(?: promocional| promo| de descuento| de desconto)?',
  'codice(?: sconto| promo| promozionale)?',
].join('|');

/**
 * A code behind such words: capitals and digits, in quotes or not. Words that run on in small letters ("code at
 * checkout") are none.
 */
const NAMED_CODE = new RegExp(
  `(?<![\\p{L}\\d])(${BEFORE_CODE})(?:\\s+(?:is|ist|lautet|est|es|è))?(\\s*[:：]\\s*|\\s+)["'“”„«»‘’]?\\s?([A-Z0-9][A-Z0-9_-]{2,29})(?![\\p{L}\\d_-])`,
  'giu',
);
/** Words that say there is none, before a code or before a word before it. */
const NEGATION = /\b(?:no|without|ohne|kein(?:en)?|sans|aucun|sin|senza|geen|zonder|bez)$/iu;
/** Where it and the word behind it are looked for, in characters. */
const NEGATED_WITHIN = 80;
/** What makes another thing of a "code". */
const OTHER_CODE = /(?:\berror|\bdress|\bqr|\bzip|\bpostal|\bcountry|\barea|\bgiro)[ -]$/iu;
/** Words of offers in capitals that follow "code" but are none there. */
const OFFER_WORDS = /^(?:ONLY|TODAY|SALE|OFF|SAVE|FREE)$/;

/** What stands before a second code: "SAVE10 or SAVE20". */
const AND =
  /^["'”»’]?\s*(?:[,;/|&+]|(?:or|and|oder|und|ou|et|o|y|e|of|en|lub|i|eller|og|och)\s)\s*["'“„«‘]?/i;
const ANOTHER = /^[A-Z0-9_-]{3,30}(?![\p{L}\d_-])/iu;

/**
 * The only code that the texts of an offer name unmistakably, as "code: SAVE10" does; null for none and for several.
 */
export function namedCode(...texts: readonly string[]): string | null {
  const found = new Set<string>();
  for (const text of texts) {
    const isShouted = !/\p{Ll}/u.test(text);
    for (const match of text.matchAll(NAMED_CODE)) {
      const [, , separator = '', code = ''] = match;
      const before = text.slice(0, match.index);
      const isCode =
        /[A-Z]/.test(code) &&
        code === code.toUpperCase() &&
        !OFFER_WORDS.test(code) &&
        !isNoCode(code) &&
        !isNegated(before) &&
        !OTHER_CODE.test(before);
      // In a text of capitals only a digit or a colon tells a code from a word.
      if (isCode && (/\d/.test(code) || !isShouted || separator.includes(':'))) found.add(code);
      if (isCode && hasAnother(text.slice(match.index + match[0].length))) return null;
    }
  }
  const [code = null] = found;
  return found.size === 1 ? code : null;
}

function isNegated(before: string): boolean {
  const [end, two = '', one = ''] = before.slice(-NEGATED_WITHIN).split(/\s+/).toReversed();
  return end === '' && (NEGATION.test(two) || (/^[\p{L}-]+$/u.test(two) && NEGATION.test(one)));
}

/** Whether letters and digits follow without a sign between them. */
function hasAnother(behind: string): boolean {
  const [and] = AND.exec(behind) ?? [];
  const [code = ''] = (and !== undefined && ANOTHER.exec(behind.slice(and.length))) || [];
  return /^\d*[A-Z]/i.test(code) && /^[A-Z]*\d/i.test(code);
}

/** Nothing but such words, a colon and a word: "Use code: fall25". */
const ONLY_CODE = new RegExp(
  `^(?:[\\p{L}'’]+\\s+){0,4}(?:${BEFORE_CODE})\\s*[:：]\\s*["'“„«‘]?([\\p{L}\\d_-]+)["'”“»’]?[.!]?$`,
  'iu',
);

/** The code in a text that says nothing else; null for another text. */
export function behindCodeWords(text: string): string | null {
  return ONLY_CODE.exec(text)?.[1] ?? null;
}

/** Words of notes to the sites that advertise an offer. */
const FOR_PUBLISHERS = new RegExp(
  `(?<!\\p{L})(?:${[
    'affiliate[- ]?partner\\p{L}*|affiliates?|affiliés?|afiliados?|affiliati',
    '(?:publishers?|éditeurs|editores).{0,40}(?:must|may|can|cannot|should|are|please|need|will|doivent|peuvent|deben|dürfen|müssen)',
    '(?:note to|dear|for|an alle|liebe|chers)\\s+(?:all\\s+)?(?:publishers?|éditeurs)|(?:note to|dear|liebe|chers) partners?',
    'commission(?:s|able|ed)?|provision(?:en)? (?:wird|werden|nur|auf)|comisi[oó]n(?:es)?',
    'ppc|brand ?bidding|paid search|tracking links?|deep ?links?|cookie (?:window|length|duration)|epc',
  ].join('|')})(?!\\p{L})`,
  'iu',
);

/** A text without the sentences that speak to publishers and not to shoppers. */
export function forShoppers(text: string): string {
  if (!FOR_PUBLISHERS.test(text)) return text;
  return text
    .split(/(?<=[.!?])\s+/u)
    .filter((sentence) => !FOR_PUBLISHERS.test(sentence))
    .join(' ');
}
