import { isUtf8 } from 'node:buffer';
import { seenText } from '#server/core/text.ts';
import type { Zip } from './zip.ts';

/** The texts of a pass by what pass.json says in their place. */
export interface PassTexts {
  /** What a person reads; blank for what is no fact: a placeholder without a text. */
  said(text: string | null | undefined): string;
}

/** The language of this site. */
const LANGUAGE = /^en\b/i;

/** `"key" = "text";`, with or without quotes and the semicolon, or a comment. */
const QUOTED = String.raw`"((?:[^"\\]|\\.)*)"`;
const PAIR = new RegExp(
  String.raw`\/\*.*?(?:\*\/|$)|\/\/[^\n]*|(?:(?<!\\)${QUOTED}|(?<![\w.$-])([\w.$-]+))\s*=\s*(?:${QUOTED}|([\w.$-]+))\s*(?:;|(?=\r?\n|\}|$))`,
  'gs',
);
const PLIST_PAIR = /<key>([^<]*)<\/key>\s*<string>([^<]*)<\/string>/g;
const XML_ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const ESCAPED: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** A key in the manner of programs: TERMS_TEXT, coupon.title. */
const KEY =
  /^[A-Za-z0-9]+(?:_[A-Za-z0-9]+)+$|^[a-z]\w*\.(?:\w+\.)*(?:title|name|label|value|text|description|terms|offer)$/i;
/** A key, in a pass whose other keys are such words: ORG. */
const WORD = /^[A-Z][A-Z0-9]*$/;
/** What a template leaves, and words of programs for nothing. */
const NOTHING =
  /^(?:\{\{?[^{}]*\}?\}|\$\{.*\}|\[\[.*\]\]|<[\w .-]+>|%[@sd]|null|undefined|nan|none|n\/?a|tbd|todo|-+|\?+)$/i;

/** The English texts of a pass, else those of its first language; where they lack one, another language has it. */
export async function readPassTexts(zip: Zip, folder: string): Promise<PassTexts> {
  const files = zip.names
    .filter((name) => name.startsWith(folder))
    .filter((name) => /^[^/]+\.lproj\/pass\.strings$/i.test(name.slice(folder.length)))
    .toSorted(
      (a, b) =>
        Number(LANGUAGE.test(b.slice(folder.length))) - Number(LANGUAGE.test(a.slice(folder.length))) ||
        (a < b ? -1 : 1),
    );
  const texts = new Map<string, string>();
  const raw: string[] = [];
  for (const file of files.slice(0, MAX_LANGUAGES)) {
    const text = decodeText(await zip.read(file));
    raw.push(text);
    for (const [key, value] of parseTexts(text)) if (!texts.has(key)) texts.set(key, value);
  }
  const isPlaceholder = (text: string) =>
    NOTHING.test(text) ||
    (WORD.test(text) && [...texts.keys()].some((key) => WORD.test(key))) ||
    (raw.length > 0 && (KEY.test(text) || raw.some((file) => namesKey(file, text))));
  return {
    said(text) {
      if (text == null) return '';
      const translated = texts.get(text);
      const seen = seenText(translated ?? text).trim();
      const isNothing = translated === undefined ? isPlaceholder(text.trim()) : NOTHING.test(seen);
      return isNothing ? '' : seen;
    },
  };
}

/** A pass in more languages is still read in English, or in those that come first. */
const MAX_LANGUAGES = 40;

/** Whether a file has a text as one of its keys, although no pair could be read there. */
function namesKey(file: string, text: string): boolean {
  const start = file.indexOf(text);
  if (text === '' || start === -1) return false;
  return (
    /(?:^|[\s"'>;{])$/.test(file.slice(0, start)) &&
    /^(?:["']?\s*[=:]|<\/key>)/.test(file.slice(start + text.length))
  );
}

function parseTexts(file: string): Map<string, string> {
  const texts = new Map<string, string>();
  if (/^\s*<(?:\?xml|!DOCTYPE|plist)/i.test(file)) {
    for (const [, key = '', text = ''] of file.matchAll(PLIST_PAIR)) texts.set(unquoted(key), unquoted(text));
    return texts;
  }
  for (const [, key, word, text, plain] of file.matchAll(PAIR)) {
    const name = key ?? word;
    const value = text ?? plain;
    if (name !== undefined && value !== undefined) texts.set(unescaped(name), unescaped(value));
  }
  return texts;
}

function unescaped(text: string): string {
  return text
    .replace(/\\[Uu]([\da-fA-F]{4})/g, (_, digits: string) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    )
    .replace(/\\(.)/gs, (_, character: string) => ESCAPED[character] ?? character);
}

function unquoted(text: string): string {
  return text.replace(/&(?:(amp|lt|gt|quot|apos)|#(\d{1,6})|#x([\da-f]{1,5}));/gi, (_, name, decimal, hex) =>
    name
      ? (XML_ENTITIES[name.toLowerCase()] ?? '')
      : String.fromCodePoint(decimal ? Number(decimal) : Number.parseInt(hex, 16)),
  );
}

/** UTF-16 with a mark, or by its zeros; else UTF-8, or Windows-1252 if it is not that. */
export function decodeText(bytes: Buffer): string {
  const [first = 0, second = 0] = bytes;
  const isBigEndian = (first === 0xfe && second === 0xff) || (first === 0 && second !== 0);
  const isLittleEndian =
    (first === 0xff && second === 0xfe) || (first !== 0 && second === 0 && bytes.length > 1);
  const other = isUtf8(bytes) ? 'utf-8' : 'windows-1252';
  return new TextDecoder(isBigEndian ? 'utf-16be' : isLittleEndian ? 'utf-16le' : other).decode(bytes);
}
