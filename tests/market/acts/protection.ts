import * as fc from 'fast-check';
import { ANSWER_HOURS } from '#contract/money/claims.ts';
import { noteDeclined, noteGranted, stopSalesIfDue } from '../sale-stops.ts';
import {
  ADMIN,
  type Bid,
  free,
  HOUR_MS,
  isOverFor,
  type Payment,
  personOf,
  type State,
  stateOf,
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
  member,
  says,
} from './act.ts';
import { makeFinal, undo } from './payments.ts';

/** What the buyer of a sale does after the payment, and what becomes of claims. */

/** An act of the buyer after the payment. @param change what it does to the bid and its payment */
function aimAfterwards(
  who: number,
  id: number,
  given: {
    verb: string;
    change: (state: State, bid: Bid, payment: Payment) => Answer | undefined;
    call: Aimed['call'];
  },
): Aimed {
  return {
    text: says(who, `${given.verb} bid ${id}`),
    who,
    gate: 'member',
    party: { deal: id, isFirst: true },
    steps: [
      (state) => {
        const bid = bidAt(state, id);
        if (!bid?.payment || !bid.parties.includes(who)) return 'not_found';
        if (bid.parties[0] !== who) return 'forbidden';
        // A claim is about the exchange.
        if (bid.of !== null) return 'payment_changed';
        return given.change(state, bid, bid.payment) ?? bid.payment.state;
      },
    ],
    call: given.call,
  };
}

const isHeld = ({ payment }: Bid) => payment?.state === 'held';

const afterwards = (name: string, aim: (who: number, id: number) => Aimed): fc.Arbitrary<Act> =>
  dealChoice('first').map((choice) =>
    act(name, (state) => {
      const { id, who } = chooseDeal(state, 'bid', choice, isHeld);
      return aim(who, id);
    }),
  );

export const confirm = afterwards('confirm', (who, id) =>
  aimAfterwards(who, id, {
    verb: 'confirms',
    change(state, bid, payment) {
      if (payment.state !== 'held' || payment.claim === 'open') return 'payment_changed';
      makeFinal(state, bid, id);
      return undefined;
    },
    call: async (world, caller) => stateOf(await caller.payments.confirmReceipt({ bidId: world.bidId(id) })),
  }),
);

export const claim = afterwards('claim', (who, id) =>
  aimAfterwards(who, id, {
    verb: 'makes a claim about',
    change(state, bid, payment) {
      const isOver = isOverFor(state, payment.holdUntil, bid.parties[0]);
      if (payment.state !== 'held' || isOver || payment.claim) return 'payment_changed';
      payment.claim = 'open';
      payment.claimedAt = state.now;
      if (personOf(state, bid.parties[1]).status === 'banned') stopClock(state, bid.parties[1]);
      stopSalesIfDue(state, bid.parties[1]);
      return undefined;
    },
    call: async (world, caller) =>
      stateOf(await caller.payments.openClaim({ bidId: world.bidId(id), reason: 'The code does not work.' })),
  }),
);

export const withdrawClaim = afterwards('withdraw claim', (who, id) =>
  aimAfterwards(who, id, {
    verb: 'withdraws the claim about',
    change(_state, _bid, payment) {
      if (payment.claim !== 'open') return 'payment_changed';
      payment.claim = 'ended';
      return undefined;
    },
    call: async (world, caller) => stateOf(await caller.payments.withdrawClaim({ bidId: world.bidId(id) })),
  }),
);

function aimAnswer(who: number, id: number): Aimed {
  return {
    text: says(who, `answers the claim about bid ${id}`),
    who,
    gate: 'member',
    party: { deal: id },
    steps: [
      (state) => {
        const bid = bidAt(state, id);
        if (!bid?.payment?.claim || !bid.parties.includes(who)) return 'not_found';
        if (bid.parties[1] !== who) return 'forbidden';
        const { payment } = bid;
        if (payment.claim !== 'open' || payment.isAnswered) return 'deal_changed';
        payment.isAnswered = true;
        return 'ok';
      },
    ],
    async call(world, caller) {
      await caller.claims.answer({ id: await world.claimId(id), answer: 'It worked for me.' });
      return 'ok';
    },
  };
}

export const answerClaim: fc.Arbitrary<Act> = dealChoice('second').map((choice) =>
  act('answer a claim', (state) => {
    const { id, who } = chooseDeal(state, 'bid', choice, ({ payment }) => payment?.claim === 'open');
    return aimAnswer(who, id);
  }),
);

/** A claim waits for the seller's word, unless they have left. Only where one was made there is one to decide. */
function aimDecide(who: number, id: number, decision: 'refund' | 'release'): Aimed {
  return {
    text: says(who, `decides the claim about bid ${id}: ${decision}`),
    who,
    gate: 'admin',
    steps: [
      (state) => {
        const bid = bidAt(state, id);
        const payment = bid?.payment;
        if (!bid || !payment?.claim) return 'not_found';
        const seller = bid.parties[1];
        const answerBy = payment.claimedAt + ANSWER_HOURS * HOUR_MS;
        const isAwaited =
          !payment.isAnswered && !personOf(state, seller).hasLeft && !isOverFor(state, answerBy, seller);
        if (payment.state !== 'held' || payment.claim !== 'open' || isAwaited) return 'payment_changed';
        payment.claim = 'ended';
        payment.state = decision === 'refund' ? 'refunding' : 'final';
        if (decision === 'release') {
          free(state, id);
          noteDeclined(state, bid.parties[0]);
        } else noteGranted(state, seller);
        return undefined;
      },
      (state) => {
        const bid = bidAt(state, id);
        if (decision === 'refund' && bid) undo(state, bid, id);
        return 'ok';
      },
    ],
    async call(world, caller) {
      await caller.payments.decideClaim({ id: await world.claimId(id), decision, note: 'So be it.' });
      return 'ok';
    },
  };
}

const decideBy = (...decisions: ('refund' | 'release')[]): fc.Arbitrary<Act> =>
  fc
    .record({
      who: fc.oneof({ weight: 9, arbitrary: fc.constant(ADMIN) }, member),
      deal: dealChoice('first'),
      decision: fc.constantFrom(...decisions),
    })
    .map(({ who, deal, decision }) =>
      act(`decide(${decision})`, (state) => {
        const { id } = chooseDeal(state, 'bid', deal, ({ payment }) => payment?.claim === 'open');
        return aimDecide(who, id, decision);
      }),
    );
export const decide = decideBy('refund', 'release');
/** By moderators who know that the code works. */
export const decideRightly = decideBy('release');
