import { randomInt } from 'node:crypto';
import { showCapture } from './captures.ts';
import type { Api } from './http.ts';
import {
  type Dispute,
  findCapture,
  link,
  money,
  newId,
  newLetters,
  now,
  type Order,
  type PaypalContext,
  takenOf,
} from './objects.ts';
import { unprocessable } from './refusals.ts';

/** Cents, charged to the seller when a card's bank takes the money back. */
const CHARGEBACK_FEE = 2_000;
const ANSWER_MS = 10 * 86_400_000;

export function addDisputes(api: Api, ctx: PaypalContext): void {
  const { disputes } = ctx.stored;
  const path = '/v1/customer/disputes';

  api.get(path, async ({ query }) => {
    const wanted = (await disputes.list()).filter(
      ({ captureId }) => captureId === query.disputed_transaction_id,
    );
    return { status: 200, body: { items: wanted.map((dispute) => summaryOf(ctx, dispute)) } };
  });

  api.get(`${path}/:id`, async ({ id }) => ({
    status: 200,
    body: await showDispute(ctx, await disputes.find(id)),
  }));
}

/** The seller appeals against a lost dispute; `closeDispute` then decides it once more. */
export async function appealDispute(ctx: PaypalContext, id: string): Promise<void> {
  const dispute = await ctx.stored.disputes.find(id);
  if (dispute.outcome !== 'RESOLVED_BUYER_FAVOUR') {
    throw unprocessable('ACTION_NOT_ALLOWED_IN_CURRENT_DISPUTE_STATE', 'Nothing can be appealed.');
  }
  await update(ctx, { ...dispute, status: 'UNDER_REVIEW' });
}

export interface DisputeOrder {
  /** An inquiry is between buyer and seller; PayPal decides the other stages. */
  readonly stage?: 'INQUIRY' | 'CHARGEBACK' | undefined;
  /** EXTERNAL: the bank of the buyer's card takes the money back at once, for a fee. */
  readonly channel?: 'INTERNAL' | 'EXTERNAL' | undefined;
  /** Cents, by default the whole capture. */
  readonly amount?: number | undefined;
}

/** The buyer disputes the payment. @returns the dispute's id */
export async function openDispute(
  ctx: PaypalContext,
  captureId: string,
  { stage = 'CHARGEBACK', channel = 'INTERNAL', amount }: DisputeOrder = {},
): Promise<string> {
  const { order } = await findCapture(ctx, captureId);
  const at = now();
  const dispute: Dispute = {
    id: `PP-R-${newLetters(3)}-${randomInt(10_000_000, 99_999_999)}`,
    createTime: at,
    updateTime: at,
    captureId,
    amount: amount === undefined ? order.amount : money(amount),
    stage,
    channel,
    status: stage === 'INQUIRY' ? 'OPEN' : 'WAITING_FOR_SELLER_RESPONSE',
    outcome: null,
    movements: [],
  };
  const fee = money(CHARGEBACK_FEE);
  const opened: Dispute =
    channel === 'INTERNAL'
      ? dispute
      : withSettled(
          {
            ...dispute,
            movements: [{ id: newId(), reason: 'CHARGEBACK_FEE', type: 'DEBIT', amount: fee, at }],
          },
          true,
        );
  await ctx.stored.disputes.put(opened);
  ctx.emit('CUSTOMER.DISPUTE.CREATED', 'dispute', await showDispute(ctx, opened));
  if (channel === 'EXTERNAL') await emitReversal(ctx, opened);
  return opened.id;
}

const NEXT_STAGE = {
  INQUIRY: 'CHARGEBACK',
  CHARGEBACK: 'PRE_ARBITRATION',
  PRE_ARBITRATION: 'ARBITRATION',
  ARBITRATION: 'ARBITRATION',
} as const;

/** The buyer takes the dispute one stage further. */
export async function escalateDispute(ctx: PaypalContext, id: string): Promise<void> {
  const dispute = await openOne(ctx, id);
  await update(ctx, { ...dispute, stage: NEXT_STAGE[dispute.stage], status: 'WAITING_FOR_SELLER_RESPONSE' });
}

const OUTCOMES = { won: 'RESOLVED_SELLER_FAVOUR', lost: 'RESOLVED_BUYER_FAVOUR' } as const;
export type DisputeEnd = keyof typeof OUTCOMES;

