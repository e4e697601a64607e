import { plural, t } from '@lingui/core/macro';
import { listed, utcDayAndTime } from '#contract/base/locale.ts';
import { baseCurrency, decimalToCents, formatMoney } from '#contract/base/money.ts';
import {
  type DealReason,
  type DealStatus,
  EXCHANGE_TRANSITIONS,
  type ExchangeKind,
  type ExchangeSide,
} from '#contract/deals/deals.ts';
import { AppError, fieldError } from '#server/core/errors.ts';
import type { Minted, Reissue } from '#server/coupons/codes/reissuing.ts';
import type { CouponMove } from '#server/coupons/core/reservations-store.ts';
import {
  type Decision,
  expiredOf,
  giveObstacle,
  judgeMove,
  saleObstacle,
  stateText,
} from '#server/deals/lifecycle/service.ts';
import { depositRefusal } from './decide-deposits.ts';
import {
  couponIdsOf,
  type ExchangeTransition,
  forbiddenText,
  isSameSet,
  isSeen,
  pricesOf,
  type SeenLegs,
  transitionOf,
} from './rules.ts';
import type { ExchangeRow, TradedCoupon } from './store.ts';

type Leg = ExchangeRow['legs'][number];

/** An exchange and its coupons, as they are while both are locked. */
export interface ExchangeNow {
  readonly exchange: Pick<ExchangeRow, 'kind' | 'status' | 'requesterId' | 'deadlineAt' | 'deposit'> & {
    readonly parties: readonly Pick<
      ExchangeRow['parties'][number],
      'id' | 'username' | 'consentedAt' | 'depositAt'
    >[];
    readonly legs: readonly (Pick<Leg, 'giverId' | 'receiverId' | 'receiverUsername'> & {
      readonly coupon: { readonly id: number };
      readonly price: Pick<NonNullable<Leg['price']>, 'amount' | 'paidAt'> | null;
    })[];
  };
  readonly coupons: readonly TradedCoupon[];
  readonly at: Date;
}

/** A party asks to move the exchange. */
interface Asked {
  readonly kind: 'asked';
  readonly actorId: number;
  readonly side: ExchangeSide;
  readonly to: Exclude<DealStatus, 'pending'>;
  /** The only state to move it from; by default any that allows the move. */
  readonly from?: DealStatus | undefined;
  readonly seen: SeenLegs;
  /** What other rooms say: too many open deals; other fees than shown; a code that has changed, or is being replaced. */
  readonly refusals: Readonly<Record<'deals' | 'fees' | 'codes', AppError | null>>;
  /** The coupons whose codes are replaced before they move. */
  readonly mintable: readonly number[];
}

/** What happens to an exchange: somebody asks, its new codes were asked for, a price was paid, or a market day makes it. */
export type ExchangeHappening =
  | Asked
  | { readonly kind: 'minted'; readonly codes: readonly Reissue[] }
  | { readonly kind: 'paid' | 'marketDay' };

/** What is written, in this order. */
export type ExchangeChange =
  | { readonly kind: 'consent'; readonly userId: number; readonly isLast: boolean }
  | { readonly kind: 'reserve'; readonly couponIds: readonly number[] }
  | { readonly kind: 'addPriceBids' | 'completePriceBids' | 'free' }
  | {
      readonly kind: 'move';
      readonly from: DealStatus;
      readonly to: 'rejected' | 'cancelled' | 'completed';
      readonly reason: DealReason | null;
      readonly endedById: number | null;
    }
  | { readonly kind: 'transfer'; readonly moves: readonly CouponMove[] }
  /** @param paid the coupons of these that their receivers have paid for */
  | { readonly kind: 'queueCodes'; readonly moves: readonly CouponMove[]; readonly paid: readonly number[] }
  | { readonly kind: 'endRivals'; readonly couponIds: readonly number[] }
  | { readonly kind: 'count'; readonly userIds: readonly number[] }
  | {
      readonly kind: 'mint';
      readonly actorId: number;
      readonly legs: readonly { readonly couponId: number; readonly receiverId: number }[];
    }
  | { readonly kind: 'replaceCodes' | 'endMinted'; readonly codes: readonly Reissue[] }
  | { readonly kind: 'expire'; readonly couponIds: readonly number[] }
  | { readonly kind: 'tell'; readonly transition: ExchangeTransition };

/**
 * What follows for an exchange from what happens to it.
 * @returns a refusal: forbidden, deal_changed, bad_input, conflict, coupon_unavailable, or that of another room
 */
export function decide(now: ExchangeNow, happening: ExchangeHappening): Decision<ExchangeChange> {
  switch (happening.kind) {
    case 'asked':
      return decideAsked(now, happening);
    case 'minted':
      return decideMinted(now, happening);
    case 'paid':
      return decidePaid(now);
    case 'marketDay':
      return decideMarketDay(now);
  }
}

