import type { DealType } from '#contract/deals.ts';
import type { DemoBidEnding } from './bid.ts';
import { type Act, type Cast, made } from './cast.ts';
import type { DemoPerson } from './people.ts';
import type { DemoPlan } from './plan.ts';
import { type DemoRating, ratingBy, type Sayings } from './ratings.ts';

/** When a sale came to its end, in days ago; sales that are under protection still are rated by nobody yet. */
const SALE_ENDS: Partial<Record<DemoBidEnding, 'paid' | 'judged' | 'decided'>> = {
  released: 'paid',
  confirmed: 'judged',
  'claim withdrawn': 'decided',
  'claim refused': 'decided',
};

/** What the people of completed swaps and sales say of each other. */
export function ratingActs(cast: Cast, { swaps, bids }: DemoPlan): Act[] {
  const said: Sayings = new Set();
  const act = (type: DealType, idOf: () => number, rater: DemoPerson, given: DemoRating): Act => ({
    daysAgo: given.daysAgo,
    perform: (stage) =>
      stage.callsOf(made(cast.people, rater)).ratings.create({
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
      const idOf = () => made(cast.exchanges, swap);
      return [requester, wants.owner].flatMap((rater) =>
        ratingBy(`${rater.username} on the swap for ${gives.offer.title}`, concluded, said).map((given) =>
          act('exchange', idOf, rater, given),
        ),
      );
    });

  const ofSales = bids.flatMap((bid) => {
    const { bidder, coupon, ending } = bid;
    const idOf = () => made(cast.bids, bid);
    if (ending === 'claim granted') {
      // Said together with the claim, before the money went back.
      const given = { rating: 7, comment: 'The seller is friendly. The shop is another matter.' };
      return [act('bid', idOf, bidder, { ...given, daysAgo: (bid.judged + bid.decided) / 2 })];
    }
    const end = SALE_ENDS[ending];
    if (end === undefined) return [];
    return [bidder, coupon.owner].flatMap((rater) =>
      ratingBy(`${rater.username} on the sale of ${coupon.offer.title}`, bid[end], said).map((given) =>
        act('bid', idOf, rater, given),
      ),
    );
  });

  return [...ofSwaps, ...ofSales];
}
