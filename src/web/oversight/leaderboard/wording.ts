import { t } from '@lingui/core/macro';
import { RATING_MAX } from '#contract/base/bounds.ts';
import { countedPeople, type LeaderboardEntry, POINTS } from '#contract/oversight/leaderboard.ts';
import type { LeaderboardCategory } from '#contract/oversight/leaderboard-categories.ts';
import { formatDecimal } from '#web/lib/format.ts';

export const CATEGORY_NAMES: Record<LeaderboardCategory, string> = {
  overall: t`Overall`,
  coupons: t`Coupons`,
  exchanges: t`Exchanges`,
  bids: t`Bids`,
  ratings: t`Ratings`,
};

/** A person's numbers; the one that the tab counts is marked. */
export function statsOf(
  { verifiedCoupons, successfulExchanges, acceptedBids, averageRating }: LeaderboardEntry['stats'],
  category: LeaderboardCategory,
): { name: string; value: string; isCounted: boolean }[] {
  return [
    { name: t`Verified coupons`, value: String(verifiedCoupons), isCounted: category === 'coupons' },
    { name: t`Exchanges`, value: String(successfulExchanges), isCounted: category === 'exchanges' },
    { name: t`Sales`, value: String(acceptedBids), isCounted: category === 'bids' },
    {
      name: t`Average rating`,
      value: averageRating === null ? '–' : formatDecimal(averageRating),
      isCounted: category === 'ratings',
    },
  ];
}

/** How points are counted (decisions 5.6). */
export const RULES: readonly { readonly name: string; readonly value: string }[] = [
  {
    name: t`Coupons`,
    value: t`${POINTS.verifiedCoupon} points for each listed coupon whose code is verified.`,
  },
  {
    name: t`Exchanges`,
    value: t`${POINTS.completedExchange} points to both sides of a completed exchange. A coupon that you have owned before gives none.`,
  },
  {
    name: t`Bids`,
    value: t`${POINTS.completedSale} points to both sides of a completed sale.`,
  },
  {
    name: t`Ratings`,
    value: t`The average rating times ${POINTS.perRatingPoint}, as if ${POINTS.ratingWeight} people had given ${POINTS.ratingPrior} of ${RATING_MAX} before, so that one lucky rating does not decide. People without ratings get none.`,
  },
  {
    name: t`Overall`,
    value: t`The sum of the four. If points are equal, the person who had them first is ahead.`,
  },
  {
    name: t`People`,
    value: countedPeople(),
  },
];
