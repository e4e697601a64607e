import type { Context } from '#server/context/context.ts';
import { findRedemptions, keepClaimDeadlines, releaseDue } from '#server/money/claims/service.ts';
import { keepDeposits } from '#server/money/deposits/service.ts';
import type { Worker } from '#server/money/payments/reconcile.ts';
import { lapseUnpaidBids, PAYMENT_WORKERS } from '#server/money/payments/service.ts';

/** The work on payments, claims and deposits that needs no user. */
export const WORKERS: Readonly<Record<string, Worker>> = {
  /** What ends by its time, and needs no provider. */
  'payments-deadlines': async (ctx) =>
    (await lapseUnpaidBids(ctx, null)) + (await keepClaimDeadlines(ctx)) + (await releaseDue(ctx)),
  /** Asks merchants' programmes how the codes of claims were used. */
  'claim-findings': findRedemptions,
  deposits: keepDeposits,
  ...PAYMENT_WORKERS,
};

/** How many payments, events or bids each worker has moved on. */
export type Reconciliation = Readonly<Record<string, number>>;

/** In which order workers run: what one finds may be work for a later one. */
const ORDER = [
  /^(events|payments)-(stripe|paypal)$/,
  /^(unpaid-bids-|payments-deadlines)/,
  /^leg-prices$/,
  /./,
];

/** Runs every worker once: first what may change a payment, then the operations that follow from it. */
export async function reconcilePayments(ctx: Context): Promise<Reconciliation> {
  const done: Record<string, number> = {};
  for (const pattern of ORDER) {
    const names = Object.keys(WORKERS).filter((name) => ORDER.find((one) => one.test(name)) === pattern);
    await Promise.all(
      names.map(async (name) => {
        done[name] = (await WORKERS[name]?.(ctx)) ?? 0;
      }),
    );
  }
  return done;
}
