import { PAYMENT_PROVIDERS } from '#contract/sellers.ts';
import { addDays, utcDay } from '#server/core/clock.ts';
import type { Caller } from '#server/rest/caller.ts';
import { CARDS } from '#server/testing/payments.ts';
import { CAST } from './cast.ts';
import { choose } from './choices.ts';
import type { Sight } from './sight.ts';
import type { World } from './world.ts';

/** Somebody who is about to act. */
export interface Actor {
  readonly world: World;
  readonly sight: Sight;
  readonly who: number;
  /** The name of the task, which decides all that is left to chance in it. */
  readonly task: string;
  /** A number from 0 to below 1 for one choice. */
  readonly luck: (about: string) => number;
  readonly call: <Answer>(call: (caller: Caller) => Promise<Answer>) => Promise<Answer>;
}

/** @returns what they do; null when there is nothing to do it to */
export type Act = (actor: Actor) => (() => Promise<unknown>) | null;

/** So many that wants make rings, too. */
export const MERCHANTS = ['Bakery Lane', 'Corner Books', 'Petal Shop', 'Lamp House'];
export const REASON = 'The code does not work at the till.';

/** One of those that fit, mostly a recent one; null when there is none. */
export function oneOf<Item>({ luck }: Actor, about: string, items: readonly Item[]): Item | null {
  return items.length === 0 ? null : choose(Math.sqrt(luck(about)), items);
}

const dollars = (luck: number) => (3 + Math.floor(luck * 20)).toFixed(2);

/** Whether somebody tries what belongs to others, as hostile people do now and then. */
const isHostile = ({ who, luck }: Actor) => CAST[who]?.nature === 'hostile' && luck('hostile') < 0.3;

/** Those of a person's deals that fit. A hostile person looks at everybody's. */
const isMine = (actor: Actor, ...parties: readonly number[]) =>
  parties.includes(actor.who) || isHostile(actor);

/** Whoever is none of the parties must be refused. */
const only =
  ({ who }: Actor, parties: readonly number[], act: () => Promise<unknown>) =>
  async () => {
    await act();
    if (!parties.includes(who)) throw new Error(`${CAST[who]?.name} has done what is for others`);
  };

/** Mostly what can be traded: the rest is refused. */
const isFree = ({ luck }: Actor, coupon: Sight['coupons'][number]) =>
  coupon.isListed && (coupon.isFree || luck('taken') < 0.15);

