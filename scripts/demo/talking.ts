import type { DealRef } from '#contract/deals/deals.ts';
import { type DemoTalk, TALKS } from './content.ts';
import { draw } from './draw.ts';
import type { DemoPlan, PlannedBid, PlannedSwap } from './plan.ts';
import { type DemoState, type DemoStep, lookUp } from './steps.ts';

/** The time between a message and its answer, in days. */
const PAUSE = 0.08;

type Deal = { readonly swap: PlannedSwap } | { readonly bid: PlannedBid };

/** People write to each other about their deals, and read most messages. */
export function talkingSteps(state: DemoState, plan: DemoPlan): DemoStep[] {
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
    if (swap) return stepsOfTalk(state, talk, { swap });
    if (bid) return stepsOfTalk(state, talk, { bid });
    // The messages about sales refer to bids.
    if (plan.bids.length > 0)
      throw new Error(`Nobody has asked for “${talk.about}” as the demo's talk has it`);
    return [];
  });
}

function refOf(state: DemoState, deal: Deal): DealRef {
  return 'swap' in deal
    ? { dealType: 'exchange', dealId: lookUp(state.exchanges, deal.swap) }
    : { dealType: 'bid', dealId: lookUp(state.bids, deal.bid) };
}

function stepsOfTalk(state: DemoState, talk: DemoTalk, deal: Deal): DemoStep[] {
  const sides =
    'swap' in deal
      ? { by: deal.swap.requester, to: deal.swap.wants.owner, since: deal.swap.proposed }
      : { by: deal.bid.bidder, to: deal.bid.coupon.owner, since: deal.bid.placed };
  const begin = sides.since * (0.7 + 0.2 * draw(`talk of ${talk.by} and ${talk.to}`));
  const callsOf = (client: Parameters<DemoStep['run']>[0], side: 'by' | 'to') =>
    client.callsOf(lookUp(state.people, sides[side])).messages;
  const when = (turn: number) => Math.max(begin - turn * PAUSE, begin / (turn + 2));

  const lines = talk.lines.map(
    ([side, content], turn): DemoStep => ({
      daysAgo: when(turn),
      run: (client) => callsOf(client, side).send({ ...refOf(state, deal), content }),
    }),
  );
  if (!talk.isRead) return lines;
  const readings = (['by', 'to'] as const).map(
    (side): DemoStep => ({
      daysAgo: when(lines.length),
      run: (client) => callsOf(client, side).markRead(refOf(state, deal)),
    }),
  );
  return [...lines, ...readings];
}
