import type { Zip } from './zip.ts';

/** The texts of a pass in one language, by what pass.json says in their place. */
export type PassTexts = ReadonlyMap<string, string>;

/** The language of this site. */
const LANGUAGE = /^en\b/i;

/** `"key" = "text";` or a comment, from where the last one ended. */
const LINE = /\s*(?:\/\*.*?\*\/|\/\/[^\n]*|"(?<key>(?:[^"\\]|\\.)*)"\s*=\s*"(?<text>(?:[^"\\]|\\.)*)"\s*;)/sy;

const ESCAPED: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** The English texts of a pass, or those of its first language; none where it has none. */
export async function readPassTexts(zip: Zip): Promise<PassTexts> {
  const files = zip.names.filter((name) => /^[^/]+\.lproj\/pass\.strings$/.test(name)).toSorted();
  const file = files.find((name) => LANGUAGE.test(name)) ?? files[0];
  return file === undefined ? new Map() : parseTexts(decode(await zip.read(file)));
}

/** Reads up to the first line that is none. */
function parseTexts(file: string): PassTexts {
  const texts = new Map<string, string>();
  const line = new RegExp(LINE);
  for (let found = line.exec(file); found; found = line.exec(file)) {
    const { key, text } = found.groups ?? {};
    if (key !== undefined && text !== undefined) texts.set(unescaped(key), unescaped(text));
  }
  return texts;
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/gs, (_, character: string) => ESCAPED[character] ?? character);
}

/** UTF-16 with a byte-order mark, else UTF-8. */
function decode(bytes: Buffer): string {
  const encoding =
    bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : bytes[0] === 0xff ? 'utf-16le' : 'utf-8';
  return new TextDecoder(encoding).decode(bytes);
}
