import type { Coupon } from '#contract/coupons/coupons.ts';

const wordsOf = (text: string) =>
  text
    .toLocaleLowerCase()
    .replace(/[^\p{L}\p{N}%$€£]+/gu, ' ')
    .trim();

/** Words that join a title and a merchant, in the languages of the site. */
const JOINING = /^(?:(?:at|from|chez|de|à) ?)*$/;

/** The description of a coupon; null where it says no more than title and merchant, as the one that we fill in does. */
export function ownWords({
  title,
  merchant,
  description,
}: Pick<Coupon, 'title' | 'merchant' | 'description'>): string | null {
  const rest = wordsOf(description)
    .replace(wordsOf(title), '')
    .replace(wordsOf(merchant), '')
    .replace(/ +/g, ' ')
    .trim();
  return JOINING.test(rest) ? null : description;
}
