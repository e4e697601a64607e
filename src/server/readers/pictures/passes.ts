import type { ParseError } from 'jsonc-parser';
import { z } from 'zod';
import { MAX_IMAGE_BYTES, PAGES_ONE_BY_ONE_MAX, type StatedFacts } from '#contract/coupons/images.ts';
import { MERCHANT_MAX, TERMS_MAX, TITLE_MAX } from '#contract/coupons/limits.ts';
import { readCode } from '../feeds/codes.ts';
import { ordersOf, readDate } from '../feeds/dates.ts';
import { drawBarcode } from './pass-barcodes.ts';
import { lastDayOf, offsetOf, type PassPlace } from './pass-dates.ts';
import { decodeText, type PassTexts, readPassTexts } from './pass-texts.ts';
import { PictureRefusal } from './pictures.ts';
import { openZip, type Zip } from './zip.ts';

const { parse, printParseErrorCode } = await import('jsonc-parser');

/** A wallet pass: a drawing of its barcode as phones show it, and what it says about its coupon. */
export interface Pass {
  readonly drawing: Buffer;
  readonly facts: StatedFacts;
  /** How many passes the file has. */
  readonly count: number;
}

const TERMS_NAMES = /terms|conditions|restrictions|exclusions|legal|bedingungen|mentions|voorwaarden/i;
const EXPIRY_NAMES = /expir|valid|until|ablauf|gültig/i;

const nothing = <Schema extends z.ZodType>(schema: Schema) => schema.nullish().catch(null);
/** The entries of a list that are as described, in any case. */
const listOf = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .array(nothing(schema))
    .catch([])
    .transform((items) => items.filter((item) => item != null));
const textSchema = nothing(z.string());
/** A number that JavaScript may have changed is no message. */
const messageSchema = z.union([z.string().min(1), z.int().transform(String)]);
const barcodeSchema = z.object({
  format: z.string(),
  message: messageSchema,
  messageEncoding: z.string().catch(''),
  altText: textSchema,
});
const fieldSchema = z.object({
  key: z.string().catch(''),
  label: textSchema,
  value: z.union([z.string(), z.number()]).transform(String).catch(''),
});
const fieldsSchema = listOf(fieldSchema);
type Field = z.output<typeof fieldSchema>;

const styleSchema = z.object({
  headerFields: fieldsSchema,
  primaryFields: fieldsSchema,
  secondaryFields: fieldsSchema,
  auxiliaryFields: fieldsSchema,
  backFields: fieldsSchema,
});

/** Lenient, as phones are: a part that is not as Apple describes it is left out. */
const passSchema = z.object({
  organizationName: textSchema,
  logoText: textSchema,
  description: textSchema,
  expirationDate: textSchema,
  relevantDate: textSchema,
  voided: nothing(z.boolean()),
  locations: listOf(z.object({ longitude: z.number().min(-180).max(180) })),
  barcodes: listOf(barcodeSchema),
  barcode: nothing(barcodeSchema),
  coupon: nothing(styleSchema),
  storeCard: nothing(styleSchema),
  generic: nothing(styleSchema),
  eventTicket: nothing(styleSchema),
  boardingPass: nothing(styleSchema),
});
type PassFile = z.output<typeof passSchema>;

/**
 * Reads a wallet pass (.pkpass), also within a folder or a bundle (.pkpasses). Its signature is not verified: whoever can
 * sign a pass can write anything into it, so it is a claim like typed text.
 * @param page which pass of a bundle, from 1
 * @throws PictureRefusal
 */
export async function readPass(file: Uint8Array, page?: number): Promise<Pass> {
  const zip = await openZip(file);
  const names = zip.names.filter((name) => !/(?:^|\/)(?:__MACOSX\/|\._)/.test(name));
  const unpacked = names.filter((name) => /(?:^|\/)pass\.json$/i.test(name));
  const passes = unpacked.length > 0 ? unpacked : names.filter((name) => /\.pkpass$/i.test(name));
  const { length: count } = passes;
  if (count === 0) throw new PictureRefusal('not_an_image');
  if (count > 1 && page === undefined) throw new PictureRefusal('many_passes');
  if (count > PAGES_ONE_BY_ONE_MAX) throw new PictureRefusal('too_many_parts');
  const found = passes[(page ?? 1) - 1];
  if (found === undefined) throw new PictureRefusal('no_such_page');
  if (unpacked.length > 0) return { ...(await readFiles(zip, found)), count };
  const pass = await openZip(await zip.read(found, MAX_IMAGE_BYTES));
  const name = pass.names.find((each) => /^pass\.json$/i.test(each));
  if (name === undefined) throw new PictureRefusal('broken_pass');
  return { ...(await readFiles(pass, name)), count };
}

