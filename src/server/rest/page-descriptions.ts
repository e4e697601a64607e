import { t } from '@lingui/core/macro';
import { marketName, marketTagline } from '#contract/base/market.ts';
import { PAGES, type WebPage } from '#contract/base/pages.ts';

export const defaultDescription = () =>
  marketTagline() ??
  t`Swap the discount coupons you won’t use for ones you will. Free, fair, and no one sees your code before the deal is done.`;

const DESCRIPTIONS: ReadonlyMap<WebPage, () => string> = new Map<WebPage, () => string>([
  [
    PAGES.howItWorks,
    () =>
      t`How swapping, bidding and buying coupons works on ${{ market: marketName() }}, what it costs, and how codes and payments are kept safe.`,
  ],
  [
    PAGES.leaderboard,
    () =>
      t`Who swaps, sells and verifies the most coupons on ${{ market: marketName() }}, and who has the best ratings.`,
  ],
  [
    PAGES.validateCoupon,
    () => t`Check whether a coupon code works: type it, or upload a picture of its QR code or barcode.`,
  ],
  [
    PAGES.terms,
    () => t`What you and ${{ market: marketName() }} agree on when you swap, sell and buy coupons here.`,
  ],
  [PAGES.privacyPolicy, () => t`What ${{ market: marketName() }} stores about you, why, and for how long.`],
  [
    PAGES.risks,
    () =>
      t`What can go wrong when coupons change hands, and what ${{ market: marketName() }} cannot promise.`,
  ],
  [
    PAGES.openBooks,
    () =>
      t`How many deals ${{ market: marketName() }} completes, how many claims there are and how they end, and what money waits.`,
  ],
  [
    PAGES.developers,
    () =>
      t`What programs and assistants may do on ${{ market: marketName() }}, with complete examples, limits, errors, versions and changes of the API.`,
  ],
  [PAGES.proofs, () => t`Check a signed statement of who has been shown the code of a coupon.`],
  [
    PAGES.acceptableUsePolicy,
    () =>
      t`What is welcome on ${{ market: marketName() }}, what is not, and what happens to people who break the rules.`,
  ],
]);

/** What search engines and previews say of a page, unless the page itself knows better. */
export function descriptionOf(page: WebPage): string {
  return (DESCRIPTIONS.get(page) ?? defaultDescription)();
}
