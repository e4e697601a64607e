import type { Page } from '#contract/base/primitives.ts';
import type { Bid } from '#contract/deals/bids.ts';
import type { Deal, DealStage, DealsForCoupon, ListDealsInput, NextAct } from '#contract/deals/deal-list.ts';
import type { Exchange } from '#contract/deals/exchanges.ts';
import type { MemberContext } from '#server/context/context.ts';
import { bidsByIds, type PlainBid } from '#server/deals/bids/service.ts';
import { exchangesByIds } from '#server/deals/exchanges/service.ts';
import { readyAccounts } from '#server/people/sellers/service.ts';
import * as forCouponStore from './for-coupon-store.ts';
import * as store from './store.ts';

/** Adds to bids what a higher floor knows of them. */
type Complete = (ctx: MemberContext, bids: readonly PlainBid[]) => Promise<Bid[]>;

/**
 * The caller's bids and exchanges in one list: what waits for them, then what waits for others, each by its deadline, then
 * what has ended, the newest first, with what was bought and waits for the caller's word on its code. Of a negotiation only its
 * last round.
 * @throws AppError bad_input on `page` beyond the counted rows
 */
export async function listDeals(
  ctx: MemberContext,
  { only, ...paging }: ListDealsInput,
  complete: Complete,
): Promise<Page<Deal>> {
  const { rows, ...page } = await store.listDeals(ctx.db, { userId: ctx.actor.id, only }, paging);
  const idsOf = (type: store.DealPlace['dealType']) =>
    rows.filter(({ dealType }) => dealType === type).map(({ dealId }) => dealId);
  const [plain, exchanges] = await Promise.all([
    bidsByIds(ctx, idsOf('bid')),
    exchangesByIds(ctx, idsOf('exchange')),
  ]);
  const bids = await complete(ctx, plain);
  const items = rows.flatMap((place): Deal[] => {
    const { dealType, dealId } = place;
    if (dealType === 'bid') {
      const bid = bids.find(({ id }) => id === dealId);
      if (!bid) return [];
      const part = bid.bidderId === ctx.actor.id ? 'buyer' : 'seller';
      return [{ dealType, bid, ...(toTry(bid, part) ?? toPlace(place, bid, part)) }];
    }
    const exchange = exchanges.find(({ id }) => id === dealId);
    return exchange
      ? [{ dealType, exchange, ...toPlace(place, exchange, payerOf(exchange, ctx.actor.id)) }]
      : [];
  });
  return { items, ...page };
}

/** The caller's open bid and exchange that would bring them a coupon, and how its owner can be paid; nothing of a coupon that is gone. */
export async function dealsForCoupon(
  ctx: MemberContext,
  couponId: number,
  complete: Complete,
): Promise<DealsForCoupon> {
  const found = await forCouponStore.findForCoupon(ctx.db, { couponId, userId: ctx.actor.id });
  if (!found) return { bid: null, exchange: null, payBy: [] };
  const { bidId, exchangeId, ownerId } = found;
  const [bids, exchanges, accounts] = await Promise.all([
    bidsByIds(ctx, bidId === null ? [] : [bidId]).then((plain) => complete(ctx, plain)),
    exchangesByIds(ctx, exchangeId === null ? [] : [exchangeId]),
    readyAccounts(ctx.db, ownerId),
  ]);
  return { bid: bids[0] ?? null, exchange: exchanges[0] ?? null, payBy: [...accounts.keys()] };
}

/** How many deals wait for the caller. */
export async function countDeals(ctx: MemberContext): Promise<{ yours: number }> {
  return { yours: await store.countYours(ctx.db, ctx.actor.id) };
}

type Known = Pick<Bid, 'status' | 'deadlineAt'>;

/** Whether money is the caller's turn: as who pays, is paid, or puts up a deposit; null: nothing is to be paid. */
type Part = 'buyer' | 'seller' | 'depositor' | null;

/** The caller's part in the prices of an exchange that can be paid, or that they cannot be paid yet. */
function payerOf({ legs, deposit, parties }: Exchange, userId: number): Part {
  if (deposit !== null && parties.some(({ id, depositAt }) => id === userId && depositAt === null))
    return 'depositor';
  const unpaid = legs.filter(({ price }) => price?.paidAt === null);
  if (unpaid.some(({ price, receiverId }) => price?.isGiverReady && receiverId === userId)) return 'buyer';
  return unpaid.length > 0 ? 'seller' : null;
}

/** The place of what the caller has bought and can still have the money back for; null for other deals. */
function toTry({ protection }: Bid, part: Part) {
  if (part !== 'buyer' || protection?.status !== 'held') return null;
  const { holdUntil, isDisputed, claim } = protection;
  if (holdUntil === null || isDisputed || claim !== null) return null;
  return { stage: 'yours', nextAct: 'try_code', deadlineAt: holdUntil, hasOpenClaim: false } as const;
}

function toPlace(place: store.DealPlace, deal: Known, part: Part) {
  const { hasOpenClaim, answerBy } = place;
  const stage = stageOf(place);
  return {
    stage,
    nextAct: stage === 'yours' ? nextActOf(place, deal, part) : null,
    deadlineAt: hasOpenClaim ? (answerBy?.toISOString() ?? null) : deal.deadlineAt,
    hasOpenClaim,
  };
}

function stageOf({ stage }: store.DealPlace): DealStage {
  if (stage === store.YOURS) return 'yours';
  return stage === store.OTHERS ? 'others' : 'ended';
}

function nextActOf({ hasOpenClaim }: store.DealPlace, { status }: Known, part: Part): NextAct | null {
  if (hasOpenClaim) return 'answer_claim';
  if (status === 'pending') return 'answer';
  // It may have ended since the list was read.
  if (status !== 'accepted') return null;
  if (part === null) return 'complete';
  if (part === 'depositor') return 'put_up_deposit';
  return part === 'buyer' ? 'pay' : 'set_up_payments';
}

export { sendWeeklyMails } from './weekly-mail.ts';
