import { CATEGORIES } from '#contract/coupon-facts.ts';
import type { SearchHelp, SearchHelpInput, SuggestMerchantsInput } from '#contract/search.ts';
import { typedWords } from '#server/database/search-words.ts';
import type { Context } from '../context.ts';
import { listCoupons } from '../coupons/listing.ts';
import { withSemaphore } from '../coupons/search-semaphore.ts';
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
  const nearest = await withSemaphore(ctx.ip, () => store.nearestWords(ctx.db, words, ctx.clock()));
  const meant = nearest.join(' ');
  return {
    didYouMean: meant !== words.join(' ') && (await findsSomething(ctx, meant)) ? meant : null,
    category: categoryOf([...words, ...nearest]),
  };
}

async function findsSomething(ctx: Context, search: string): Promise<boolean> {
  const { items } = await listCoupons(ctx, { search, sort: 'newest', page: 1, limit: 1 });
  return items.length > 0;
}

/** The category that the first of these words stands for, or belongs to. */
function categoryOf(words: readonly string[]): SearchHelp['category'] {
  for (const word of words)
    for (const category of CATEGORIES)
      if (category !== 'other' && SYNONYMS[category].includes(word)) return category;
  return null;
}