export const ACTS = {
  list: ({ call, luck, task, world }) => {
    const asking = luck('asking') < 0.4 ? dollars(luck('price')) : null;
    return () =>
      call((caller) =>
        caller.coupons.create({
          title: 'A coupon of the simulation',
          description: 'It has a code that nobody may learn before they get it.',
          merchant: choose(luck('merchant'), MERCHANTS),
          category: 'food',
          value: 2_000,
          codeValue: `SIM-${task.replaceAll(/\W/g, '')}-Q7X`,
          ...(luck('expiry') < 0.7
            ? { hasNoExpiry: true, expiryDate: null }
            : { hasNoExpiry: false, expiryDate: utcDay(addDays(world.clock(), 3 * luck('days'))) }),
          askingPrice: asking,
          priceFloor: null,
        }),
      );
  },
  bid: (actor) => {
    const { call, luck, who, sight } = actor;
    const coupon = oneOf(
      actor,
      'coupon',
      sight.coupons.filter((one) => isFree(actor, one) && (one.owner !== who || isHostile(actor))),
    );
    if (!coupon) return null;
    const { id, asking } = coupon;
    return asking !== null && luck('buys') < 0.5
      ? () => call((caller) => caller.bids.buy({ couponId: id, expectedAmount: asking }))
      : () => call((caller) => caller.bids.place({ couponId: id, amount: dollars(luck('amount')) }));
  },
  answerBid: (actor) => {
    const { call, luck, sight } = actor;
    const bid = oneOf(
      actor,
      'bid',
      sight.bids.filter(
        ({ status, round, seller, bidder }) =>
          status === 'pending' && isMine(actor, round % 2 === 1 && luck('withdraws') < 0.9 ? seller : bidder),
      ),
    );
    if (!bid) return null;
    const { id, standing, seller, bidder } = bid;
    const status = choose(luck('answer'), [
      'accepted',
      'accepted',
      'accepted',
      'rejected',
      'cancelled',
    ] as const);
    const counter = () =>
      call((caller) =>
        caller.bids.counter({ id, amount: dollars(luck('amount')), expectedAmount: standing }),
      );
    const answer = async () => {
      const moved = await call((caller) => caller.bids.setStatus({ id, status, expectedAmount: standing }));
      if (status === 'accepted' && moved.amount !== standing)
        throw new Error(`Bid ${id} is accepted at ${moved.amount}, and the person saw ${standing}`);
    };
    return only(actor, [seller, bidder], luck('counters') < 0.25 ? counter : answer);
  },
  pay: (actor) => {
    const { call, luck, who, world } = actor;
    const bid = oneOf(
      actor,
      'bid',
      actor.sight.bids.filter(
        ({ status, bidder, payment }) => status === 'accepted' && bidder === who && payment !== 'held',
      ),
    );
    if (!bid) return null;
    const bidId = bid.id;
    const stops = luck('stops') < 0.2;
    const card =
      luck('card') < 0.8 ? CARDS.good : choose(luck('which card'), [CARDS.declined, CARDS.processing]);
    const possible: readonly string[] = CAST[bid.seller]?.sellsBy ?? [];
    const provider = choose(
      luck('provider'),
      luck('usual') < 0.1 || possible.length === 0 ? PAYMENT_PROVIDERS : possible,
    );
    if (provider === 'paypal')
      return async () => {
        const { orderId } = await call((caller) => caller.payments.createPaypalOrder({ bidId }));
        await world.sandbox.paypal.approveOrder(orderId);
        if (!stops) await call((caller) => caller.payments.capturePaypalOrder({ bidId }));
      };
    return async () => {
      const { clientSecret } = await call((caller) => caller.payments.createIntent({ bidId }));
      await world.sandbox.stripe.confirmWithCard(clientSecret, card);
      if (!stops) await call((caller) => caller.payments.refresh({ bidId }));
    };
  },
  afterSale: (actor) => {
    const { call, luck } = actor;
    const bid = oneOf(
      actor,
      'bid',
      actor.sight.bids.filter(
        ({ payment, bidder }) => ['held', 'completed'].includes(payment ?? '') && isMine(actor, bidder),
      ),
    );
    if (!bid) return null;
    const bidId = bid.id;
    const luckOfAct = luck('act');
    const claim = { bidId, reason: REASON };
    const act = ({ payments }: Caller): Promise<unknown> => {
      if (bid.payment === 'completed')
        return payments.openClaim({ ...claim, shopAnswer: 'It was cancelled.' });
      if (luckOfAct < 0.3) return payments.confirmReceipt({ bidId });
      if (luckOfAct < 0.8 && bid.claim === null) return payments.openClaim(claim);
      return payments.withdrawClaim({ bidId });
    };
    return only(actor, [bid.bidder], () => call(act));
  },
  offer: (actor) => {
    const { call, luck, who, sight } = actor;
    const own = oneOf(
      actor,
      'own',
      sight.coupons.filter((one) => isFree(actor, one) && (one.owner === who || isHostile(actor))),
    );
    const other = oneOf(
      actor,
      'other',
      sight.coupons.filter((one) => one.owner !== who && isFree(actor, one)),
    );
    if (!own || !other) return null;
    const money =
      luck('money') < 0.3 ? { money: { amount: dollars(luck('amount')), payer: 'author' as const } } : {};
    return () =>
      call((caller) =>
        caller.exchanges.propose({
          requestedCouponIds: [other.id],
          offeredCouponIds: [own.id],
          ...money,
        }),
      );
  },
  answerOffer: (actor) => {
    const { call, luck, who } = actor;
    const exchange = oneOf(
      actor,
      'exchange',
      actor.sight.exchanges.filter(
        (one) =>
          (one.status === 'accepted' && isMine(actor, ...one.parties)) ||
          (one.status === 'pending' &&
            isMine(actor, ...(luck('withdraws') < 0.8 ? one.undecided : one.parties))),
      ),
    );
    if (!exchange) return null;
    const usual = exchange.status === 'pending' ? 'accepted' : 'completed';
    const seen = { couponIds: exchange.legs.map(({ coupon }) => coupon), prices: exchange.prices };
    if (exchange.status === 'pending' && !exchange.isRing && luck('counters') < 0.15) {
      const ofSide = (giver: number | undefined) =>
        exchange.legs.filter((leg) => leg.giver === giver).map(({ coupon }) => coupon);
      const [one, other] = exchange.parties;
      const [mine, theirs] = one === who ? [one, other] : [other, one];
      const money = { amount: dollars(luck('amount')), payer: 'author' as const };
      return only(actor, exchange.parties, () =>
        call((caller) =>
          caller.exchanges.counter({
            id: exchange.id,
            offeredCouponIds: ofSide(mine),
            requestedCouponIds: ofSide(theirs),
            ...seen,
            money,
          }),
        ),
      );
    }
    const status =
      luck('usual') < 0.65
        ? usual
        : choose(luck('status'), ['rejected', 'cancelled', 'cancelled', 'accepted', 'completed'] as const);
    return only(actor, exchange.parties, () =>
      call((caller) =>
        caller.exchanges.setStatus({
          id: exchange.id,
          status,
          ...seen,
          acknowledgeUnchecked: true,
        }),
      ),
    );
  },
  afterSwap: (actor) => {
    const { call, luck, who } = actor;
    const exchange = oneOf(
      actor,
      'exchange',
      actor.sight.exchanges.filter((one) => one.status === 'completed' && isMine(actor, ...one.parties)),
    );
    if (!exchange) return null;
    const [claim] = exchange.claims;
    if (claim !== undefined && luck('answers') < 0.6)
      return only(actor, exchange.parties, () =>
        call((caller) => caller.claims.answer({ id: claim, answer: 'It worked for me.' })),
      );
    const { legs } = exchange;
    const got = legs.find(({ receiver }) => receiver === who) ?? legs[0];
    if (!got) return null;
    return only(actor, exchange.parties, () =>
      call((caller) => caller.claims.open({ exchangeId: exchange.id, couponId: got.coupon, reason: REASON })),
    );
  },
  manage: (actor) => {
    const { call, luck, who, sight } = actor;
    const coupon = oneOf(
      actor,
      'coupon',
      sight.coupons.filter(({ owner }) => isMine(actor, owner)),
    );
    if (!coupon) return null;
    const { id } = coupon;
    const luckOfAct = luck('act');
    if (luckOfAct < 0.1)
      return () => call((caller) => caller.coupons.update({ id, askingPrice: dollars(luck('price')) }));
    if (luckOfAct < 0.75) return () => call((caller) => caller.coupons.reveal({ id }));
    if (luckOfAct < 0.85) return () => call((caller) => caller.coupons.remove({ id }));
    return who % 2 === 0
      ? () => call((caller) => caller.coupons.markUsed({ id }))
      : () => call((caller) => caller.coupons.unmarkUsed({ id }));
  },
  /** Reads whatever shows coupons and deals: nobody may learn a code there. */
  read: (actor) => {
    const { call, luck, sight } = actor;
    const coupon = oneOf(actor, 'coupon', sight.coupons);
    const bid = oneOf(actor, 'bid', sight.bids);
    const exchange = oneOf(actor, 'exchange', sight.exchanges);
    const reads: ((caller: Caller) => Promise<unknown>)[] = [
      (caller) => caller.coupons.list({}),
      (caller) => caller.coupons.mine({}),
      (caller) => caller.deals.list({}),
      (caller) => caller.notifications.list({}),
      (caller) => caller.messages.conversations({}),
    ];
    if (coupon) reads.push((caller) => caller.coupons.byId({ id: coupon.id }));
    if (bid) reads.push((caller) => caller.bids.byId({ id: bid.id }));
    if (bid) reads.push((caller) => caller.payments.checkout({ bidId: bid.id }));
    if (exchange) reads.push((caller) => caller.exchanges.byId({ id: exchange.id }));
    return () => call(choose(luck('what'), reads));
  },
  talk: (actor) => {
    const { call, luck, sight } = actor;
    const bid = oneOf(
      actor,
      'bid',
      sight.bids.filter((one) => isMine(actor, one.seller, one.bidder)),
    );
    if (!bid) return null;
    const about = { dealType: 'bid', dealId: bid.id } as const;
    return only(actor, [bid.seller, bid.bidder], () =>
      call<unknown>((caller) =>
        luck('rates') < 0.4
          ? caller.ratings.create({ ...about, rating: 8 })
          : caller.messages.send({ ...about, content: 'When do I get it?' }),
      ),
    );
  },
} as const satisfies Record<string, Act>;
