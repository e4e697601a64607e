import type { DealRef } from '#contract/deals.ts';
import { type Act, type Cast, made } from './cast.ts';
import { type DemoTalk, TALKS } from './content.ts';
import { draw } from './draw.ts';
import type { DemoPlan, PlannedBid, PlannedSwap } from './plan.ts';

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

function refOf(cast: Cast, deal: Deal): DealRef {
  return 'swap' in deal
    ? { dealType: 'exchange', dealId: made(cast.exchanges, deal.swap) }
    : { dealType: 'bid', dealId: made(cast.bids, deal.bid) };
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
      perform: (stage) => callsOf(stage, side).send({ ...refOf(cast, deal), content }),
    }),
  );
  if (!talk.isRead) return lines;
  const readings = (['by', 'to'] as const).map(
    (side): Act => ({
      daysAgo: when(lines.length),
      perform: (stage) => callsOf(stage, side).markRead(refOf(cast, deal)),
    }),
  );
  return [...lines, ...readings];
}
