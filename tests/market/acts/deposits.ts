import * as fc from 'fast-check';
import { CLAIM_HOURS } from '#contract/money/claims.ts';
import { DEPOSIT_COMPLETE_DAYS, DEPOSIT_HOURS, DEPOSIT_LAPSE_DAYS } from '#contract/money/deposits.ts';
import { CARDS } from '#tests/support/payments.ts';
import {
  CAST,
  DAY_MS,
  type Deposit,
  type Exchange,
  HOUR_MS,
  isOverFor,
  personOf,
  type State,
} from '../state.ts';
import { type Act, type Aimed, act, chooseDeal, dealChoice, exchangeAt, says } from './act.ts';

/** Whether everybody has put up the deposit that an exchange asks for. */
const hasDeposits = ({ deposit, deposits, parties }: Exchange): boolean =>
  deposit === null || deposits.length === parties.length;

/** When an accepted exchange with a deposit ends by itself. */
export function depositDeadline({ acceptedAt, deposits, ...exchange }: Exchange): number {
  return hasDeposits({ acceptedAt, deposits, ...exchange })
    ? Math.min(...deposits.map(({ at }) => at)) + DEPOSIT_COMPLETE_DAYS * DAY_MS
    : acceptedAt + DEPOSIT_HOURS * HOUR_MS;
}

/** Whether an accepted exchange can be completed, as far as its deposit says. */
export const isSecured = (state: State, exchange: Exchange): boolean =>
  exchange.deposit === null || (hasDeposits(exchange) && depositDeadline(exchange) > state.now);

/** Whether a deposit keeps somebody from leaving. */
export const keepsFromLeaving = ({ deposits }: Exchange, who: number): boolean =>
  deposits.some(
    (one) =>
      (one.who === who &&
        (one.state === 'authorised' || (one.state === 'captured' && one.receiver === null))) ||
      (one.receiver === who && one.state === 'captured'),
  );

/** The next step of a deposit, as the job takes it. */
function moved(state: State, exchange: Exchange, deposit: Deposit): Deposit {
  const given = exchange.legs
    .filter(({ giver }) => giver === deposit.who)
    .map((leg) => ({ ...leg, claim: exchange.claims.find(({ coupon }) => coupon === leg.coupon)?.status }));
  const upheld = given.find(({ claim }) => claim === 'upheld');
  const isClaimed = upheld !== undefined || given.some(({ claim }) => claim === 'open');
  const claimBy = exchange.completedAt + CLAIM_HOURS * HOUR_MS;
  const isSettled = given.every(({ claim, receiver }) =>
    claim === undefined ? isOverFor(state, claimBy, receiver) : claim !== 'open',
  );
  if (deposit.state === 'authorised') {
    if (exchange.status === 'completed' && isClaimed) return { ...deposit, state: 'captured' };
    if (deposit.at + DEPOSIT_LAPSE_DAYS * DAY_MS <= state.now) return { ...deposit, state: 'over' };
    if (exchange.status === 'accepted') return deposit;
    return exchange.status !== 'completed' || isSettled ? { ...deposit, state: 'over' } : deposit;
  }
  if (deposit.state === 'over') return deposit;
  if (upheld) {
    const { receiver } = upheld;
    const sellsBy: readonly string[] = CAST[receiver]?.sellsBy ?? [];
    const { status, hasLeft } = personOf(state, receiver);
    const isPaid = sellsBy.includes('stripe') && status === 'active' && !hasLeft;
    return { ...deposit, receiver, state: isPaid ? 'over' : 'captured' };
  }
  return !isClaimed && isSettled ? { ...deposit, state: 'over' } : deposit;
}

/** The job moves all deposits on. */
export function moveDeposits(state: State): void {
  for (const deal of state.deals.values()) {
    if (deal.kind !== 'bid') deal.deposits = deal.deposits.map((deposit) => moved(state, deal, deposit));
  }
}

function aimPutUp(who: number, id: number): Aimed {
  return {
    text: says(who, `puts up the deposit for exchange ${id}`),
    who,
    gate: 'member',
    party: { deal: id },
    // Stripe refuses the second of two cards for one deposit.
    pays: 1_000_000_000 + 10 * id + who,
    steps: [
      (state) => {
        const exchange = exchangeAt(state, id);
        if (!exchange?.parties.includes(who)) return 'not_found';
        const { deposit, status, deposits } = exchange;
        const isThere = deposits.some((one) => one.who === who);
        if (deposit === null || status !== 'accepted' || isThere) return 'deal_changed';
        return depositDeadline(exchange) <= state.now ? 'deal_changed' : undefined;
      },
      (state) => {
        const exchange = exchangeAt(state, id);
        if (!exchange) return 'not_found';
        const own: Deposit = { who, at: state.now, state: 'authorised', receiver: null };
        exchange.deposits = [...exchange.deposits, own].toSorted((one, other) => one.who - other.who);
        return 'ok';
      },
    ],
    async call({ market, ...world }, caller) {
      const exchangeId = world.exchangeId(id);
      const { clientSecret } = await caller.deposits.createIntent({ exchangeId });
      await market.stripe.confirmWithCard(clientSecret, CARDS.good);
      await caller.deposits.refresh({ exchangeId });
      world.note('deposits');
      return 'ok';
    },
  };
}

/** Mostly for an accepted exchange that waits for it. */
export const putUp: fc.Arbitrary<Act> = fc
  .record({ deal: fc.oneof(dealChoice('first'), dealChoice('second')) })
  .map(({ deal: choice }) =>
    act('put up deposit', (state) => {
      const isWaiting = (deal: Exchange) => deal.status === 'accepted' && !hasDeposits(deal);
      const { id, deal, who } = chooseDeal(state, 'swap', choice, isWaiting);
      const missing = deal?.parties.find((one) => !deal.deposits.some((there) => there.who === one));
      return aimPutUp(deal && isWaiting(deal) && deal.parties.includes(who) ? (missing ?? who) : who, id);
    }),
  );
