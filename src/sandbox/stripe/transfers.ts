import type Stripe from 'stripe';
import { z } from 'zod';
import { isActive } from './accounts.ts';
import { book } from './balance.ts';
import { type Api, addList, addRead } from './http.ts';
import { newId, now, type StripeContext } from './objects.ts';
import { formInteger, invalid, listOf, metadataSchema, missing, readParams } from './params.ts';
import { sellerBalance } from './payouts.ts';

const cents = formInteger.pipe(z.number().positive());

const createParams = z.strictObject({
  amount: cents,
  currency: z.string().regex(/^[a-z]{3}$/),
  destination: z.string(),
  source_transaction: z.string(),
  transfer_group: z.string().optional(),
  description: z.string().optional(),
  metadata: metadataSchema.default({}),
});
const reversalParams = z.strictObject({
  amount: cents.optional(),
  description: z.string().optional(),
  metadata: metadataSchema.default({}),
});

export function addTransfers(api: Api, ctx: StripeContext): void {
  const { transfers } = ctx.stored;

  api.post('/v1/transfers', async ({ input }) => {
    const params = readParams(input, createParams);
    await assertReceiver(ctx, params.destination);
    await assertCovered(ctx, params);
    const transfer = await makeTransfer(ctx, params);
    ctx.emit('transfer.created', transfer);
    return transfer;
  });

  addList(api, '/v1/transfers', transfers, ['transfer_group', 'destination']);
  addRead(api, '/v1/transfers', transfers);

  api.post('/v1/transfers/:id/reversals', async ({ id, input }) => {
    const params = readParams(input, reversalParams);
    const transfer = await transfers.find(id);
    const left = transfer.amount - transfer.amount_reversed;
    const amount = params.amount ?? left;
    if (left === 0 || amount > left) {
      throw invalid(`Reversal amount (${amount}) is greater than unreversed amount on transfer (${left})`, {
        param: 'amount',
      });
    }
    if (amount > (await sellerBalance(ctx, String(transfer.destination)))) {
      throw invalid(
        'The connected account has insufficient available balance to cover the reversal of this transfer.',
        { code: 'balance_insufficient' },
      );
    }
    const reversal = await makeReversal(ctx, transfer, amount, params.metadata);
    const earlier = transfer.reversals;
    const reversed = await transfers.put({
      ...transfer,
      amount_reversed: transfer.amount_reversed + amount,
      reversed: amount === left,
      reversals: { ...earlier, data: [reversal, ...earlier.data] },
    });
    ctx.emit('transfer.reversed', reversed);
    return reversal;
  });
}

async function assertReceiver({ stored }: StripeContext, destination: string): Promise<void> {
  const account = await stored.accounts.get(destination);
  if (account === null) {
    throw invalid(`No such destination: '${destination}'`, {
      code: 'resource_missing',
      param: 'destination',
    });
  }
  if (isActive(account)) return;
  throw invalid(
    'Your destination account needs to have at least one of the following capabilities enabled: transfers, crypto_transfers, legacy_payments',
    { code: 'insufficient_capabilities_for_transfer' },
  );
}

/** The transfers from a charge must not exceed its amount. */
async function assertCovered(
  { stored }: StripeContext,
  { source_transaction: chargeId, amount, currency }: z.infer<typeof createParams>,
): Promise<void> {
  const charge = await stored.charges.get(chargeId);
  if (!charge?.paid) throw missing('charge', chargeId, 'source_transaction');
  if (charge.currency !== currency)
    throw invalid(
      `The currency of source_transaction's balance transaction (${charge.currency}) must be the same as the transfer currency (${currency})`,
      {
        param: 'currency',
      },
    );
  const used = (await stored.transfers.list())
    .filter(({ source_transaction }) => source_transaction === chargeId)
    .reduce((sum, transfer) => sum + transfer.amount - transfer.amount_reversed, 0);
  if (used + amount <= charge.amount) return;
  throw invalid(
    `Transfers using this transaction as a source must not exceed the source amount of ${charge.amount}. (There is already ${used} in related transfers.)`,
    { param: 'amount' },
  );
}

async function makeTransfer(
  ctx: StripeContext,
  params: z.infer<typeof createParams>,
): Promise<Stripe.Transfer> {
  const id = newId('tr');
  const { amount, currency, description = null } = params;
  const booking = await book(ctx, {
    category: 'transfer',
    source: id,
    amount: -amount,
    currency,
    description,
  });
  return ctx.stored.transfers.put({
    id,
    object: 'transfer',
    amount,
    amount_reversed: 0,
    balance_transaction: booking.id,
    created: now(),
    currency,
    description,
    destination: params.destination,
    destination_payment: newId('py'),
    livemode: false,
    metadata: params.metadata,
    reversals: listOf([], `/v1/transfers/${id}/reversals`),
    reversed: false,
    source_transaction: params.source_transaction,
    source_type: 'card',
    transfer_group: params.transfer_group ?? null,
  });
}

async function makeReversal(
  ctx: StripeContext,
  transfer: Stripe.Transfer,
  amount: number,
  metadata: Stripe.Metadata,
): Promise<Stripe.TransferReversal> {
  const id = newId('trr');
  const { currency } = transfer;
  const booking = await book(ctx, {
    category: 'transfer_refund',
    source: id,
    amount,
    currency,
    description: null,
  });
  return ctx.stored.reversals.put({
    id,
    object: 'transfer_reversal',
    amount,
    balance_transaction: booking.id,
    created: now(),
    currency,
    destination_payment_refund: newId('pyr'),
    metadata,
    source_refund: null,
    transfer: transfer.id,
  });
}
