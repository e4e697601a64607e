import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { PaymentProviderName } from '#contract/sellers.ts';
import { inTransaction } from '#server/database/client.ts';
import {
  NOTHING_MOVED,
  type PaymentState,
  type Payout,
  type ProviderTotals,
} from '#server/providers/payments.ts';
import { createUser, setUpContext } from '#server/testing/builders.ts';
import { noticesOf } from '#server/testing/exchanges.ts';
import { shortOrLong } from '#server/testing/rounds.ts';
import { insertAcceptedBid } from '#server/testing/sales.ts';
import { checkLedger, dueToSeller, feeShareOf, NO_TOTALS, readTotals } from '../books/service.ts';
import type { Actor } from '../context.ts';
import * as operations from './operations-store.ts';
import { settle } from './settlement.ts';
import { findPayment, type Payment } from './store.ts';

const ctx = setUpContext();
let seller: Actor;
let buyer: Actor;
beforeAll(async () => {
  [seller, buyer] = [await createUser(ctx), await createUser(ctx)];
});
afterAll(async () => {
  const { broken } = await checkLedger(ctx);
  expect(broken).toEqual([]);
});

/** A payment of 20.00 that the buyer is about to make. */
async function openPayment(provider: PaymentProviderName): Promise<Payment> {
  const bidId = await insertAcceptedBid(ctx, buyer, seller);
  const at = ctx.clock();
  const { id } = await ctx.db
    .insertInto('paymentTransactions')
    .values({
      ...{ bidId, senderId: buyer.id, receiverId: seller.id, provider, receiverAccount: 'account' },
      ...{ amount: '20.00', buyerFee: '1.00', sellerFee: '1.00', platformFee: '2.00', netAmount: '19.00' },
      ...{ status: 'open', createdAt: at, updatedAt: at, nextTryAt: at },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const payment = await findPayment(ctx.db, id);
  if (!payment) throw new Error('It is not there');
  return payment;
}

/** What happens at the provider after the payment. */
const ACTS = ['refund', 'fail_refund', 'dispute', 'win', 'lose', 'pay_out', 'take_back'] as const;
interface Step {
  readonly act: (typeof ACTS)[number];
  readonly amount: number;
  /** Which of the reports so far arrive now: old ones too, and one more than once. */
  readonly arriving: readonly number[];
}

const step: fc.Arbitrary<Step> = fc.record({
  act: fc.constantFrom(...ACTS),
  amount: fc.integer({ min: 1, max: 2_100 }),
  arriving: fc.array(fc.nat(100), { maxLength: 3 }),
});

interface Stand {
  readonly totals: ProviderTotals;
  readonly payouts: readonly Payout[];
}

const transferredIn = ({ payouts }: Stand) => payouts.reduce((sum, { amount }) => sum + amount, 0);
const reversedIn = ({ payouts }: Stand) => payouts.reduce((sum, { reversed }) => sum + reversed, 0);

/** What the books have to say of a provider's report. */
function booksOf(payment: Payment, stand: Stand) {
  const { refundPending: _, providerFees, ...totals } = stand.totals;
  return {
    ...NO_TOTALS,
    ...totals,
    providerFees: providerFees ?? 0,
    feesRefunded: feeShareOf(payment, totals.refunded),
    transferred: transferredIn(stand),
    reversed: reversedIn(stand),
  };
}

/** The provider's books after one more step; the same if it cannot be done. */
function after(payment: Payment, stand: Stand, { act, amount }: Step): Stand {
  const { totals, payouts } = stand;
  const left = totals.captured - totals.refunded - totals.withdrawn;
  const change = (changed: Partial<ProviderTotals>): Stand => ({
    ...stand,
    totals: { ...totals, ...changed },
  });
  const due = dueToSeller(payment, booksOf(payment, stand));
  switch (act) {
    case 'refund':
      return change({ refunded: totals.refunded + Math.min(amount, left) });
    case 'fail_refund':
      return change({ refunded: Math.max(0, totals.refunded - amount) });
    case 'dispute':
      return totals.withdrawn > 0 ? stand : change({ withdrawn: Math.min(amount, left) });
    case 'win':
      return change({ withdrawn: 0, lost: 0 });
    case 'lose':
      return change({ lost: totals.withdrawn });
    case 'pay_out': {
      // PayPal keeps one payout a capture.
      if (due <= 0 || (payment.provider === 'paypal' && payouts.length > 0)) return stand;
      const paid = {
        status: 'succeeded',
        amount: due,
        reversed: 0,
        receiver: 'account',
        failure: null,
      } as const;
      return { totals, payouts: [...payouts, { ref: `payout-${payouts.length}`, ...paid }] };
    }
    case 'take_back': {
      const [first, ...others] = payouts;
      if (!first || payment.provider === 'paypal') return stand;
      return {
        totals,
        payouts: [{ ...first, reversed: Math.min(first.amount, first.reversed + amount) }, ...others],
      };
    }
  }
}

function reportOf(payment: Payment, { totals, payouts }: Stand): PaymentState {
  return {
    ref: `ref-${payment.id}`,
    publicId: payment.publicId,
    status: 'succeeded',
    amount: payment.buyerTotal,
    currency: 'CAD',
    receiver: 'account',
    clientSecret: null,
    chargeRef: `charge-${payment.id}`,
    totals,
    isDisputed: totals.withdrawn > totals.lost,
    evidenceDueAt: null,
    payouts,
    keptCard: null,
    failureText: null,
  };
}

/** A payout is asked for, made and settled: only reports from before can still be on their way. */
async function settlePayout(payment: Payment, stand: Stand): Promise<void> {
  const amount = stand.payouts.at(-1)?.amount ?? 0;
  await ctx.db
    .updateTable('paymentTransactions')
    .set({ status: 'releasing' })
    .where('id', '=', payment.id)
    .where('status', '=', 'held')
    .execute();
  await inTransaction(ctx.db, (trx) => operations.openOperation(trx, payment, 'payout', ctx.clock()));
  if (payment.provider === 'stripe')
    await operations.changeOperation(ctx.db, payment.id, 'payout', { amount });
  await settle(ctx, payment.id, reportOf(payment, stand));
}

const countPaidOut = async () =>
  (await noticesOf(ctx, seller)).filter(({ content }) => content.startsWith('You have been paid')).length;

it.each(['stripe', 'paypal'] as const)(
  'reports of %s in any order, old ones and repeated ones too, end in the same books',
  async (provider) => {
    const property = fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      const payment = await openPayment(provider);
      const paidOutBefore = await countPaidOut();
      const start = { ...NOTHING_MOVED, captured: payment.buyerTotal, providerFees: 91 };
      const stands: Stand[] = [{ totals: start, payouts: [] }];
      await settle(ctx, payment.id, reportOf(payment, { totals: start, payouts: [] }));
      for (const one of steps) {
        const last = stands.at(-1);
        if (!last) break;
        const next = after(payment, last, one);
        stands.push(next);
        if (next.payouts.length > last.payouts.length) await settlePayout(payment, next);
        for (const place of one.arriving) {
          const stand = stands[place % stands.length];
          if (stand) await settle(ctx, payment.id, reportOf(payment, stand));
        }
      }
      const end = stands.at(-1);
      if (!end) throw new Error('There is no end');
      await settle(ctx, payment.id, reportOf(payment, end));
      expect(await readTotals(ctx.db, payment.id)).toEqual(booksOf(payment, end));
      // A payout is told once, and no old report is taken for a mistake.
      expect((await countPaidOut()) - paidOutBefore).toBeLessThanOrEqual(end.payouts.length);
      const review = await ctx.db
        .selectFrom('providerOperations')
        .select('lastError')
        .where('paymentId', '=', payment.id)
        .where('kind', '=', 'review')
        .where('lastError', 'like', 'Payouts of%')
        .execute();
      expect(review).toEqual([]);
    });
    const seed = Number(process.env.SETTLEMENT_SEED ?? shortOrLong(20_261_122, Date.now() % 2 ** 31));
    await fc.assert(property, { seed, numRuns: shortOrLong(6, 300) });
  },
);
