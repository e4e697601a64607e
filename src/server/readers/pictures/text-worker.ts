import type { CouponTable, DateOrder, ReadTableInput } from '#contract/coupons/coupon-tables.ts';
import { inLanguage } from '#server/core/language.ts';
import type { MailPart } from '../mails/parts.ts';
import { answerBy, type PictureJob } from './answering.ts';
import type { PrintToRead } from './pictures.ts';
import { limitWasmMemory } from './wasm-memory.ts';

/** For the reader of print, in megabytes. */
const WASM_MB = 512;

limitWasmMemory(WASM_MB * 2 ** 20);

/** What a process can do that reads texts. The first job of a kind loads what it needs. */
const JOBS = {
  print: async (file: Uint8Array, about: PrintToRead) => {
    const { readText } = await import('./text-reading.ts');
    const { readPrint } = await import('../prints/print.ts');
    return readPrint(await readText(file), about);
  },
  table: async (table: ReadTableInput): Promise<CouponTable> =>
    (await import('../tables/tables.ts')).readTable(table),
  tableFile: async (kind: 'csv' | 'workbook', file: Uint8Array, order?: DateOrder): Promise<CouponTable> =>
    (await import('./table-files.ts')).readTableFile(kind, file, order),
  mail: async (raw: Uint8Array) => (await import('../mails/opening.ts')).openMail(raw),
  mailText: async (part: MailPart, today: string) =>
    (await import('../mails/mail-text.ts')).readMailText(part, today),
};

export type TextJobs = typeof JOBS;

/** Does a job in a process of the pool, in the language of whoever asks. */
export const answer = (job: PictureJob) => inLanguage(job.language, () => answerBy(JOBS, job));
