import { decimalToCents } from '#contract/base/money.ts';
import { openStored as openPaypal } from '#sandbox/paypal/objects.ts';
import { transactionsOf } from '#sandbox/paypal/reports.ts';
import type { SandboxStore } from '#sandbox/store.ts';
import { openStored as openStripe } from '#sandbox/stripe/objects.ts';
import { publicIdOf } from '#server/providers/stripe/payouts.ts';

/** What a provider did for one of our payments or deposits, in cents, from the sandbox's own records. Failed refunds are left out. */
interface Movement {
  /** The payment's public id. */
  readonly publicId: string;
  readonly kind: 'charge' | 'refund' | 'payout' | 'reversal';
  readonly amount: number;
  readonly receiver: string | null;
}

interface Books {
  readonly movements: Movement[];
  /** Cents that are left of our payments at the provider: all that has moved there, less its fees. */
  readonly balance: number;
}

/** Stripe's movements, and the sum of the balance transactions of ours. */
export async function readStripe(store: SandboxStore): Promise<Books> {
  const stored = openStripe(store);
  // Of a deposit that was authorised alone, nothing has moved.
  const paid = (await stored.charges.list()).filter((charge) => charge.paid && charge.captured);
  const charges = paid.filter(({ metadata }) => publicIdOf(metadata) !== undefined);
  const foreign = new Set(paid.filter((charge) => !charges.includes(charge)).map(({ id }) => id));
  const refunds = (await stored.refunds.list()).filter(
    ({ status, charge }) => status !== 'failed' && !foreign.has(String(charge)),
  );
  for (const { id, charge } of [...(await stored.refunds.list()), ...(await stored.disputes.list())])
    if (foreign.has(String(charge))) foreign.add(id);
  const transfers = await stored.transfers.list();
  const paymentOf = new Map(charges.map(({ id, metadata }) => [id, publicIdOf(metadata)]));
  return {
    movements: [
      ...charges.map(({ amount, metadata }) => movement('charge', publicIdOf(metadata), amount)),
      ...refunds.map(({ charge, amount }) => movement('refund', paymentOf.get(String(charge)), amount)),
      ...transfers.flatMap(({ metadata, amount, destination, amount_reversed: reversed }) => [
        movement('payout', publicIdOf(metadata), amount, String(destination)),
        ...(reversed > 0 ? [movement('reversal', publicIdOf(metadata), reversed)] : []),
      ]),
    ],
    balance: (await stored.balanceTransactions.list())
      .filter(({ source }) => !foreign.has(String(source)))
      .reduce((sum, { net }) => sum + net, 0),
  };
}

/** PayPal's movements, and what its accounts hold: their transactions and fees, less the payouts to sellers. */
export async function readPaypal(store: SandboxStore): Promise<Books> {
  const stored = openPaypal(store);
  // The fee of a chargeback is taken from the seller, whatever was paid out.
  const transactions = (await transactionsOf({ stored })).filter(
    ({ code, order }) => code !== 'T0106' && order.customId !== null,
  );
  const orders = new Map(transactions.map(({ id, order }) => [id, order]));
  const refunds = (await stored.refunds.list()).filter(
    ({ status, captureId }) => status !== 'FAILED' && orders.has(captureId),
  );
  const payouts = (await stored.payoutItems.list()).filter(({ status }) => status === 'SUCCESS');
  const cents = ({ value }: { value: string }) => decimalToCents(value);
  const held = transactions.reduce((sum, { amount, fee }) => sum + amount + fee, 0);
  return {
    movements: [
      ...transactions
        .filter(({ code }) => code === 'T0006')
        .map(({ order, amount }) => movement('charge', order.customId, amount)),
      ...refunds.map(({ captureId, amount }) =>
        movement('refund', orders.get(captureId)?.customId, cents(amount)),
      ),
      ...payouts.map(({ captureId, amount, merchantId }) =>
        movement('payout', orders.get(captureId)?.customId, cents(amount), merchantId),
      ),
    ],
    balance: held - payouts.reduce((sum, { amount }) => sum + cents(amount), 0),
  };
}

function movement(
  kind: Movement['kind'],
  publicId: string | null | undefined,
  amount: number,
  receiver: string | null = null,
): Movement {
  if (!publicId) throw new Error(`A ${kind} of nothing of ours`);
  return { publicId, kind, amount, receiver };
}