function decideAsked(now: ExchangeNow, asked: Asked): Decision<ExchangeChange> {
  const { exchange, coupons } = now;
  const { to, from, side, actorId, refusals } = asked;
  const { status, kind } = exchange;
  const verdict = judgeMove(EXCHANGE_TRANSITIONS, { from: status, to, side });
  if (verdict === 'forbidden') return new AppError('forbidden', forbiddenText(to, kind));
  if (verdict === 'stale' || (from && from !== status))
    return new AppError('deal_changed', stateText('exchange', status));
  const lockedIds = coupons.map(({ id }) => id);
  if (!isSameSet(lockedIds, couponIdsOf(exchange)) || !isSeen(exchange, asked.seen)) return offerChanged();
  if (to === 'accepted') return decideConsent(now, asked);
  if (to === 'completed') return decideCompletion(now, asked);
  if (refusals.codes) return refusals.codes;
  return [
    { kind: 'move', from: status, to, reason: reasonOf(kind, side), endedById: actorId },
    ...(status === 'accepted' ? [{ kind: 'free' } as const] : []),
    { kind: 'tell', transition: transitionOf(status, to) },
  ];
}

/** The last consent reserves all coupons; rival deals stay pending, but cannot be accepted. */
function decideConsent(now: ExchangeNow, { actorId, seen, refusals }: Asked): Decision<ExchangeChange> {
  const { exchange } = now;
  const isPriced = pricesOf(exchange).length > 0;
  if (isPriced && seen.prices === undefined)
    return fieldError('bad_input', 'prices', t`Enter the prices that you agree to`);
  if (exchange.deposit !== null && seen.deposit === undefined)
    return fieldError('bad_input', 'deposit', t`Enter the deposit that you agree to`);
  const obstacle = obstacleOf(now) ?? saleRefusal(now);
  if (obstacle) return obstacle;
  if (refusals.deals) return refusals.deals;
  const waiting = exchange.parties.filter(({ consentedAt }) => consentedAt === null);
  if (!waiting.some(({ id }) => id === actorId))
    return new AppError('deal_changed', t`You have already agreed to this exchange.`);
  const isLast = waiting.length === 1;
  if (isPriced && refusals.fees) return refusals.fees;
  const consent = { kind: 'consent', userId: actorId, isLast } as const;
  if (!isLast) return [consent, { kind: 'tell', transition: 'consent' }];
  return [
    consent,
    { kind: 'reserve', couponIds: couponIdsOf(exchange) },
    ...(isPriced ? [{ kind: 'addPriceBids' } as const] : []),
    { kind: 'tell', transition: 'accept' },
  ];
}

function decideCompletion(now: ExchangeNow, asked: Asked): Decision<ExchangeChange> {
  const { actorId, mintable, refusals } = asked;
  const unpaid = unpaidRefusal(now.exchange) ?? depositRefusal(now.exchange, now.at);
  if (unpaid) return unpaid;
  if (refusals.codes) return refusals.codes;
  // Before any code is retired for nothing.
  const obstacle = obstacleOf(now);
  if (obstacle) return obstacle;
  const legs = now.exchange.legs
    .filter(({ coupon }) => mintable.includes(coupon.id))
    .map(({ coupon, receiverId }) => ({ couponId: coupon.id, receiverId }));
  if (legs.length > 0) return [{ kind: 'mint', actorId, legs }];
  return [...completion(now.exchange), { kind: 'tell', transition: 'complete' }];
}

function decideMinted(now: ExchangeNow, { codes }: { codes: readonly Reissue[] }): Decision<ExchangeChange> {
  const { status } = now.exchange;
  if (status !== 'accepted') return new AppError('deal_changed', stateText('exchange', status));
  if (codes.some(({ state }) => state !== 'minted'))
    return new AppError('deal_changed', t`A code has just changed. Please try again.`);
  return (
    depositRefusal(now.exchange, now.at) ??
    obstacleOf(now) ?? [
      { kind: 'replaceCodes', codes },
      ...completion(now.exchange),
      { kind: 'endMinted', codes },
      { kind: 'tell', transition: 'complete' },
    ]
  );
}

/**
 * What follows for an exchange from what a programme says about a new code: it goes on, waits for whoever else goes on with
 * it, or turns back, because the programme has refused one or was not reached.
 * @param isAcknowledged whether it goes on with the old code of a coupon whose programme refuses a new one
 */
export function judgeMint(
  answer: Minted,
  isAcknowledged: boolean,
): 'go on' | 'wait' | 'refused' | 'unreached' {
  if (answer === 'minted' || (answer === 'refused' && isAcknowledged)) return 'go on';
  return answer ?? 'wait';
}

/** In whose name an exchange is completed with new codes that a crash has left; null: its old codes are restored. */
export function completerOf(
  status: DealStatus | undefined,
  codes: readonly Pick<Reissue, 'state' | 'actorId'>[],
): number | null {
  const isForward = status === 'accepted' && codes.every(({ state }) => state !== 'restoring');
  return isForward ? (codes[0]?.actorId ?? null) : null;
}

