import type { DealType } from '#contract/deals/deals.ts';
import { COMMENTS, type DemoPerson } from './content.ts';
import { draw, drawBetween } from './draw.ts';
import type { DemoPlan, PlannedBid } from './plan.ts';
import { type DemoState, type DemoStep, lookUp } from './steps.ts';

/** The time of a bid at which the sale ended. A sale that is still protected cannot be rated. */
const SALE_ENDS: Partial<Record<PlannedBid['ending'], 'paid' | 'judged' | 'decided'>> = {
  released: 'paid',
  confirmed: 'judged',
  'claim withdrawn': 'decided',
  'claim refused': 'decided',
};

/** Ratings of completed swaps and sales by their parties. */
export function ratingSteps(state: DemoState, { swaps, bids }: DemoPlan): DemoStep[] {
  const used: UsedComments = new Set();
  const step = (type: DealType, idOf: () => number, rater: DemoPerson, given: DemoRating): DemoStep => ({
    daysAgo: given.daysAgo,
    run: (client) =>
      client.callsOf(lookUp(state.people, rater)).ratings.create({
        dealType: type,
        dealId: idOf(),
        rating: given.rating,
        comment: given.comment,
      }),
  });

  const ofSwaps = swaps
    .filter(({ ending }) => ending === 'completed')
    .flatMap((swap) => {
      const { requester, wants, gives, concluded } = swap;
      const idOf = () => lookUp(state.exchanges, swap);
      return [requester, wants.owner].flatMap((rater) =>
        ratingBy(`${rater.username} on the swap for ${gives.offer.title}`, concluded, used).map((given) =>
          step('exchange', idOf, rater, given),
        ),
      );
    });

  const ofSales = bids.flatMap((bid) => {
    const { bidder, coupon, ending } = bid;
    const idOf = () => lookUp(state.bids, bid);
    if (ending === 'claim granted') {
      // Given with the claim, before the refund.
      const given = { rating: 7, comment: 'The seller is friendly. The shop is another matter.' };
      return [step('bid', idOf, bidder, { ...given, daysAgo: (bid.judged + bid.decided) / 2 })];
    }
    const end = SALE_ENDS[ending];
    if (end === undefined) return [];
    return [bidder, coupon.owner].flatMap((rater) =>
      ratingBy(`${rater.username} on the sale of ${coupon.offer.title}`, bid[end], used).map((given) =>
        step('bid', idOf, rater, given),
      ),
    );
  });

  return [...ofSwaps, ...ofSales];
}

interface DemoRating {
  readonly rating: number;
  readonly comment: string | null;
  readonly daysAgo: number;
}

/** Comments that are used already; each is used once. */
type UsedComments = Set<string>;

/** Two thirds of the ratings have a comment, as long as there are unused ones. */
function commentOn(name: string, rating: number, used: UsedComments): string | null {
  if (draw(`words of ${name}`) > 0.67) return null;
  const words: readonly string[] = rating >= 8 ? COMMENTS.good : COMMENTS.mixed;
  const first = Math.floor(draw(`choice of ${name}`) * words.length);
  const rotated = [...words.slice(first), ...words.slice(0, first)];
  const comment = rotated.find((word) => !used.has(word)) ?? null;
  if (comment !== null) used.add(comment);
  return comment;
}

/** The probability that a person rates. */
const RATING_PROBABILITY = 0.72;

/**
 * One party's rating of the other, some time after the end of the deal (`daysAgo`), or none. The newest ratings are
 * still hidden if the other party has not rated.
 */
function ratingBy(name: string, daysAgo: number, used: UsedComments): DemoRating[] {
  if (draw(`diligence of ${name}`) > RATING_PROBABILITY) return [];
  const mood = draw(`mood of ${name}`);
  const rating = mood < 0.08 ? 5 : mood < 0.2 ? 7 : mood < 0.42 ? 8 : mood < 0.72 ? 9 : 10;
  const later = Math.min(daysAgo * 0.9, drawBetween(`leisure of ${name}`, 0.05, 4));
  return [{ rating, comment: commentOn(name, rating, used), daysAgo: daysAgo - later }];
}