async function readFiles(zip: Zip, name: string): Promise<Omit<Pass, 'count'>> {
  const pass = parsePass(await zip.read(name));
  if (pass.voided) throw new PictureRefusal('used_pass');
  const barcodes = [...pass.barcodes, ...(pass.barcode ? [pass.barcode] : [])];
  if (barcodes.length === 0) throw new PictureRefusal('no_barcode');
  const drawing = await drawBarcode(barcodes);
  if (!drawing) throw new PictureRefusal('other_barcode');
  const folder = name.slice(0, -'pass.json'.length);
  const facts = factsOf(pass, await readPassTexts(zip, folder));
  const printed = printedCode(barcodes);
  return { drawing, facts: printed === null ? facts : { ...facts, printedCode: printed } };
}

/** Letters and digits alone. */
const plain = (text: string) =>
  text
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toUpperCase();

/** What stands under the symbol where that is another code, as for people who type it; null if it is no code. */
function printedCode(barcodes: readonly { readonly message: string; readonly altText?: string | null }[]) {
  const isOther = ({ message, altText }: { readonly message: string; readonly altText?: string | null }) =>
    altText && plain(altText) !== plain(message);
  const found = barcodes.find(isOther)?.altText;
  const read = found ? readCode([found], []) : null;
  return read && 'code' in read ? read.code : null;
}

/** Mistakes that change no value beside them: a comma too many, nothing behind a name, a control character in a text. */
const HARMLESS = ['ValueExpected', 'PropertyNameExpected', 'InvalidCharacter'];

/** Apple allows no such mistakes, and no comments; wallets open such passes nevertheless. @throws PictureRefusal */
function parsePass(bytes: Buffer): PassFile {
  // A line break within a text ends it for the parser. A text without an end goes on to that of the file.
  const text = decodeText(bytes).replace(/"(?:[^"\\]|\\(?:.|$))*(?:"|$)/gs, (quoted) =>
    quoted.replace(/\n/g, '\\n').replace(/\r/g, '\\r'),
  );
  try {
    const mistakes: ParseError[] = [];
    const document: unknown = parse(text, mistakes, { allowTrailingComma: true });
    if (mistakes.every(({ error }) => HARMLESS.includes(printParseErrorCode(error))))
      return passSchema.parse(document);
  } catch {
    // Also brackets without end.
  }
  throw new PictureRefusal('broken_pass');
}

function factsOf(pass: PassFile, { said }: PassTexts): StatedFacts {
  const style = pass.coupon ?? pass.storeCard ?? pass.generic ?? pass.eventTicket ?? pass.boardingPass;
  const fields = (names: readonly Field[]) =>
    names.map((field) => ({ ...field, label: said(field.label), value: said(field.value) }));
  const back = fields(style?.backFields ?? []).filter(({ value }) => value !== '');
  const terms = back.filter(({ key, label }) => TERMS_NAMES.test(`${key} ${label}`));
  const front = fields(
    style
      ? [...style.headerFields, ...style.primaryFields, ...style.secondaryFields, ...style.auxiliaryFields]
      : [],
  );
  const place = placeOf(pass, [...front, ...back]);
  const expiry = [...front, ...back]
    .filter(({ key, label }) => EXPIRY_NAMES.test(`${key} ${label}`))
    .map(({ value }) => readField(value, place))
    .find((found) => found !== null);
  return {
    merchant: cut(said(pass.organizationName) || said(pass.logoText), MERCHANT_MAX),
    category: null,
    title: cut(said(pass.description), TITLE_MAX),
    worth: null,
    hasNoExpiry: false,
    doubtful: [],
    expiryDate: lastDayOf(pass.expirationDate, place) ?? expiry ?? null,
    terms: cut(
      (terms.length > 0 ? terms : back)
        .map(({ label, value }) => (label ? `${label}: ${value}` : value))
        .join('\n'),
      TERMS_MAX,
    ),
  };
}

/** More words than stand in front of a day. */
const WORDS_MAX = 12;

/** The day of a field, as programs or people write it, also behind words; null where it can be read in two ways. */
function readField(value: string, place: PassPlace): string | null {
  const stated = lastDayOf(value, place);
  if (stated !== null) return stated;
  const words = value.trim().split(/\s+/).slice(0, WORDS_MAX);
  for (const from of words.keys()) {
    const text = words.slice(from).join(' ');
    // Five digits alone are no day here.
    if (!/[-/. ]/.test(text) || ordersOf(text)?.length === 2) break;
    const { day } = readDate(text, null);
    if (day !== null && day !== 'unreadable') return day;
  }
  return null;
}

/** Where the shop is: by the offset of another moment of the pass, and by the longitude of the first place it names. */
function placeOf(pass: PassFile, fields: readonly { value: string }[]): PassPlace {
  const moments = [pass.relevantDate, ...fields.map(({ value }) => value)];
  const [location] = pass.locations;
  return {
    clock: moments.map(offsetOf).find((offset) => offset !== null) ?? null,
    // The sun moves 15 degrees in an hour.
    sun: location ? location.longitude * 4 : null,
  };
}

function cut(text: string, length: number): string | null {
  return text === '' ? null : text.slice(0, length);
}
