import { type Act, type Cast, made } from './cast.ts';
import { draw } from './draw.ts';
import type { DemoPlan, PlannedBid, PlannedSwap } from './plan.ts';

/** What two people write to each other about a coupon that one of them wants of the other. */
interface DemoTalk {
  readonly by: string;
  readonly to: string;
  /** The wanted coupon's title. */
  readonly about: string;
  /** In turns: `by` what the first one says, `to` what the other does. */
  readonly lines: readonly (readonly ['by' | 'to', string])[];
  /** Whether it has all been read by now. */
  readonly isRead?: false;
}

const TALKS: readonly DemoTalk[] = [
  {
    by: 'priya-picks',
    to: 'maple_mia',
    about: 'Book token, $25',
    lines: [
      ['to', 'Dinner for novels is tempting. Does the tasting menu work on a Sunday?'],
      ['by', 'Every day but Monday. They ask you to book two days ahead.'],
      ['to', 'Then I only have to decide whether I am hungry or curious.'],
      ['by', 'Take your time. The menu is good until the end of its last day, so am I.'],
    ],
    isRead: false,
  },
  {
    by: 'hugo99',
    to: 'maple_mia',
    about: '$10 off any coach',
    lines: [['by', 'I could also throw in my best wishes for the journey.']],
    isRead: false,
  },
  {
    by: 'camille.v',
    to: 'maple_mia',
    about: '20% off cooking classes',
    lines: [
      ['to', 'A photo book for the class, yes please. We took four hundred pictures on the farm trip.'],
      ['by', 'Wonderful! I will complete it as soon as I have checked the dates of the dumpling evening.'],
      ['to', 'No hurry. The fourth graders cannot agree on a cover anyway.'],
    ],
  },
  {
    by: 'maple_mia',
    to: 'wei.collects',
    about: '20% off hiking boots',
    lines: [
      ['to', 'Accepted. They run small, by the way: take half a size more.'],
      ['by', 'Good to know, thank you!'],
    ],
  },
  {
    by: 'maple_mia',
    to: 'NoraFromOslo',
    about: 'Linen sheets 30% off',
    lines: [
      ['to', 'I am thinking about it. Does yours work online, or only in the shop?'],
      ['by', 'Both, it says. I have not tried.'],
    ],
  },
  {
    by: 'aisha_reads',
    to: 'maple_mia',
    about: 'Book token, $25',
    lines: [
      ['to', 'Can the token be used in several visits?'],
      ['by', 'That is my question to you! But I read that it can.'],
    ],
  },
  {
    by: 'gilles-moto',
    to: 'maple_mia',
    about: '$10 off any coach',
    lines: [['by', 'I would pay today. The coach leaves on Thursday.']],
    isRead: false,
  },
  {
    by: 'maple_mia',
    to: 'theo.trades',
    about: '20% off for two on one ticket',
    lines: [
      ['by', 'Is it for the fast train as well?'],
      ['to', 'For all of them, but not on Friday afternoons.'],
    ],
  },
];

/** How long the answer to a line takes, in days. */
const PAUSE = 0.08;

type Deal = { readonly swap: PlannedSwap } | { readonly bid: PlannedBid };

/** People write to each other about their deals, and most of it is read. */
export function talkingActs(cast: Cast, plan: DemoPlan): Act[] {
  return TALKS.flatMap((talk) => {
    const swap = plan.swaps.find(
      ({ requester, wants }) =>
        requester.username === talk.by &&
        wants.owner.username === talk.to &&
        wants.offer.title === talk.about,
    );
    const bid = plan.bids.find(
      ({ bidder, coupon }) =>
        bidder.username === talk.by && coupon.owner.username === talk.to && coupon.offer.title === talk.about,
    );
    if (swap) return actsOf(cast, talk, { swap });
    if (bid) return actsOf(cast, talk, { bid });
    // Where nobody sells there is less to talk about.
    if (plan.bids.length > 0)
      throw new Error(`Nobody has asked for “${talk.about}” as the demo's talk has it`);
    return [];
  });
}

function actsOf(cast: Cast, talk: DemoTalk, deal: Deal): Act[] {
  const sides =
    'swap' in deal
      ? { by: deal.swap.requester, to: deal.swap.wants.owner, since: deal.swap.proposed }
      : { by: deal.bid.bidder, to: deal.bid.coupon.owner, since: deal.bid.placed };
  const begin = sides.since * (0.7 + 0.2 * draw(`talk of ${talk.by} and ${talk.to}`));
  const callsOf = (stage: Parameters<Act['perform']>[0], side: 'by' | 'to') =>
    stage.callsOf(made(cast.people, sides[side])).messages;
  const when = (turn: number) => Math.max(begin - turn * PAUSE, begin / (turn + 2));

  const lines = talk.lines.map(
    ([side, content], turn): Act => ({
      daysAgo: when(turn),
      perform: (stage) =>
        'swap' in deal
          ? callsOf(stage, side).sendToExchange({ id: made(cast.exchanges, deal.swap), content })
          : callsOf(stage, side).sendToBid({ id: made(cast.bids, deal.bid), content }),
    }),
  );
  if (talk.isRead === false) return lines;
  const readings = (['by', 'to'] as const).map(
    (side): Act => ({
      daysAgo: when(lines.length),
      perform: (stage) =>
        'swap' in deal
          ? callsOf(stage, side).readExchange({ id: made(cast.exchanges, deal.swap) })
          : callsOf(stage, side).readBid({ id: made(cast.bids, deal.bid) }),
    }),
  );
  return [...lines, ...readings];
}
