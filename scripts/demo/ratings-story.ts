import type { DealType } from '#contract/deals.ts';
import { type Act, type Cast, made } from './cast.ts';
import { COMMENTS, type DemoPerson } from './content.ts';
import { draw, drawBetween } from './draw.ts';
import type { DemoPlan, PlannedBid } from './plan.ts';

/** When a sale came to its end, in days ago; sales that are under protection still are rated by nobody yet. */
const SALE_ENDS: Partial<Record<PlannedBid['ending'], 'paid' | 'judged' | 'decided'>> = {
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

interface DemoRating {
  readonly rating: number;
  readonly comment: string | null;
  readonly daysAgo: number;
}

/** Each comment is somebody's own words: whoever comes first has said it. */
type Sayings = Set<string>;

/** Two thirds of the ratings come with words, as long as there are any left. */
function commentOn(name: string, rating: number, said: Sayings): string | null {
  if (draw(`words of ${name}`) > 0.67) return null;
  const words: readonly string[] = rating >= 8 ? COMMENTS.good : COMMENTS.mixed;
  const first = Math.floor(draw(`choice of ${name}`) * words.length);
  const turned = [...words.slice(first), ...words.slice(0, first)];
  const comment = turned.find((word) => !said.has(word)) ?? null;
  if (comment !== null) said.add(comment);
  return comment;
}

/** How likely somebody is to rate at all. */
const DILIGENCE = 0.72;

/**
 * What one side says of the other after a deal that ended `daysAgo`: some time later, or never. The latest are
 * still hidden where the other side has said nothing.
 */
function ratingBy(name: string, daysAgo: number, said: Sayings): DemoRating[] {
  if (draw(`diligence of ${name}`) > DILIGENCE) return [];
  const mood = draw(`mood of ${name}`);
  const rating = mood < 0.08 ? 5 : mood < 0.2 ? 7 : mood < 0.42 ? 8 : mood < 0.72 ? 9 : 10;
  const later = Math.min(daysAgo * 0.9, drawBetween(`leisure of ${name}`, 0.05, 4));
  return [{ rating, comment: commentOn(name, rating, said), daysAgo: daysAgo - later }];
}
