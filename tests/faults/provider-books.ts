import { z } from 'zod';
import { decimalToCents } from '#contract/money.ts';
import type { SandboxStore } from '#server/sandbox/store.ts';

/** A movement at the provider for one of our payments, in cents, from the sandbox's own records. */
export interface Movement {
  /** The payment's public id. */
  readonly publicId: string;
  readonly kind: 'charge' | 'refund' | 'payout';
  readonly amount: number;
  readonly receiver: string | null;
}

const metadata = z.object({ payment_id: z.string() });
const chargeSchema = z.object({ id: z.string(), amount: z.number(), paid: z.boolean(), metadata });
const refundSchema = z.object({ amount: z.number(), charge: z.string(), status: z.string() });
const transferSchema = z.object({ amount: z.number(), destination: z.string(), metadata });
const bookingSchema = z.object({ net: z.number() });

/** Stripe's movements and our resulting balance there. */
export async function readStripe(store: SandboxStore): Promise<{ movements: Movement[]; balance: number }> {
  const all = async <T>(kind: string, schema: z.ZodType<T>) =>
    z.array(schema).parse(await store.list(`stripe.${kind}`));
  const charges = (await all('charge', chargeSchema)).filter(({ paid }) => paid);
  const paymentOf = new Map(charges.map((charge) => [charge.id, charge.metadata.payment_id]));
  const refunds = (await all('refund', refundSchema)).filter(({ status }) => status === 'succeeded');
  const transfers = await all('transfer', transferSchema);
  const bookings = await all('balance_transaction', bookingSchema);
  return {
    movements: [
      ...charges.map(({ id, amount }) => movement('charge', paymentOf.get(id), amount)),
      ...refunds.map(({ charge, amount }) => movement('refund', paymentOf.get(charge), amount)),
      ...transfers.map((transfer) =>
        movement('payout', transfer.metadata.payment_id, transfer.amount, transfer.destination),
      ),
    ],
    balance: bookings.reduce((sum, { net }) => sum + net, 0),
  };
}

const money = z.object({ value: z.string().transform(decimalToCents) });
const orderSchema = z.object({
  id: z.string(),
  amount: money,
  customId: z.string(),
  captureId: z.string().nullable(),
});
const captureSchema = z.object({ id: z.string(), orderId: z.string(), status: z.string() });
const paypalRefundSchema = z.object({ captureId: z.string(), amount: money, status: z.string() });
const payoutSchema = z.object({ captureId: z.string(), amount: money, merchantId: z.string() });

/** PayPal's movements and our balance there, less its list fees. */
export async function readPaypal(store: SandboxStore): Promise<{ movements: Movement[]; balance: number }> {
  const all = async <T>(kind: string, schema: z.ZodType<T>) =>
    z.array(schema).parse(await store.list(`paypal.${kind}`));
  const orders = new Map((await all('order', orderSchema)).map((order) => [order.id, order]));
  const captures = (await all('capture', captureSchema)).filter(({ status }) => status === 'COMPLETED');
  const paid = new Map(captures.map(({ id, orderId }) => [id, orders.get(orderId)]));
  const paymentOf = (captureId: string) => paid.get(captureId)?.customId;
  const amountOf = (captureId: string) => paid.get(captureId)?.amount.value ?? 0;
  const movements = [
    ...captures.map(({ id }) => movement('charge', paymentOf(id), amountOf(id))),
    ...(await all('refund', paypalRefundSchema))
      .filter(({ status }) => status !== 'FAILED')
      .map(({ captureId, amount }) => movement('refund', paymentOf(captureId), amount.value)),
    ...(await all('payout_item', payoutSchema)).map(({ captureId, amount, merchantId }) =>
      movement('payout', paymentOf(captureId), amount.value, merchantId),
    ),
  ];
  const fees = captures.reduce((sum, { id }) => sum + Math.floor((amountOf(id) * 29 + 500) / 1_000) + 30, 0);
  const signed = movements.reduce((sum, { kind, amount }) => sum + (kind === 'charge' ? amount : -amount), 0);
  return { movements, balance: signed - fees };
}

function movement(
  kind: Movement['kind'],
  publicId: string | undefined,
  amount: number,
  receiver: string | null = null,
): Movement {
  if (publicId === undefined) throw new Error(`A ${kind} of nothing of ours`);
  return { publicId, kind, amount, receiver };
}
