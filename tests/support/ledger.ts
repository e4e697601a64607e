import { centsToDecimal } from '#contract/base/money.ts';
import { DEFAULT_FEE_RATES, feesOf } from '#contract/money/fees.ts';
import type { PaymentStatus } from '#contract/money/payments.ts';
import type { PaymentProviderName } from '#contract/people/sellers.ts';
import { inTransaction } from '#server/database/client.ts';
import { bookTotals } from '#server/money/books/ledger.ts';
import { type BookedPayment, NO_TOTALS, type Totals } from '#server/money/books/rules.ts';
import { createCoupon, createUser, type TestContext } from './builders.ts';

let counter = 0;

const CAPTURED: Totals = { ...NO_TOTALS, captured: 1_050, providerFees: 60 };

const BOOKED: Partial<Record<PaymentStatus, (provider: PaymentProviderName) => Totals>> = {
  held: () => CAPTURED,
  completed: (provider) => ({ ...CAPTURED, transferred: provider === 'stripe' ? 950 : 890 }),
  refunded: () => ({ ...CAPTURED, refunded: 1_050, feesRefunded: 100 }),
  charged_back: () => ({ ...CAPTURED, withdrawn: 1_050, lost: 1_050 }),
};

/** Writes a payment of 10.00 and its journals directly, without services. */
export async function writePayment(
  ctx: TestContext,
  status: 'open' | 'held' | 'completed' | 'refunded' | 'charged_back',
  provider: PaymentProviderName = 'stripe',
): Promise<BookedPayment & { bidId: number }> {
  counter += 1;
  const at = ctx.clock();
  const [seller, buyer] = [await createUser(ctx), await createUser(ctx)];
  const coupon = await createCoupon(ctx, seller);
  const { amount, buyerFee, sellerFee, platformFee, buyerTotal, netAmount } = feesOf(
    1_000,
    DEFAULT_FEE_RATES,
  );
  const isPaid = status !== 'open';
  const bid = await ctx.db
    .insertInto('bids')
    .values({
      couponId: coupon.id,
      bidderId: buyer.id,
      ownerId: seller.id,
      amount: '10.00',
      status: isPaid ? 'completed' : 'accepted',
      createdAt: at,
      updatedAt: at,
      acceptedAt: at,
      completedAt: isPaid ? at : null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const charge = `charge-${counter}`;
  const row = await ctx.db
    .insertInto('paymentTransactions')
    .values({
      bidId: bid.id,
      senderId: buyer.id,
      receiverId: seller.id,
      provider,
      receiverAccount: `account-${seller.id}`,
      amount: centsToDecimal(amount),
      buyerFee: centsToDecimal(buyerFee),
      sellerFee: centsToDecimal(sellerFee),
      platformFee: centsToDecimal(platformFee),
      netAmount: centsToDecimal(netAmount),
      status,
      ...(isPaid && {
        paidAt: at,
        providerFee: '0.60',
        ...(provider === 'stripe' ? { stripeChargeId: charge } : { paypalCaptureId: charge }),
      }),
      endedAt: ['completed', 'refunded', 'charged_back'].includes(status) ? at : null,
      createdAt: at,
      updatedAt: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const payment = { id: row.id, provider, receiverId: seller.id, buyerTotal, netAmount, platformFee };
  const totals = BOOKED[status]?.(provider);
  if (totals) await inTransaction(ctx.db, (trx) => bookTotals(trx, { payment, totals, at }));
  const sale = {
    couponId: coupon.id,
    fromUserId: seller.id,
    toUserId: buyer.id,
    bidId: bid.id,
    createdAt: at,
  };
  const back = { ...sale, fromUserId: buyer.id, toUserId: seller.id, isReturn: true };
  if (isPaid) await ctx.db.insertInto('couponTransfers').values(sale).execute();
  if (status === 'refunded') await ctx.db.insertInto('couponTransfers').values(back).execute();
  return { ...payment, bidId: bid.id };
}
