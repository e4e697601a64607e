import type Stripe from 'stripe';
import { z } from 'zod';
import { isActive } from './accounts.ts';
import { book } from './charges.ts';
import type { Api } from './http.ts';
import { newId, now } from './objects.ts';
import {
  formInteger,
  invalid,
  listOf,
  metadataSchema,
  missing,
  pageOf,
  pageParams,
  readParams,
} from './params.ts';
import type { Desk } from './webhooks.ts';

const cents = formInteger.pipe(z.number().positive());

const createParams = z.strictObject({
  amount: cents,
  currency: z.literal('cad'),
  destination: z.string(),
  source_transaction: z.string(),
  transfer_group: z.string().optional(),
  description: z.string().optional(),
  metadata: metadataSchema.default({}),
});
const listParams = z.strictObject({
  transfer_group: z.string().optional(),
  destination: z.string().optional(),
  ...pageParams,
});
const reversalParams = z.strictObject({
  amount: cents.optional(),
  description: z.string().optional(),
  metadata: metadataSchema.default({}),
});

/** Money on its way to the sellers' accounts. */
export function addTransfers(api: Api, desk: Desk): void {
  const { transfers } = desk.shelves;

  api.post('/v1/transfers', async ({ input }) => {
    const params = readParams(input, createParams);
    await assertReceiver(desk, params.destination);
    await assertCovered(desk, params.source_transaction, params.amount);
    const transfer = await makeTransfer(desk, params);
    await desk.webhooks.emit('transfer.created', transfer);
    return transfer;
  });

  api.get('/v1/transfers', async ({ input }) => {
    const { transfer_group, destination, ...page } = readParams(input, listParams);
    const found = (await transfers.list()).filter(
      (transfer) =>
        (transfer_group === undefined || transfer.transfer_group === transfer_group) &&
        (destination === undefined || transfer.destination === destination),
    );
    return pageOf(found, page, '/v1/transfers');
  });

  api.get('/v1/transfers/:id', ({ id }) => findTransfer(desk, id));

  api.post('/v1/transfers/:id/reversals', async ({ id, input }) => {
    const params = readParams(input, reversalParams);
    const transfer = await findTransfer(desk, id);
    const left = transfer.amount - transfer.amount_reversed;
    const amount = params.amount ?? left;
    if (left === 0 || amount > left) {
      throw invalid(`Reversal amount (${amount}) is greater than unreversed amount on transfer (${left})`, {
        param: 'amount',
      });
    }
    const reversal = await makeReversal(desk, transfer, amount, params.metadata);
    const { reversals } = transfer;
    const reversed = await transfers.put({
      ...transfer,
      amount_reversed: transfer.amount_reversed + amount,
      reversed: amount === left,
      reversals: { ...reversals, data: [reversal, ...reversals.data] },
    });
    await desk.webhooks.emit('transfer.reversed', reversed);
    return reversal;
  });
}

async function findTransfer({ shelves }: Desk, id: string): Promise<Stripe.Transfer> {
  const transfer = await shelves.transfers.get(id);
  if (transfer === null) throw missing('transfer', id, 'transfer');
  return transfer;
}

async function assertReceiver({ shelves }: Desk, destination: string): Promise<void> {
  const account = await shelves.accounts.get(destination);
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

/** Out of a charge no more can go on than has come in. */
async function assertCovered({ shelves }: Desk, chargeId: string, amount: number): Promise<void> {
  const charge = await shelves.charges.get(chargeId);
  if (!charge?.paid) throw missing('charge', chargeId, 'source_transaction');
  const gone = (await shelves.transfers.list())
    .filter(({ source_transaction }) => source_transaction === chargeId)
    .reduce((sum, transfer) => sum + transfer.amount - transfer.amount_reversed, 0);
  if (gone + amount <= charge.amount) return;
  throw invalid(
    `Transfers using this transaction as a source must not exceed the source amount of ${charge.amount}. (There is already ${gone} in related transfers.)`,
    { param: 'amount' },
  );
}

async function makeTransfer(desk: Desk, params: z.infer<typeof createParams>): Promise<Stripe.Transfer> {
  const id = newId('tr');
  const { amount, currency, description = null } = params;
  const booking = await book(desk, { type: 'transfer', source: id, amount: -amount, currency, description });
  return desk.shelves.transfers.put({
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
  desk: Desk,
  transfer: Stripe.Transfer,
  amount: number,
  metadata: Stripe.Metadata,
): Promise<Stripe.TransferReversal> {
  const id = newId('trr');
  const { currency } = transfer;
  const booking = await book(desk, {
    type: 'transfer_refund',
    source: id,
    amount,
    currency,
    description: null,
  });
  return {
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
  };
}