/** Decides a dispute, also one that was decided the other way. @param outcome for the seller */
export async function closeDispute(ctx: PaypalContext, id: string, outcome: DisputeEnd): Promise<void> {
  const dispute = await ctx.stored.disputes.find(id);
  const isLost = outcome === 'lost';
  const closed: Dispute = {
    ...withSettled(dispute, isLost),
    status: 'RESOLVED',
    outcome: OUTCOMES[outcome],
    updateTime: now(),
  };
  await ctx.stored.disputes.put(closed);
  ctx.emit('CUSTOMER.DISPUTE.RESOLVED', 'dispute', await showDispute(ctx, closed));
  if (isLost && closed.movements.length > dispute.movements.length) await emitReversal(ctx, closed);
}

/** The dispute after its amount is taken from the seller, or given back. */
function withSettled(dispute: Dispute, isTaken: boolean): Dispute {
  if (takenOf(dispute) > 0 === isTaken) return dispute;
  const type = isTaken ? 'DEBIT' : 'CREDIT';
  const reason = 'DISPUTE_SETTLEMENT';
  const movement = { id: newId(), reason, type, amount: dispute.amount, at: now() } as const;
  return { ...dispute, movements: [...dispute.movements, movement] };
}

async function openOne({ stored }: PaypalContext, id: string): Promise<Dispute> {
  const dispute = await stored.disputes.find(id);
  if (dispute.status !== 'RESOLVED') return dispute;
  throw unprocessable('ACTION_NOT_ALLOWED_IN_CURRENT_DISPUTE_STATE', 'The dispute is resolved.');
}

async function update(ctx: PaypalContext, dispute: Dispute): Promise<void> {
  const updated = await ctx.stored.disputes.put({ ...dispute, updateTime: now() });
  ctx.emit('CUSTOMER.DISPUTE.UPDATED', 'dispute', await showDispute(ctx, updated));
}

/** The money has been taken back from the seller. */
async function emitReversal(ctx: PaypalContext, { captureId }: Dispute): Promise<void> {
  const { order, capture } = await findCapture(ctx, captureId);
  ctx.emit('PAYMENT.CAPTURE.REVERSED', 'capture', await showCapture(ctx, order, capture));
}

const STATES = {
  OPEN: 'OPEN_INQUIRIES',
  WAITING_FOR_SELLER_RESPONSE: 'REQUIRED_ACTION',
  UNDER_REVIEW: 'UNDER_PAYPAL_REVIEW',
  RESOLVED: 'RESOLVED',
} as const;

/** A dispute as the list shows it. */
function summaryOf(ctx: PaypalContext, dispute: Dispute) {
  return {
    dispute_id: dispute.id,
    create_time: dispute.createTime,
    update_time: dispute.updateTime,
    reason: 'MERCHANDISE_OR_SERVICE_NOT_AS_DESCRIBED',
    status: dispute.status,
    dispute_state: STATES[dispute.status],
    dispute_amount: dispute.amount,
    dispute_life_cycle_stage: dispute.stage,
    dispute_channel: dispute.channel,
    links: [link(ctx, 'self', 'GET', `/v1/customer/disputes/${dispute.id}`)],
  };
}

async function showDispute(ctx: PaypalContext, dispute: Dispute) {
  const { order } = await findCapture(ctx, dispute.captureId);
  const due = new Date(Date.parse(dispute.createTime) + ANSWER_MS).toISOString();
  return {
    ...summaryOf(ctx, dispute),
    disputed_transactions: [transactionOf(dispute, order)],
    ...(dispute.outcome !== null && { dispute_outcome: outcomeOf(dispute) }),
    ...(dispute.movements.length > 0 && {
      money_movements: dispute.movements.map(({ id: _, at, ...movement }) => ({
        ...{ affected_party: 'SELLER', initiated_time: at },
        ...movement,
      })),
    }),
    ...(dispute.status === 'WAITING_FOR_SELLER_RESPONSE' && { seller_response_due_date: due }),
  };
}

function outcomeOf(dispute: Dispute) {
  const taken = takenOf(dispute);
  return { outcome_code: dispute.outcome, ...(taken > 0 && { amount_refunded: money(taken) }) };
}

function transactionOf(dispute: Dispute, order: Order) {
  return {
    seller_transaction_id: dispute.captureId,
    transaction_status: 'COMPLETED',
    gross_amount: order.amount,
    ...(order.customId !== null && { custom: order.customId }),
    ...(order.invoiceId !== null && { invoice_number: order.invoiceId }),
    seller: { merchant_id: order.merchantId },
  };
}
