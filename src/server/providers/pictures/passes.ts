import { z } from 'zod';
import { MERCHANT_MAX, TERMS_MAX, TITLE_MAX } from '#contract/coupon-facts.ts';
import type { StatedFacts } from '#contract/images.ts';
import { drawSymbol, type PassSymbology } from './drawing.ts';
import { type PassTexts, readPassTexts } from './pass-texts.ts';
import { PictureRefusal } from './pictures.ts';
import { openZip } from './zip.ts';

/** A wallet pass: a drawing of its barcode as phones show it, and what it says about its coupon. */
export interface Pass {
  readonly drawing: Buffer;
  readonly facts: StatedFacts;
}

const SYMBOLOGIES: Readonly<Record<string, PassSymbology>> = {
  PKBarcodeFormatQR: 'qrcode',
  PKBarcodeFormatPDF417: 'pdf417',
  PKBarcodeFormatAztec: 'azteccode',
  PKBarcodeFormatCode128: 'code128',
};

const TERMS_NAMES = /terms|conditions|restrictions|exclusions|legal|bedingungen|mentions|voorwaarden/i;
const EXPIRY_NAMES = /expir|valid|until|ablauf|gültig/i;

const nothing = <Schema extends z.ZodType>(schema: Schema) => schema.nullish().catch(null);
const textSchema = nothing(z.string());
const barcodeSchema = z.object({ format: z.string(), message: z.string().min(1) });
const fieldSchema = z.object({
  key: z.string().catch(''),
  label: textSchema,
  value: z.union([z.string(), z.number()]).transform(String).catch(''),
});
const fieldsSchema = z.array(fieldSchema).catch([]);
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
  formatVersion: z.number(),
  organizationName: textSchema,
  logoText: textSchema,
  description: textSchema,
  expirationDate: textSchema,
  voided: nothing(z.boolean()),
  barcodes: nothing(z.array(barcodeSchema)),
  barcode: nothing(barcodeSchema),
  coupon: nothing(styleSchema),
  storeCard: nothing(styleSchema),
  generic: nothing(styleSchema),
  eventTicket: nothing(styleSchema),
  boardingPass: nothing(styleSchema),
});
type PassFile = z.output<typeof passSchema>;

/**
 * Reads a wallet pass (.pkpass). Its signature is not verified: whoever can sign a pass can write anything into it, so
 * it is a claim like typed text.
 * @throws PictureRefusal
 */
export async function readPass(file: Uint8Array): Promise<Pass> {
  const zip = await openZip(file);
  if (!zip.names.includes('pass.json')) {
    const passes = zip.names.filter((name) => name.endsWith('.pkpass'));
    throw new PictureRefusal(passes.length > 0 ? 'many_passes' : 'not_an_image');
  }
  const pass = parsePass(await zip.read('pass.json'));
  if (pass.voided) throw new PictureRefusal('used_pass');
  const drawing = await drawBarcode(pass);
  if (!drawing) throw new PictureRefusal('no_barcode');
  return { drawing, facts: factsOf(pass, await readPassTexts(zip)) };
}

function parsePass(bytes: Buffer): PassFile {
  try {
    return passSchema.parse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)));
  } catch {
    throw new PictureRefusal('broken');
  }
}

/** The first barcode that can be drawn: further ones are for phones that do not know the first. */
async function drawBarcode({ barcodes, barcode }: PassFile): Promise<Buffer | null> {
  for (const { format, message } of [...(barcodes ?? []), ...(barcode ? [barcode] : [])]) {
    const symbology = SYMBOLOGIES[format];
    const drawn = symbology && (await drawSymbol(symbology, message));
    if (drawn) return drawn.bytes;
  }
  return null;
}

function factsOf(pass: PassFile, texts: PassTexts): StatedFacts {
  const said = (text: string | null | undefined) => (text == null ? '' : (texts.get(text) ?? text)).trim();
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
  const expiry = [...front, ...back].find(
    ({ key, label, value }) => EXPIRY_NAMES.test(`${key} ${label}`) && lastDayOf(value) !== null,
  );
  return {
    merchant: cut(said(pass.organizationName) || said(pass.logoText), MERCHANT_MAX),
    title: cut(said(pass.description), TITLE_MAX),
    expiryDate: lastDayOf(pass.expirationDate) ?? lastDayOf(expiry?.value),
    terms: cut(
      (terms.length > 0 ? terms : back)
        .map(({ label, value }) => (label ? `${label}: ${value}` : value))
        .join('\n'),
      TERMS_MAX,
    ),
  };
}

/** W3C date and time, whose seconds and offset may be missing. */
const MOMENT = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}):(\d{2})(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;

/** The last day on which a pass is good, by its own clock. At 00:00 that is the day before. */
function lastDayOf(moment: string | null | undefined): string | null {
  const [, day, hours, minutes] = MOMENT.exec(moment?.trim() ?? '') ?? [];
  if (day === undefined || !z.iso.date().safeParse(day).success) return null;
  if (hours !== '00' || minutes !== '00') return day;
  return new Date(Date.parse(day) - 1).toISOString().slice(0, 10);
}

function cut(text: string, length: number): string | null {
  return text === '' ? null : text.slice(0, length);
}
