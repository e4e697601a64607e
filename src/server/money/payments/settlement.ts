import type { ErrorCode } from '#contract/base/errors.ts';
import type { Context } from '#server/context/context.ts';
import { AppError } from '#server/core/errors.ts';
import { inTransaction } from '#server/database/client.ts';
import { paymentsUnavailable } from '#server/people/sellers/service.ts';
import { type PaymentState, ProviderRefusal, ProviderUnreachable } from '#server/providers/payments.ts';
import { follow } from './apply.ts';
import { lockPaymentWithDeal } from './facts.ts';
import type * as store from './store.ts';

/**
 * Applies a provider's report on a payment, whether it comes from an answer, a webhook or the reconciler.
 * @param isExpected checks the locked payment; on false nothing happens
 */
export async function settle(
  ctx: Context,
  paymentId: number,
  state: PaymentState,
  isExpected: (payment: store.Payment, state: PaymentState) => boolean = () => true,
): Promise<void> {
  const changes = await inTransaction(ctx.db, async (trx) => {
    const locked = await lockPaymentWithDeal(trx, paymentId);
    if (!isExpected(locked.payment, state)) return [];
    return follow(trx, ctx, locked, { what: 'reported', state }, ctx.clock());
  });
  const problem = changes.find((change) => change.do === 'update')?.set.details;
  if (problem) ctx.log.error({ paymentId, problem }, 'a payment does not match what was asked for');
}

/** Refreshes a payment from its provider and settles it. @returns the provider's state; null if it does not know it */
export async function settleFromProvider(
  ctx: Context,
  payment: Pick<store.Payment, 'id' | 'provider' | 'ref' | 'payoutRef'>,
  refHint: string | null = null,
): Promise<PaymentState | null> {
  const provider = ctx.providers.payments[payment.provider];
  const ref = payment.ref ?? refHint;
  if (!provider || ref === null) return null;
  const state = await provider.readPayment(ref, payment.payoutRef);
  if (state !== null) await settle(ctx, payment.id, state);
  return state;
}

/**
 * Turns provider errors into AppErrors: unreachable into payments_unavailable, a refusal into `code` with the
 * provider's text.
 */
export async function translateErrors<Result>(
  answer: Promise<Result>,
  code: ErrorCode = 'payment_changed',
): Promise<Result> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ProviderUnreachable) throw paymentsUnavailable(error);
    if (error instanceof ProviderRefusal) throw new AppError(code, error.message, { cause: error });
    throw error;
  }
}
