import { t } from '@lingui/core/macro';
import { type Merchant, type MerchantInput, WISHES_MAX } from '#contract/coupons/merchants.ts';
import type { Context } from '#server/context/context.ts';
import { notFound } from '#server/core/errors.ts';
import { merchantKey } from '#server/core/text.ts';
import type { Fact } from '#server/readers/prints/last-day.ts';
import * as store from './store.ts';

/**
 * What everybody may know of a merchant.
 * @throws AppError not_found if nobody has ever listed a coupon of it, and it has no public codes
 */
export async function merchantByName(ctx: Context, { name }: MerchantInput): Promise<Merchant> {
  const found = await store.findMerchant(ctx.db, name, merchantKey(name));
  if (!found) throw notFound(t`Merchant not found`);
  const [wishes, feedback] = await Promise.all([
    store.countWishes(ctx.db, name, WISHES_MAX),
    store.sumFeedback(ctx.db, merchantKey(name)),
  ]);
  const lastWorkedAt = feedback.lastWorkedAt?.toISOString() ?? null;
  return { ...found, wishes, feedback: { ...feedback, lastWorkedAt } };
}

/** A merchant that is recognised in a printed text. */
interface Recognised extends Fact<string> {
  /** Of its newest coupon; null without one. */
  readonly category: string | null;
}

/** Below this likeness, of 1, two names are two merchants; above the other, the difference is one of reading. */
const LIKE = 0.55;
const SAME = 0.9;

/** The most words of a name that stands within a line. */
const MOST_WORDS = 5;
/** Shorter parts of a line are words of every day. */
const SHORTEST_PART = 5;

/**
 * The merchant that lines of print name, in the spelling of its newest coupon. Doubtful unless a whole line is one name
 * that the market knows, and no other line is another.
 * @param lines the likeliest first
 */
export async function recogniseMerchant(
  ctx: Pick<Context, 'db'>,
  lines: readonly string[],
): Promise<Recognised | null> {
  const known = async (texts: readonly string[]) => {
    const rows = await store.findKnown(
      ctx.db,
      texts.map((text) => ({ text, feedKey: merchantKey(text) })),
    );
    return rows.toSorted((a, b) => texts.indexOf(a.text) - texts.indexOf(b.text));
  };
  const [whole, ...others] = await known(lines);
  const isOnly = others.every(({ name }) => merchantKey(name) === merchantKey(whole?.name ?? ''));
  if (whole) return { value: whole.name, category: whole.category, isDoubtful: !isOnly };

  const [alike, another] = await store.findAlike(ctx.db, lines, LIKE);
  const [spelled] = alike ? await known([alike.name]) : [];
  if (alike && spelled) {
    const isDoubtful = alike.likeness < SAME || (another !== undefined && another.likeness >= SAME);
    return { value: spelled.name, category: spelled.category, isDoubtful };
  }
  const [part] = await known(partsOf(lines));
  return part ? { value: part.name, category: part.category, isDoubtful: true } : null;
}

/** Words of lines that follow each other, the most first. */
function partsOf(lines: readonly string[]): string[] {
  const parts = lines.flatMap((line) => {
    const words = line.split(/\s+/);
    return words.flatMap((_, from) =>
      Array.from({ length: MOST_WORDS }, (_unused, more) => words.slice(from, from + more + 1).join(' ')),
    );
  });
  return [...new Set(parts)]
    .filter((part) => part.length >= SHORTEST_PART)
    .toSorted((a, b) => b.length - a.length);
}
