import * as fc from 'fast-check';
import { CLAIM_HOURS } from '#contract/money/claims.ts';
import { noteDeclined, noteGranted, stopSalesIfDue } from '../sale-stops.ts';
import {
  ADMIN,
  canReturn,
  couponsOf,
  type Exchange,
  HOUR_MS,
  isOverFor,
  type Leg,
  type LegClaim,
  NOTHING,
  personOf,
  priceNumber,
  type State,
  stopClock,
} from '../state.ts';
import {
  type Act,
  type Aimed,
  type Answer,
  act,
  bidAt,
  chooseDeal,
  dealChoice,
  exchangeAt,
  says,
} from './act.ts';

/** Claims that the code of a coupon from a swap does not work. */

const isOver = (state: State, since: number, who: number) =>
  isOverFor(state, since + CLAIM_HOURS * HOUR_MS, who);

/** Whether a claim by or against a person of a completed exchange is open or can be made. */
export function mayBeClaimed(state: State, { legs, claims, completedAt }: Exchange, who: number): boolean {
  if (claims.some(({ status }) => status === 'open')) return true;
  return legs.some(
    ({ coupon, giver, receiver }) =>
      [giver, receiver].includes(who) &&
      !claims.some((claim) => claim.coupon === coupon) &&
      !isOver(state, completedAt, receiver),
  );
}

const legOf = ({ legs }: Exchange, coupon: number) => legs.find((leg) => leg.coupon === coupon);
const claimOn = ({ claims }: Exchange, coupon: number) => claims.find((claim) => claim.coupon === coupon);

/** Reserves a coupon with a price for its claim. @returns false if its receiver has passed it on or promised it */
function holdPaid(state: State, exchange: number, couponId: number): boolean {
  const number = priceNumber(exchange, couponId);
  const [price, coupon] = [bidAt(state, number), state.coupons.get(couponId)];
  if (!price || !coupon) return true;
  if (!canReturn(state, price, number)) return false;
  coupon.heldBy = exchange;
  return true;
}

/** Frees a coupon with a price after its claim, unless the price goes back anyway. */
function releasePaid(state: State, exchange: number, couponId: number): void {
  const [price, coupon] = [bidAt(state, priceNumber(exchange, couponId)), state.coupons.get(couponId)];
  if (price && coupon?.heldBy === exchange && price.payment?.state !== 'refunding') coupon.heldBy = null;
}

const change = (exchange: Exchange, coupon: number, to: Partial<LegClaim>) => {
  exchange.claims = exchange.claims.map((claim) => (claim.coupon === coupon ? { ...claim, ...to } : claim));
};

/** What a claim call is about, made concrete: a coupon of a completed swap, claimed about or not. */
const legChoice = fc.record({ deal: dealChoice('first'), nth: fc.nat(7), isOther: fc.nat(7) });

type LegChoice = typeof legChoice extends fc.Arbitrary<infer Choice> ? Choice : never;

interface ClaimedLeg {
  readonly id: number;
  readonly coupon: number;
  /** Mostly whoever gave or got it, as the call needs. */
  readonly who: number;
}

function chooseLeg(
  state: State,
  { deal, nth, isOther }: LegChoice,
  side: 'giver' | 'receiver',
  isUsual: (exchange: Exchange) => boolean,
): ClaimedLeg {
  const { id, deal: exchange, who } = chooseDeal(state, 'swap', deal, isUsual);
  if (!exchange) return { id, coupon: NOTHING, who };
  const claimed = exchange.claims.filter(({ status }) => status === 'open').map(({ coupon }) => coupon);
  const among = claimed.length > 0 ? claimed : couponsOf(exchange);
  const coupon = among[nth % among.length] ?? NOTHING;
  return { id, coupon, who: isOther === 0 ? who : (legOf(exchange, coupon)?.[side] ?? who) };
}

type Verb = 'claims about' | 'answers' | 'withdraws' | 'upholds' | 'refuses';

function aimAt(
  { id, coupon, who }: ClaimedLeg,
  verb: Verb,
  given: Pick<Aimed, 'gate' | 'call'> & {
    step: (state: State, exchange: Exchange, leg: Leg) => Answer;
  },
): Aimed {
  return {
    text: says(who, `${verb} coupon ${coupon} of exchange ${id}`),
    who,
    gate: given.gate,
    ...(given.gate === 'member' && { party: { deal: id } }),
    steps: [
      (state) => {
        const exchange = exchangeAt(state, id);
        const leg = exchange && legOf(exchange, coupon);
        return leg ? given.step(state, exchange, leg) : 'not_found';
      },
    ],
    call: given.call,
  };
}

