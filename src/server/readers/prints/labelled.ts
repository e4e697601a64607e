import { canonicalCode } from '#server/core/fold.ts';
import { readCode } from '../feeds/codes.ts';
import { namedCode } from '../feeds/shop-words.ts';

/** A code or PIN that the text of a coupon or a mail names. */
export interface Named {
  readonly kind: 'code' | 'number' | 'pin';
  readonly text: string;
  /** Whether it may be cut off, or be a word. */
  readonly isDoubtful: boolean;
  /** The line on which it is. */
  readonly at: number;
}

/** Words for the second secret of a gift card, tried first: "code PIN" is no code. */
const PIN = [
  'pin[ -]?(?:code|number|no\\.?|nummer)?|nip|(?:security|access|scratch|verification) code|cvv|cvn',
  "code (?:pin|nip|de sécurité|d[’']accès|secret)|num[eé]ro (?:pin|nip)",
  'sicherheitscode|zugangscode|prüfziffer|geheimzahl|c[óo]digo (?:pin|de seguridad|de acceso|de segurança|de acesso|secreto)',
  'codice (?:pin|di sicurezza|segreto)|pincode|beveiligingscode|toegangscode|kod (?:pin|zabezpieczający|dostępu)',
].join('|');
const NUMBER = [
  '(?:e?-?gift[ -]?)?(?:card|certificate|voucher|coupon)(?: account)? (?:number|no\\.?|nr\\.?|#)',
  "(?:num[eé]ro|n[°ºo]\\.?)(?: d[eu]| de la)?(?: la)? ?(?:carte|bon|coupon|ch[eè]que)(?:[- ]cadeau)?(?: d[’']achat)?",
  '(?:geschenk)?karten?-?(?:nummer|nr\\.?)|gutschein-?(?:nummer|nr\\.?)|n[úu]mero d[eo](?: la)? (?:tarjeta|cart[ãa]o|vale)(?:[- ](?:de )?(?:regalo|presente))?',
  'numero (?:della )?(?:carta|buono)(?: regalo)?|(?:cadeau)?(?:kaart|bon)nummer|numer (?:karty|bonu)(?: podarunkowej)?',
].join('|');
const CODE = [
  'code (?:promo(?:tionnel)?|avantage|cadeau|rabais|coupon|privil[eè]ge|de (?:réduction|rabais|la carte|promotion))|kod (?:rabatowy|promocyjny|kuponu|karty)',
  'c[óo]digo(?: (?:promocional|promo|de descuento|de desconto|de regalo|do cupom|del cup[óo]n))?|codice(?: (?:sconto|promo|promozionale|coupon|regalo))?',
  // Compounds of German and Dutch, and English words in front of it, end in it.
  '\\p{L}{0,20}codes?|kod|kode|\\p{L}{0,20}kode',
].join('|');
/** They name a code only with a colon behind them. */
const COLON = "promo|coupon|voucher|gutschein|cup[óo]n|cupom|buono|kupon|bon d[’']achat";

const LABELS = new RegExp(
  `(?<![\\p{L}\\p{N}_-])(?:(?<pin>${PIN})|(?<number>${NUMBER})|(?<code>${CODE})|(?:${COLON})(?=\\s?[:：]))(?![\\p{L}\\p{N}_-])`,
  'giu',
);
const BEGINS_LABEL = new RegExp(`^${LABELS.source}`, 'iu');
/** What makes another thing of a "code". */
const OTHER_CODE =
  /(?:error|dress|qr|zip|postal|country|area|bar|source|colou?r|verification|confirmation|tracking|order|sort|html|reference|transaction|auth|authorization|customer|product)[ -]?$/iu;
const OTHER_WORD = /^(?:bar|strich|postal|zip|qr|en|de|un|post|length|mode)codes?$/iu;

