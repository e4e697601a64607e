import type { CouponTable, ReadTableInput } from '#contract/coupon-tables.ts';
import type { Language } from '#contract/i18n.ts';
import type { ImageKind } from '#contract/images.ts';
import { type Currency, chargeIn } from '#contract/money.ts';
import type { PictureKind } from '#contract/pictures.ts';
import { inLanguage } from '#server/core/language.ts';
import type { MailPart } from '../mails/parts.ts';
import {
  type Card,
  type PicturedCode,
  type PictureProblem,
  PictureRefusal,
  type PrintToRead,
} from './pictures.ts';
import { limitWasmMemory } from './wasm-memory.ts';

/** For one decoder, in megabytes: what a photo of 50 million pixels needs. */
const WASM_MB = 512;

limitWasmMemory(WASM_MB * 2 ** 20);

/**
 * What a process of the pool can do. The first job of a kind loads what it needs: the owner of a code does not wait for
 * decoders, and few processes need the font of tickets.
 */
const JOBS = {
  draw: async (kind: ImageKind, code: string) => (await import('./drawing.ts')).drawCode(kind, code),
  icons: async (picture: Uint8Array, ground: string) =>
    (await import('./app-icons.ts')).drawIcons(picture, ground),
  card: async (card: Card) => (await import('./card-drawing.ts')).drawCard(card),
  pass: async (pictured: PicturedCode | null, mark: Uint8Array | null) =>
    (await import('./pass-drawing.ts')).drawPass(pictured, mark),
  publish: async (file: Uint8Array, kind: PictureKind) =>
    (await import('./publishing.ts')).publishPicture(file, kind),
  read: async (file: Uint8Array, page?: number) => (await import('./reading.ts')).readPicture(file, page),
  cover: async (file: Uint8Array) => (await import('./reading.ts')).coverPicture(file),
  print: async (file: Uint8Array, about: PrintToRead) => {
    const { readText } = await import('./text-reading.ts');
    const { readPrint } = await import('../print/print.ts');
    return readPrint(await readText(file), about);
  },
  table: async (table: ReadTableInput): Promise<CouponTable> =>
    (await import('../tables/tables.ts')).readTable(table),
  tableFile: async (kind: 'csv' | 'workbook', file: Uint8Array): Promise<CouponTable> =>
    (await import('./table-files.ts')).readTableFile(kind, file),
  mail: async (raw: string) => (await import('../mails/opening.ts')).openMail(raw),
  mailText: async (part: Pick<MailPart, 'content' | 'from'>, today: string) =>
    (await import('../mails/mail-text.ts')).readMailText(part, today),
};

/** The jobs by their names. */
export type Jobs = typeof JOBS;

/** A job for a process, with the language in which doubts are told and the currency of the market. */
export type PictureJob = {
  readonly [Name in keyof Jobs]: {
    readonly name: Name;
    readonly given: Parameters<Jobs[Name]>;
    readonly language: Language;
    readonly currency: Currency;
  };
}[keyof Jobs];

/** The answer of a process: what the job's function has returned. */
export type PictureAnswer = { readonly answer: unknown } | { readonly refused: PictureProblem };

/** Does a job in a process of the pool. */
export async function answer({ name, given, language, currency }: PictureJob): Promise<PictureAnswer> {
  chargeIn(currency);
  const act: (...given: never) => unknown = JOBS[name];
  try {
    return { answer: await inLanguage(language, () => act(...(given as never))) };
  } catch (error) {
    if (error instanceof PictureRefusal) return { refused: error.problem };
    throw error;
  }
}
