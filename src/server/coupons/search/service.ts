import { CATEGORIES } from '#contract/coupons/choices.ts';
import type { SearchHelp, SearchHelpInput, SuggestMerchantsInput } from '#contract/coupons/search.ts';
import type { Context } from '#server/context/context.ts';
import { typedWords } from '#server/database/search-words.ts';
import { listCoupons } from './listing.ts';
import { withSemaphore } from './search-semaphore.ts';
import * as store from './store.ts';
import { SYNONYMS } from './synonyms.ts';

const SUGGESTED = 6;

/** Merchants with coupons on offer that begin as typed, or have a word that does. @throws AppError unavailable */
export async function suggestMerchants(ctx: Context, { typed }: SuggestMerchantsInput): Promise<string[]> {
  const [words = []] = await typedWords(ctx.db, [typed]);
  const folded = words.join(' ');
  // Shorter texts have no trigram of their own.
  if (folded.length < 2) return [];
  return withSemaphore(ctx.ip, () => store.listMerchants(ctx.db, folded, ctx.clock(), SUGGESTED));
}

/** What may help somebody whose search has found nothing. @throws AppError unavailable */
export async function searchHelp(ctx: Context, { search }: SearchHelpInput): Promise<SearchHelp> {
  const [words = []] = await typedWords(ctx.db, [search]);
  let [didYouMean, nearest]: [string | null, string[]] = [null, []];
  // A synonym is the better word where no coupon has one like it: it finds those in the other language, too.
  for (const known of ['in coupons', 'synonyms too'] as const) {
    const given = { words, known, now: ctx.clock() };
    nearest = await withSemaphore(ctx.ip, () => store.nearestWords(ctx.db, given));
    const meant = nearest.join(' ');
    if (meant === words.join(' ') || !(await findsSomething(ctx, meant))) continue;
    didYouMean = meant;
    break;
  }
  return { didYouMean, category: categoryOf(await store.meaningsOf(ctx.db, [...words, ...nearest])) };
}

async function findsSomething(ctx: Context, search: string): Promise<boolean> {
  const { items } = await listCoupons(ctx, { search, sort: 'newest', page: 1, limit: 1 });
  return items.length > 0;
}

/** The category that the first of these words stands for, or belongs to. */
function categoryOf(words: readonly (readonly string[])[]): SearchHelp['category'] {
  for (const meanings of words)
    for (const category of CATEGORIES)
      if (category !== 'other' && meanings.some((word) => belongsTo(category, word))) return category;
  return null;
}

function belongsTo(category: keyof typeof SYNONYMS, word: string): boolean {
  return SYNONYMS[category].includes(word) || SYNONYMS[category].includes(`${word}s`);
}

export { listCoupons } from './listing.ts';