function aimClaim(leg: ClaimedLeg): Aimed {
  const { id, coupon, who } = leg;
  return aimAt(leg, 'claims about', {
    gate: 'member',
    step(state, exchange, { giver, receiver }) {
      if (![giver, receiver].includes(who)) return 'not_found';
      if (who !== receiver) return 'forbidden';
      if (exchange.status !== 'completed' || isOver(state, exchange.completedAt, receiver))
        return 'deal_changed';
      if (claimOn(exchange, coupon)) return 'conflict';
      if (!holdPaid(state, id, coupon)) return 'deal_changed';
      if (personOf(state, giver).status === 'banned') stopClock(state, giver);
      exchange.claims = [...exchange.claims, { coupon, status: 'open', isAnswered: false, at: state.now }];
      stopSalesIfDue(state, giver);
      return 'ok';
    },
    async call(world, caller) {
      const reason = 'The code does not work.';
      const about = { exchangeId: world.exchangeId(id), couponId: world.couponId(coupon) };
      await caller.claims.open({ ...about, reason });
      world.note('legClaims');
      return 'ok';
    },
  });
}

function aimAnswer(leg: ClaimedLeg): Aimed {
  const { id, coupon, who } = leg;
  return aimAt(leg, 'answers', {
    gate: 'member',
    step(_state, exchange, { giver, receiver }) {
      const claim = claimOn(exchange, coupon);
      if (!claim || ![giver, receiver].includes(who)) return 'not_found';
      if (who !== giver) return 'forbidden';
      if (claim.status !== 'open' || claim.isAnswered) return 'deal_changed';
      change(exchange, coupon, { isAnswered: true });
      return 'ok';
    },
    async call(world, caller) {
      await caller.claims.answer({ id: await world.legClaimId(id, coupon), answer: 'It worked for me.' });
      return 'ok';
    },
  });
}

function aimWithdraw(leg: ClaimedLeg): Aimed {
  const { id, coupon, who } = leg;
  return aimAt(leg, 'withdraws', {
    gate: 'member',
    step(state, exchange, { giver, receiver }) {
      const claim = claimOn(exchange, coupon);
      if (!claim || ![giver, receiver].includes(who)) return 'not_found';
      if (who !== receiver) return 'forbidden';
      if (claim.status !== 'open') return 'deal_changed';
      change(exchange, coupon, { status: 'withdrawn' });
      releasePaid(state, id, coupon);
      return 'ok';
    },
    async call(world, caller) {
      await caller.claims.withdraw({ id: await world.legClaimId(id, coupon) });
      return 'ok';
    },
  });
}

/** A claim waits for the giver's word, unless they are banned or have left. */
function aimDecide(leg: ClaimedLeg, decision: 'upheld' | 'refused'): Aimed {
  const { id, coupon } = leg;
  return aimAt(leg, decision === 'upheld' ? 'upholds' : 'refuses', {
    gate: 'admin',
    step(state, exchange, { giver, receiver }) {
      const claim = claimOn(exchange, coupon);
      if (!claim) return 'not_found';
      const isAwaited =
        !claim.isAnswered && !personOf(state, giver).hasLeft && !isOver(state, claim.at, giver);
      if (claim.status !== 'open' || isAwaited) return 'deal_changed';
      change(exchange, coupon, { status: decision });
      if (decision === 'upheld') {
        noteGranted(state, giver);
        const payment = bidAt(state, priceNumber(id, coupon))?.payment;
        if (payment?.state === 'held' || payment?.state === 'final') payment.state = 'refunding';
      } else {
        noteDeclined(state, receiver);
        releasePaid(state, id, coupon);
      }
      return 'ok';
    },
    async call(world, caller) {
      await caller.claims.decide({ id: await world.legClaimId(id, coupon), decision, note: 'So be it.' });
      return 'ok';
    },
  });
}

const isCompleted = ({ status }: { status: string }) => status === 'completed';
const isOpen = ({ claims }: Exchange) => claims.some(({ status }) => status === 'open');

export const claimLeg: fc.Arbitrary<Act> = legChoice.map((choice) =>
  act('claim about a swap', (state) => aimClaim(chooseLeg(state, choice, 'receiver', isCompleted))),
);
export const answerLegClaim: fc.Arbitrary<Act> = legChoice.map((choice) =>
  act('answer a claim about a swap', (state) => aimAnswer(chooseLeg(state, choice, 'giver', isOpen))),
);
export const withdrawLegClaim: fc.Arbitrary<Act> = legChoice.map((choice) =>
  act('withdraw a claim about a swap', (state) => aimWithdraw(chooseLeg(state, choice, 'receiver', isOpen))),
);
const decideBy = (...decisions: ('upheld' | 'refused')[]): fc.Arbitrary<Act> =>
  fc.tuple(legChoice, fc.constantFrom(...decisions)).map(([choice, decision]) =>
    act(`decide a claim about a swap (${decision})`, (state) => {
      const leg = chooseLeg(state, choice, 'receiver', isOpen);
      return aimDecide({ ...leg, who: choice.isOther === 0 ? leg.who : ADMIN }, decision);
    }),
  );
export const decideLegClaim = decideBy('upheld', 'refused');
/** By moderators who know that the code works. */
export const decideLegClaimRightly = decideBy('refused');
