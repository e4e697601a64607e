import { t } from '@lingui/core/macro';
import type { Context } from '#server/context/context.ts';
import { AppError } from '#server/core/errors.ts';
import type { Trx } from '#server/database/client.ts';
import {
  completeSale,
  holdForReturn,
  noteBegun,
  releaseReturn,
  returnCoupon,
  setPricePaidAt,
} from '#server/deals/bids/service.ts';
import { bookTotals, keepReserve } from '#server/money/books/service.ts';
import * as cards from './cards-store.ts';
import { after, type Change } from './changes.ts';
import { decide, type Happening } from './decide.ts';
import { factsOf, type LockedPayment, type PaymentFacts } from './facts.ts';
import { completeIfPaid } from './leg-prices.ts';
import { notifyOfPayment } from './notices.ts';
import * as operations from './operations-store.ts';
import { updatePayment } from './store.ts';

/**
 * Decides what follows from what has happened to a locked payment, and writes it.
 * @returns the changes
 * @throws AppError payment_changed when money would go back without the coupon (decisions 3.21)
 */
export async function follow(
  trx: Trx,
  ctx: Context,
  locked: LockedPayment,
  happening: Happening,
  at: Date,
): Promise<readonly Change[]> {
  const facts = await factsOf(trx, locked, at);
  const changes = decide(facts, happening);
  let now = facts;
  for (const change of changes) {
    await write(trx, ctx, now, change);
    now = after(now, [change]);
  }
  return changes;
}

async function write(
  trx: Trx,
  ctx: Context,
  { payment, bid, at }: PaymentFacts,
  change: Change,
): Promise<void> {
  switch (change.do) {
    case 'update':
      return updatePayment(trx, payment, change.set, at);
    case 'open':
      return operations.openOperation(trx, payment, change.operation, change.at ?? at, change.target);
    case 'close':
      return operations.closeOperation(trx, payment.id, change.operation, at);
    case 'give_up':
      return operations.giveUpOperation(trx, payment, change.operation, change.why, at);
    case 'hurry':
      return operations.changeOperation(trx, payment.id, change.operation, { nextTryAt: at });
    case 'ask_person':
      return operations.askPerson(trx, payment, change.why, at);
    case 'book':
      return bookTotals(trx, { payment, totals: change.totals, at });
    case 'keep_reserve':
      return keepReserve(trx, { payment, isFinal: change.isFinal, at });
    case 'note_begun':
      return noteBegun(trx, bid.id);
    case 'complete_sale':
      return completeSale(trx, ctx, bid, at);
    case 'mark_price':
      return setPricePaidAt(trx, bid.id, change.isPaid ? at : null, at);
    case 'complete_exchange_if_paid':
      if (bid.exchangeId !== null) await completeIfPaid(trx, ctx, bid.exchangeId, at);
      return;
    case 'keep_card': {
      const paymentMethodId = await cards.keepCard(trx, payment.senderId, change.card, at);
      return updatePayment(trx, payment, { paymentMethodId }, at);
    }
    case 'hold_coupon':
      if ((await holdForReturn(trx, bid, at)) === null) return;
      throw new AppError(
        'payment_changed',
        t`The buyer has used the coupon, passed it on or promised it to somebody. The money goes back only with the coupon.`,
      );
    case 'free_coupon':
      return releaseReturn(trx, bid);
    case 'return_coupon':
      return returnCoupon(trx, ctx, bid, at);
    case 'notify':
      return notifyOfPayment(trx, { bid, payment }, change.notice, at, change.said);
  }
}
