import type { Context } from '#server/context/context.ts';
import { queueReissues } from '#server/coupons/codes/service.ts';
import {
  delistCoupon,
  releaseReservation,
  reserveCoupons,
  transferCoupons,
} from '#server/coupons/core/service.ts';
import { removeCouponsOf } from '#server/coupons/publishing/service.ts';
import type { Trx } from '#server/database/client.ts';
import { acceptedDeal, countCompleted, endClaim, endDeals } from '#server/deals/lifecycle/service.ts';
import { notifyParties } from '#server/people/notifications/service.ts';
import { BID_TEXTS, COUNTER_BID_TEXTS } from '#server/texts/bids.ts';
import { OUR_NOTES } from '#server/texts/claim-notes.ts';
import type { StoredText } from '#server/texts/stored.ts';
import type { BidChange } from './decide.ts';
import { holderOf, type Purchase } from './decide-sale.ts';
import { TRANSITIONS } from './rules.ts';
import { deleteSoldPrice, insertSoldPrice } from './sold-prices-store.ts';
import * as store from './store.ts';

/** What the changes of bids need. */
export type ApplyContext = Pick<Context, 'config' | 'vault' | 'clock' | 'providers'>;

/** The bid that changes, and whose act it is; null: no person's. */
interface Subject {
  readonly bid: Purchase;
  readonly actorId: number | null;
  readonly at: Date;
}

/**
 * Writes what was decided about a bid, in order. Lock its coupon and the bid first.
 * @throws AppError coupon_reserved, deal_changed: what the database alone knows
 */
export async function applyChanges(
  trx: Trx,
  ctx: ApplyContext,
  subject: Subject,
  changes: readonly BidChange[],
): Promise<void> {
  for (const change of changes) await applyChange(trx, ctx, subject, change);
}

async function applyChange(trx: Trx, ctx: ApplyContext, subject: Subject, change: BidChange): Promise<void> {
  const { bid, at } = subject;
  const { id, couponId, bidderId, ownerId } = bid;
  const deal = { bidId: id };
  const couponIds = [couponId];
  switch (change.kind) {
    case 'reserve':
      return reserveCoupons(trx, { deal: holderOf(bid), couponIds, at });
    case 'free':
      return releaseReservation(trx, holderOf(bid), couponId);
    case 'setTerms':
      return store.setTerms(trx, id, change.terms);
    case 'move':
      return store.moveBid(trx, id, { ...change, at });
    case 'setRound': {
      const { kind: _, ...round } = change;
      return store.setRound(trx, id, { ...round, updatedAt: at });
    }
    case 'rejectRivals':
      return end(trx, { reason: 'rival_accepted', deals: [], couponIds, actorId: ownerId, at });
    case 'endRivals': {
      const deals = change.overtaken === null ? [] : [acceptedDeal(change.overtaken)];
      return end(trx, { reason: 'rival_completed', deals, couponIds, actorId: null, at });
    }
    case 'transfer':
      return transferCoupons(trx, { deal, moves: change.moves, isReturn: change.isReturn, at });
    case 'queueCodes':
      return queueReissues(trx, ctx, { deal, moves: change.moves, paid: change.paid, at });
    case 'delist':
      return delistCoupon(trx, couponId, at);
    case 'remove':
      return removeCouponsOf(trx, { ownerId, couponIds, at });
    case 'count':
      return countCompleted(trx, 'bid', [bidderId, ownerId], change.by);
    case 'addSoldPrice':
      return insertSoldPrice(trx, id, at);
    case 'removeSoldPrice':
      return deleteSoldPrice(trx, id);
    case 'endClaim': {
      // Without a decision: the money is back.
      const ended = { status: 'refunded', note: OUR_NOTES.overtaken, decidedBy: null } as const;
      await endClaim(trx, { ...ended, claim: deal, at });
      return;
    }
    case 'tell':
    case 'tellCounter':
      return tell(trx, subject, change);
  }
}

async function end(trx: Trx, ending: Parameters<typeof endDeals>[1]): Promise<void> {
  await endDeals(trx, ending);
}

type Told = Extract<BidChange, { kind: 'tell' | 'tellCounter' }>;

/**
 * Writes transitions of a bid into both histories, and notifies the party who did not act of the last one. Notifications of a
 * completed sale come from its payment.
 */
async function tell(trx: Trx, { bid, actorId, at }: Subject, change: Told): Promise<void> {
  const told =
    change.kind === 'tellCounter'
      ? [{ transition: 'counter', texts: textsOf(COUNTER_BID_TEXTS[change.by], change.facts) } as const]
      : change.transitions.map((transition) => ({
          transition,
          texts: textsOf(BID_TEXTS[transition], change.facts),
        }));
  const news = told.map(({ transition, texts }, index) => {
    const { action, event, status, isQuiet = false, isAutomatic = false } = TRANSITIONS[transition];
    const quiet = (isQuiet || index < told.length - 1) && { notice: null };
    return {
      deal: { dealType: 'bid', dealId: bid.id } as const,
      parties: [
        { userId: bid.bidderId, text: texts.bidder, ...quiet },
        { userId: bid.ownerId, text: texts.owner, ...quiet },
      ],
      actorId: isAutomatic ? null : actorId,
      ...{ action, event, data: { couponIds: [bid.couponId], status }, mailSubject: texts.subject, at },
    };
  });
  await notifyParties(trx, news);
}

/** What both parties read. */
function textsOf<Facts>(
  texts: {
    readonly subject: () => StoredText;
    readonly bidder: (facts: Facts) => StoredText;
    readonly owner: (facts: Facts) => StoredText;
  },
  facts: Facts,
) {
  return { subject: texts.subject(), bidder: texts.bidder(facts), owner: texts.owner(facts) };
}
