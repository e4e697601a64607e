import { TERMS_SHOWN } from '#contract/discover.ts';

/** An offer's terms as far as a card shows them (spec/3 section 2); whole once it is imported. */
export function shortTerms(terms: string): string {
  const characters = [...terms];
  return characters.length > TERMS_SHOWN ? `${characters.slice(0, TERMS_SHOWN).join('').trimEnd()}…` : terms;
}
