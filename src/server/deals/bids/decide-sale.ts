import { AppError } from '#server/core/errors.ts';
import type { DealKey } from '#server/coupons/core/reservations-store.ts';
import { type Decision, stateText } from '#server/deals/lifecycle/service.ts';
import { type BidChange, type Named, namesOf } from './decide.ts';
import type { PayableBid } from './payable-store.ts';
import { type Holding, type ReturnObstacle, returnObstacle } from './rules.ts';

/* What follows once a bid is paid, and when the money goes back. */

/**
 * A bid is paid: the coupon and its code go to the bidder, and all other deals on the coupon end. It stays reserved until the
 * payment is released or refunded.
 * @returns a refusal, deal_changed, unless the bid is accepted
 */
export function decideSale(
  bid: Named & Pick<PayableBid, 'status' | 'couponId' | 'bidderId' | 'ownerId' | 'amount'>,
): Decision<BidChange> {
  const { status, couponId, bidderId, ownerId, amount } = bid;
  if (status !== 'accepted') return new AppError('deal_changed', stateText('bid', status));
  const moves = [{ couponId, fromUserId: ownerId, toUserId: bidderId }];
  return [
    { kind: 'move', from: 'accepted', to: 'completed', reason: null },
    { kind: 'addSoldPrice' },
    { kind: 'transfer', moves, isReturn: false },
    { kind: 'queueCodes', moves, paid: [couponId] },
    { kind: 'endRivals', overtaken: null },
    { kind: 'count', by: 1 },
    { kind: 'tell', transitions: ['complete'], facts: { ...namesOf(bid), amount } },
  ];
}

/** What was bought: by a sale, or by the price of a leg. */
export type Purchase = Pick<PayableBid, 'id' | 'couponId' | 'exchangeId' | 'bidderId' | 'ownerId'>;

/** The deal that holds what was bought: of a price, the exchange. */
export function holderOf({ id, exchangeId }: Pick<Purchase, 'id' | 'exchangeId'>): DealKey {
  return exchangeId === null ? { bidId: id } : { exchangeId };
}

/** What keeps a coupon from going back for its money, and whether it is to be reserved until it does. */
export function decideHold(holding: Holding & { readonly isHeld: boolean }): {
  readonly obstacle: ReturnObstacle | null;
  readonly isToReserve: boolean;
} {
  const obstacle = returnObstacle(holding);
  return { obstacle, isToReserve: obstacle === null && !holding.isHeld };
}

/**
 * The buyer has all of the money back: the coupon returns, unlisted and free, unless they had passed it on before. Moderators
 * still decide a claim about what was bought in an exchange.
 */
export function decideReturn(
  { couponId, exchangeId, bidderId, ownerId }: Purchase,
  holding: Pick<Holding, 'isBuyers'> & {
    readonly otherDeal: DealKey | null;
    readonly hasSellerLeft: boolean;
  },
): BidChange[] {
  const isSale = exchangeId === null;
  const endClaim: BidChange[] = isSale ? [{ kind: 'endClaim' }] : [];
  if (!holding.isBuyers) return endClaim;
  const moves = [{ couponId, fromUserId: bidderId, toUserId: ownerId }];
  return [
    ...endClaim,
    { kind: 'endRivals', overtaken: holding.otherDeal },
    { kind: 'transfer', moves, isReturn: true },
    { kind: 'delist' },
    { kind: 'free' },
    // What the buyer has seen is worth nothing to a seller who is still there.
    holding.hasSellerLeft ? { kind: 'remove' } : { kind: 'queueCodes', moves, paid: [] },
    ...(isSale ? ([{ kind: 'removeSoldPrice' }, { kind: 'count', by: -1 }] as const) : []),
  ];
}
