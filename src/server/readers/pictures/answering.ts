import type { Language } from '#contract/base/i18n.ts';
import { type Currency, chargeIn } from '#contract/base/money.ts';
import { type PictureProblem, PictureRefusal } from './pictures.ts';

/** A job for a process, with the language in which doubts are told and the currency of the market. */
export interface PictureJob {
  readonly name: string;
  readonly given: readonly unknown[];
  readonly language: Language;
  readonly currency: Currency;
}

/** The answer of a process: what the job's function has returned. */
export type PictureAnswer = { readonly answer: unknown } | { readonly refused: PictureProblem };

/** Does a job in a process of the pool. @param jobs what it can do, by name */
export async function answerBy(
  jobs: Readonly<Record<string, (...given: never) => unknown>>,
  { name, given, currency }: PictureJob,
): Promise<PictureAnswer> {
  chargeIn(currency);
  const act = jobs[name];
  if (!act) throw new Error(`There is no job ${name}`);
  try {
    return { answer: await act(...(given as never)) };
  } catch (error) {
    if (error instanceof PictureRefusal) return { refused: error.problem };
    throw error;
  }
}
