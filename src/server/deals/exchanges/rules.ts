import { t } from '@lingui/core/macro';
import { decimalToCents } from '#contract/base/money.ts';
import type { DealStatus, ExchangeKind, ExchangeSide } from '#contract/deals/deals.ts';
import type { SetExchangeStatusInput } from '#contract/deals/exchanges.ts';
import type { LogAction, NotificationType } from '#contract/people/notifications.ts';
import type { WebhookEvent } from '#contract/people/webhooks.ts';
import type { RING_TEXTS, SWAP_TEXTS } from '#server/texts/exchanges.ts';

interface People {
  readonly requesterId: number;
  readonly parties: readonly { readonly id: number }[];
}

/** The author is the requester; everybody else in an exchange has the role of the owner. Null for strangers. */
export function sideOf({ requesterId, parties }: People, userId: number): ExchangeSide | null {
  if (!parties.some(({ id }) => id === userId)) return null;
  return userId === requesterId ? 'requester' : 'owner';
}

/** The legs of an exchange, as far as rules ask. */
interface Legs {
  readonly legs: readonly {
    readonly coupon: { readonly id: number };
    readonly giverId: number;
    readonly price: { readonly amount: string } | null;
  }[];
}

/** The coupons of all legs. */
export function couponIdsOf({ legs }: Legs): number[] {
  return legs.map(({ coupon }) => coupon.id);
}

/** What a leg of an exchange costs, for those that have a price. */
export function pricesOf({ legs }: Legs): { couponId: number; amount: string }[] {
  return legs.flatMap(({ coupon, price }) => (price ? [{ couponId: coupon.id, amount: price.amount }] : []));
}

/** What a caller has seen of the legs, as far as they say. */
export type SeenLegs = Pick<SetExchangeStatusInput, 'offeredCouponId' | 'couponIds' | 'prices' | 'deposit'>;

/** Whether the caller has seen these legs. */
export function isSeen(
  exchange: Legs & { readonly requesterId: number; readonly deposit: string | null },
  { offeredCouponId, couponIds, prices, deposit }: SeenLegs,
): boolean {
  if (deposit !== undefined && !isSameDeposit(deposit, exchange.deposit)) return false;
  const keysOf = (of: readonly { couponId: number; amount: string }[]) =>
    of.map(({ couponId, amount }) => `${couponId} ${amount}`);
  if (prices !== undefined && !isSameSet(keysOf(prices), keysOf(pricesOf(exchange)))) return false;
  const offered = exchange.legs.find(({ giverId }) => giverId === exchange.requesterId);
  if (offeredCouponId !== undefined && offeredCouponId !== offered?.coupon.id) return false;
  return couponIds === undefined || isSameSet(couponIds, couponIdsOf(exchange));
}

/** Whether two deposits, in decimals, are the same. */
export function isSameDeposit(one: string | null, other: string | null): boolean {
  if (one === null || other === null) return one === other;
  return decimalToCents(one) === decimalToCents(other);
}

/** Whether both lists have the same items, each once. */
export function isSameSet<Item>(one: readonly Item[], other: readonly Item[]): boolean {
  return one.length === other.length && other.every((id) => one.includes(id));
}

/** The refusal for a caller on the wrong side of the deal. */
export function forbiddenText(to: DealStatus, kind: ExchangeKind): string {
  if (kind === 'ring') {
    return to === 'cancelled'
      ? t`Only the person who proposed this ring can withdraw it while it is pending. You can decline it.`
      : t`You proposed this ring and agreed to it. You can withdraw it.`;
  }
  if (to === 'cancelled') {
    return t`Only the person who asked for this exchange can cancel it while it is pending. You can reject it.`;
  }
  return to === 'accepted'
    ? t`Only the owner of the requested coupon can accept this exchange.`
    : t`Only the owner of the requested coupon can reject this exchange.`;
}

/** What can happen to an exchange. */
export type ExchangeTransition = keyof typeof SWAP_TEXTS | keyof typeof RING_TEXTS;

/** How each transition is recorded, which kind of notification tells of it, and what programs are told. */
export const TRANSITIONS: Record<
  ExchangeTransition,
  {
    readonly action: LogAction;
    readonly type: NotificationType;
    readonly event: WebhookEvent;
    /** The state that it leads to. */
    readonly status: DealStatus;
  }
> = {
  propose: { action: 'created', type: 'exchange_request', event: 'exchange.proposed', status: 'pending' },
  counter: { action: 'created', type: 'exchange_request', event: 'exchange.countered', status: 'pending' },
  revise: { action: 'updated', type: 'exchange_request', event: 'exchange.changed', status: 'pending' },
  consent: { action: 'updated', type: 'other', event: 'exchange.changed', status: 'pending' },
  accept: { action: 'accepted', type: 'exchange_accepted', event: 'exchange.accepted', status: 'accepted' },
  reject: { action: 'rejected', type: 'exchange_rejected', event: 'exchange.rejected', status: 'rejected' },
  withdraw: { action: 'cancelled', type: 'other', event: 'exchange.cancelled', status: 'cancelled' },
  cancel: { action: 'cancelled', type: 'other', event: 'exchange.cancelled', status: 'cancelled' },
  complete: {
    action: 'completed',
    type: 'exchange_completed',
    event: 'exchange.completed',
    status: 'completed',
  },
  marketDay: {
    action: 'completed',
    type: 'exchange_completed',
    event: 'exchange.completed',
    status: 'completed',
  },
  settle: {
    action: 'completed',
    type: 'exchange_completed',
    event: 'exchange.completed',
    status: 'completed',
  },
};

/** The transition between two states. */
export function transitionOf(from: DealStatus, to: DealStatus) {
  if (to === 'accepted') return 'accept';
  if (to === 'rejected') return 'reject';
  if (to === 'completed') return 'complete';
  return from === 'pending' ? 'withdraw' : 'cancel';
}

interface Give {
  readonly couponId: number;
  readonly giverId: number;
  readonly receiverId: number;
}

/** Whether each of these people gives one coupon to the next, all in one circle. */
export function isRing(legs: readonly Give[]): boolean {
  const [first] = legs;
  let at = first;
  for (let step = 1; at !== undefined && step < legs.length; step += 1) {
    const giverId: number = at.receiverId;
    at = legs.find((leg) => leg.giverId === giverId);
    if (at === first) return false;
  }
  const isOnce = (ids: readonly number[]) => new Set(ids).size === ids.length;
  return (
    at !== undefined &&
    at.receiverId === first?.giverId &&
    isOnce(legs.map(({ giverId }) => giverId)) &&
    isOnce(legs.map(({ couponId }) => couponId))
  );
}