const IS = 'is|est|ist|lautet|es|è|to|jest';
/** Between a label and what it names: surely, or perhaps. */
const SURELY =
  /^\s*(?:\([^()]{0,30}\)\s*|(?:is|est|ist|lautet|es|è|jest)\s?)?(?:[:：=|]|#(?=\s?[\p{L}\p{N}]))\s*/u;
const PERHAPS = new RegExp(`^\\s+(?:(?:${IS})\\s+)?`, 'iu');

/** "Enter this code at the till:" */
const WORDS_AND_COLON = /^(?:\s+\p{Ll}[\p{L}-]*){1,5}\s*[:：]$/u;
/** How much behind a label is looked at, in characters. */
const BEHIND = 200;

/** How far below its label a code may stand, in lines. */
const BELOW = 3;

/** Four digits and more of them, as on cards. */
const DIGIT_GROUPS = /^\d{3,6}(?:[ -]\d{2,6}){1,6}(?![\p{L}\p{N}-])/u;
/** Groups of capitals and digits that fill a line. */
const GROUPS = /^(?=.*\d)[A-Z0-9]{2,8}(?: [A-Z0-9]{2,8}){1,6}$/;
/** All but its last digits are hidden. */
const MASKED = /^(?:[*•●█]{2}|x{3,}[\s-])/iu;
const CLOSING = '.,;:!?)»”"\'’]>*';

/** All codes and PINs that lines name, each once, in the order of the lines. */
export function namedIn(lines: readonly string[]): Named[] {
  const found: Named[] = [];
  for (const [at, line] of lines.entries()) {
    for (const match of line.matchAll(LABELS)) {
      const [label] = match;
      const kind = match.groups?.pin ? 'pin' : match.groups?.number ? 'number' : 'code';
      const before = line.slice(Math.max(0, match.index - 20), match.index);
      if (kind === 'code' && (OTHER_CODE.test(before) || OTHER_WORD.test(label))) continue;
      const end = match.index + label.length;
      const behind = line.slice(end, end + BEHIND);
      found.push(...valuesBehind(kind, behind, lines, at));
    }
  }
  return withoutRepeats(found);
}

function valuesBehind(kind: Named['kind'], behind: string, lines: readonly string[], at: number): Named[] {
  if (/^[:：=|.]{0,5}$/.test(behind.trim()) || WORDS_AND_COLON.test(behind)) {
    const below = lines.slice(at + 1, at + 1 + BELOW).findIndex((line) => line.trim() !== '');
    const place = at + 1 + below;
    const text = below === -1 ? '' : (lines[place] ?? '');
    // A label alone on its line: the next one is another label, or all of the code.
    if (text === '' || BEGINS_LABEL.test(text.trim())) return [];
    const isShouted = !/[:：=|]/.test(behind);
    return named(kind, text.trim(), { isSure: true, isAlone: true, isShouted }, place);
  }
  const [surely] = SURELY.exec(behind) ?? [];
  const [between = null] = surely === undefined ? (PERHAPS.exec(behind) ?? []) : [surely];
  if (between === null) return [];
  const text = behind.slice(between.length).trim();
  const isShouted = !/\p{Ll}/u.test(lines[at] ?? '');
  return named(kind, text, { isSure: surely !== undefined, isAlone: false, isShouted }, at).map((one) =>
    one.kind !== 'pin' && goesOnBelow(lines, at, one.text) ? { ...one, isDoubtful: true } : one,
  );
}

/** A line of mail is broken near here: what ends with it may go on in the next one. */
const LINE_LENGTH = 60;

function goesOnBelow(lines: readonly string[], at: number, code: string): boolean {
  const line = lines[at] ?? '';
  return line.length >= LINE_LENGTH && line.endsWith(code) && /^[A-Z0-9-]+(?:\s|$)/.test(lines[at + 1] ?? '');
}

interface Place {
  /** Whether a sign or a line end stands between it and its label. */
  readonly isSure: boolean;
  /** Whether it has a line of its own. */
  readonly isAlone: boolean;
  /** Whether capitals tell nothing there: all of the line is in capitals, or nothing but a line end names it. */
  readonly isShouted: boolean;
}

function named(kind: Named['kind'], given: string, place: Place, at: number): Named[] {
  if (MASKED.test(given)) return [];
  const text = given.replace(/^[\s"'“„«‘’([<*]+/u, '');
  if (kind === 'pin') {
    const [pin = ''] = /^[\p{L}\p{N}]{2,12}(?:[ -]\d{2,4})?(?![\p{L}\p{N}])/u.exec(text) ?? [];
    const isPin = /\d/.test(pin) && !/\p{Ll}/u.test(pin);
    return isPin ? [{ kind, text: pin, isDoubtful: isCut(text.slice(pin.length)), at }] : [];
  }
  const [digits] = DIGIT_GROUPS.exec(text) ?? [];
  if (digits !== undefined && digits.replace(/\D/g, '').length >= 6)
    return [{ kind, text: digits, isDoubtful: isCut(text.slice(digits.length)), at }];
  const whole = trimmed(text);
  if (place.isSure && GROUPS.test(whole)) return [{ kind, text: whole, isDoubtful: false, at }];
  const [word = ''] = /^[^\s…=]+/u.exec(text) ?? [];
  const token = trimmed(word);
  const rest = text.slice(token.length);
  const one = judged(token, { ...place, isOnly: whole === token });
  if (one === null) return [];
  // Capitals and digits behind it may belong to it.
  const isMore = /^ [A-Z0-9]*\d[A-Z0-9]*(?![\p{L}\p{N}%.,])/u.test(rest);
  const first = { kind, text: one.code, isDoubtful: one.isDoubtful || isCut(rest) || isMore, at };
  return [first, ...others(kind, rest, at)];
}

function trimmed(word: string): string {
  let end = word.length;
  while (end > 0 && CLOSING.includes(word.charAt(end - 1))) end -= 1;
  return word.slice(0, end);
}

/** What stands behind a code that was cut: dots, or a sign that no sentence has there. */
const isCut = (rest: string) =>
  /^\s?(?:…|\.\.|[=*•●█\\/&%+_-]|\p{L}|\uFFFD)/u.test(rest) &&
  !/^\s\p{L}/u.test(rest) &&
  !/^\s[-–/&%+]\s/.test(rest);

/** Whether a word is a code, surely or perhaps; null if it is none. */
function judged(
  token: string,
  { isSure, isAlone, isOnly, isShouted }: Place & { readonly isOnly: boolean },
): { readonly code: string; readonly isDoubtful: boolean } | null {
  if (token.length < 3 || token.includes('\uFFFD')) return null;
  const isEndless = /[-=_]$/.test(token);
  const read = readCode([token], []);
  const code = 'code' in read ? read.code : null;
  if (code === null) return null;
  const hasDigit = /\d/.test(code);
  const isLow = /\p{Ll}/u.test(code);
  if (/^\d+$/.test(code)) {
    if (code.length < (isSure ? 4 : 6)) return null;
    return { code, isDoubtful: !isSure || isEndless };
  }
  // Words that shops write behind "code" are none: it knows them.
  const isWord = /^[A-Z]+$/.test(code) && namedCode(`code: ${code}`) === null;
  if (isWord || (isLow && !hasDigit && !(isSure && isOnly))) return null;
  if (isAlone && !isOnly && !(hasDigit && !isLow)) return null;
  if (!isSure && (isLow || (isShouted && !hasDigit))) return null;
  return { code, isDoubtful: isEndless || isLow || (isAlone && isShouted && !hasDigit) };
}

const AND =
  /(?:^["'”»’]?\s*[,;/|&+]\s*|(?:^|\s)(?:or|and|oder|und|ou|et|o|y|e|of|en|lub|i)\s+)["'“„«‘]?((?=[A-Z_-]*\d)(?=[\d_-]*[A-Z])[A-Z\d_-]{4,30})(?![\p{L}\d_-])/gu;

/** More codes on the line of one: "SAVE10 or SAVE20". */
function others(kind: Named['kind'], rest: string, at: number): Named[] {
  return [...rest.matchAll(AND)].map(([, text = '']) => ({ kind, text, isDoubtful: true, at }));
}

/** Each once; the one without a doubt of those that are the same, or that one goes on from. */
function withoutRepeats(found: readonly Named[]): Named[] {
  const kept = new Map<string, Named>();
  for (const one of found) {
    // Two cards may have one PIN.
    const key = one.kind === 'pin' ? `pin ${one.at}` : canonicalCode(one.text);
    const before = kept.get(key);
    if (!before) kept.set(key, one);
    else if (before.isDoubtful && !one.isDoubtful)
      kept.set(key, { ...before, text: one.text, isDoubtful: false });
  }
  const keys = [...kept.keys()];
  return [...kept].flatMap(([key, one]) => {
    const isPart = one.isDoubtful && keys.some((other) => other !== key && other.startsWith(key));
    return isPart ? [] : [one];
  });
}

/** The only code that stands alone on a line and that nothing names; null for none and for several. */
export function unnamedIn(lines: readonly string[]): Named | null {
  const found = lines.flatMap((line, at): Named[] => {
    const text = line.trim();
    const isCode =
      /^(?=[A-Z-]*\d)(?=[\d-]*[A-Z])[A-Z\d]+(?:-[A-Z\d]+){0,6}$/.test(text) &&
      text.length >= 5 &&
      text.length <= 30;
    return isCode && 'code' in readCode([text], []) ? [{ kind: 'code', text, isDoubtful: true, at }] : [];
  });
  const [one, more] = withoutRepeats(found);
  return more ? null : (one ?? null);
}