/** The last price completes it. The money of all is there then, so nothing may hold this up: the new codes follow. */
function decidePaid(now: ExchangeNow): Decision<ExchangeChange> {
  const { exchange, coupons, at } = now;
  const isPaid = exchange.legs.every(({ price }) => price === null || price.paidAt !== null);
  if (!isPaid || exchange.status !== 'accepted') return [];
  const expired = expiredOf(coupons, at);
  if (expired.length > 0) return [{ kind: 'expire', couponIds: expired }];
  // A ban has just hidden one, and will end the exchange.
  if (coupons.some(({ isActive }) => !isActive)) return [];
  return (
    obstacleOf(now) ?? [
      { kind: 'completePriceBids' },
      ...completion(exchange),
      {
        ...{ kind: 'queueCodes', moves: movesOf(exchange) },
        paid: pricesOf(exchange).map(({ couponId }) => couponId),
      },
      { kind: 'tell', transition: 'settle' },
    ]
  );
}

/** All coupons of it change hands at once; new codes follow, where merchants make them. */
function decideMarketDay(now: ExchangeNow): Decision<ExchangeChange> {
  const { exchange } = now;
  return (
    obstacleOf(now) ?? [
      { kind: 'reserve', couponIds: couponIdsOf(exchange) },
      ...completion(exchange),
      { kind: 'queueCodes', moves: movesOf(exchange), paid: [] },
      { kind: 'tell', transition: 'marketDay' },
    ]
  );
}

/** All coupons move to their receivers, and all other deals on them end. */
function completion(exchange: ExchangeNow['exchange']): ExchangeChange[] {
  return [
    { kind: 'move', from: 'accepted', to: 'completed', reason: null, endedById: null },
    { kind: 'transfer', moves: movesOf(exchange) },
    { kind: 'free' },
    { kind: 'endRivals', couponIds: couponIdsOf(exchange) },
    { kind: 'count', userIds: exchange.parties.map(({ id }) => id) },
  ];
}

function movesOf({ legs }: ExchangeNow['exchange']): CouponMove[] {
  return legs.map(({ coupon, giverId, receiverId }) => ({
    couponId: coupon.id,
    fromUserId: giverId,
    toUserId: receiverId,
  }));
}

/** The refusal if one of the coupons can no longer change hands. */
function obstacleOf({ exchange, coupons, at }: ExchangeNow): AppError | null {
  for (const coupon of coupons) {
    const leg = exchange.legs.find((one) => one.coupon.id === coupon.id);
    const obstacle = leg ? giveObstacle(coupon, leg.giverId, at) : null;
    if (obstacle !== null) return new AppError('coupon_unavailable', obstacle);
  }
  return null;
}

/** The refusal if a price would be paid to somebody who cannot sell for now. */
function saleRefusal({ exchange, coupons }: ExchangeNow): AppError | null {
  const priced = pricesOf(exchange).map(({ couponId }) => couponId);
  for (const coupon of coupons) {
    const obstacle = priced.includes(coupon.id) ? saleObstacle(coupon) : null;
    if (obstacle !== null) return new AppError('coupon_unavailable', obstacle);
  }
  return null;
}

/** An exchange with prices is completed by its last payment: who has to pay, and until when. */
function unpaidRefusal({ legs, deadlineAt }: ExchangeNow['exchange']): AppError | null {
  const unpaid = legs.flatMap(({ price, receiverUsername }) =>
    price && price.paidAt === null ? [`${receiverUsername} (${moneyOf(price.amount)})`] : [],
  );
  if (unpaid.length > 0) return new AppError('conflict', unpaidText(unpaid, deadlineAt));
  if (legs.every(({ price }) => price === null)) return null;
  return new AppError(
    'conflict',
    t`A bank disputes a payment. The coupons change hands when it has confirmed it.`,
  );
}

const moneyOf = (amount: string) => formatMoney(decimalToCents(amount), baseCurrency());

/** @param unpaid who has to pay what: 'Theo ($5.00 CAD)' */
function unpaidText(unpaid: readonly string[], deadlineAt: Date | null): string {
  const people = listed(unpaid);
  if (deadlineAt === null)
    return plural(unpaid.length, {
      one: `${people} still has to pay. Then the coupons change hands.`,
      other: `${people} still have to pay. Then the coupons change hands.`,
    });
  const [day, time] = utcDayAndTime(deadlineAt.toISOString());
  return plural(unpaid.length, {
    one: `${people} still has to pay by ${day} at ${time} UTC. Then the coupons change hands.`,
    other: `${people} still have to pay by ${day} at ${time} UTC. Then the coupons change hands.`,
  });
}

/** The refusal for somebody who acts on legs that they have not seen. */
export function offerChanged(): AppError {
  return new AppError('deal_changed', t`The offer has just changed. Please check it again.`);
}

/** The reason that is stored when a person ends an exchange. */
function reasonOf(kind: ExchangeKind, side: ExchangeSide): DealReason {
  if (side === 'requester') return 'by_requester';
  return kind === 'ring' ? 'by_party' : 'by_owner';
}
