import { z } from 'zod';
import { baseCurrency, centsToDecimal, decimalToCents } from '#contract/base/money.ts';
import { type Api, readQuery } from './http.ts';
import { type Capture, disputesOf, link, now, type Order, type PaypalContext, paypalFee } from './objects.ts';
import { liveRefunds } from './refunds.ts';
import { invalidRequest, unprocessable } from './refusals.ts';

/** A transaction appears in the search this much later. */
const DELAY_MS = 3 * 3_600_000;
const MAX_RANGE_MS = 31 * 86_400_000;
/** PayPal's limit for one search. */
const MAX_RESULTS = 10_000;

const querySchema = z.object({
  start_date: z.iso.datetime({ offset: true }),
  end_date: z.iso.datetime({ offset: true }),
  transaction_id: z.string().optional(),
  fields: z.string().optional(),
  page: z.coerce.number().int().min(1).default(1),
  page_size: z.coerce.number().int().min(1).max(500).default(100),
});

/** A movement on a seller's account at PayPal, or on ours. */
interface Transaction {
  /** The merchant's id; null: our own account, as far as a payment to a seller is concerned. */
  readonly account: string | null;
  readonly id: string;
  /** The transaction that it refers to. */
  readonly reference: string | null;
  /** PayPal's event code. */
  readonly code: string;
  /** Cents; negative when it leaves the account. */
  readonly amount: number;
  readonly fee: number;
  readonly at: string;
  readonly order: Order;
  readonly isPending?: boolean;
}

/** The transaction search: of the seller for whom we ask, else of our own account. */
export function addReports(api: Api, ctx: PaypalContext, limit = MAX_RESULTS): void {
  api.get('/v1/reporting/transactions', async (request) => {
    const query = readQuery(request, querySchema);
    const [start, end] = [Date.parse(query.start_date), Date.parse(query.end_date)];
    if (end < start || end - start > MAX_RANGE_MS) {
      throw invalidRequest('Date range is greater than 31 days, or ends before it starts');
    }
    const refreshed = await refreshedAt(ctx);
    const whose = request.onBehalfOf ?? ctx.partnerId;
    const found = (await transactionsOf(ctx)).filter(
      ({ account, id, at }) =>
        (account ?? ctx.partnerId) === whose &&
        (query.transaction_id ?? id) === id &&
        Date.parse(at) >= start &&
        Date.parse(at) <= Math.min(end, refreshed),
    );
    if (found.length > limit) {
      throw unprocessable('RESULTSET_TOO_LARGE', 'Result set size is greater than the maximum limit.');
    }
    const first = (query.page - 1) * query.page_size;
    return {
      status: 200,
      body: {
        transaction_details: found.slice(first, first + query.page_size).map(showTransaction),
        account_number: whose,
        start_date: query.start_date,
        end_date: query.end_date,
        last_refreshed_datetime: new Date(refreshed).toISOString(),
        page: query.page,
        total_items: found.length,
        total_pages: Math.ceil(found.length / query.page_size),
        links: [link(ctx, 'self', 'GET', '/v1/reporting/transactions')],
      },
    };
  });
}

/** The search shows all that has happened until now, without its delay. */
export async function completeReports({ stored }: PaypalContext): Promise<void> {
  await stored.reports.put({ id: 'report', until: now() });
}

async function refreshedAt({ stored }: PaypalContext): Promise<number> {
  const { until } = (await stored.reports.get('report')) ?? { until: '' };
  return Math.max(Date.now() - DELAY_MS, Date.parse(until) || 0);
}

/** All movements at PayPal but payouts, by time. */
export async function transactionsOf(ctx: Pick<PaypalContext, 'stored'>): Promise<Transaction[]> {
  const all: Transaction[] = [];
  for (const capture of await ctx.stored.captures.list()) {
    if (capture.status !== 'COMPLETED') continue;
    const order = await ctx.stored.orders.find(capture.orderId);
    all.push(
      ...captured(order, capture),
      ...(await refunded(ctx, order)),
      ...(await disputed(ctx, order, capture)),
    );
  }
  return all.sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
}

function captured(order: Order, { id, createTime: at }: Capture): Transaction[] {
  const [gross, ours] = [order.amount, order.platformFee].map(({ value }) => decimalToCents(value));
  const seller = { account: order.merchantId, at, order };
  const fee = -decimalToCents(paypalFee(order.amount).value);
  const payment = { ...seller, id, reference: null, code: 'T0006', amount: gross ?? 0, fee };
  if (ours === 0) return [payment];
  return [
    payment,
    { ...seller, id: `${id.slice(1)}F`, reference: id, code: 'T0113', amount: -(ours ?? 0), fee: 0 },
    {
      ...seller,
      account: null,
      id: `${id.slice(1)}F`,
      reference: id,
      code: 'T0113',
      amount: ours ?? 0,
      fee: 0,
    },
  ];
}

async function refunded(ctx: Pick<PaypalContext, 'stored'>, order: Order): Promise<Transaction[]> {
  const refunds = await liveRefunds(ctx, order);
  return refunds.flatMap(({ id, captureId, amount, platformFee, createTime: at, status }) => {
    const ours = decimalToCents(platformFee.value);
    const isPending = status === 'PENDING';
    const refund = { id, reference: captureId, code: 'T1107', fee: 0, at, order, isPending };
    const share = { ...refund, account: null, amount: -ours };
    const whole = { ...refund, account: order.merchantId, amount: ours - decimalToCents(amount.value) };
    return ours === 0 ? [whole] : [whole, share];
  });
}

async function disputed(
  ctx: Pick<PaypalContext, 'stored'>,
  order: Order,
  { id: captureId }: Capture,
): Promise<Transaction[]> {
  return (await disputesOf(ctx, captureId)).flatMap(({ channel, movements }) =>
    movements.map(({ id, reason, type, amount, at }) => ({
      ...{ account: order.merchantId, id, reference: captureId, fee: 0, at, order },
      code: reason === 'CHARGEBACK_FEE' ? 'T0106' : type === 'CREDIT' ? 'T1202' : TAKEN[channel],
      amount: (type === 'DEBIT' ? -1 : 1) * decimalToCents(amount.value),
    })),
  );
}

/** A payment reversal by PayPal, a chargeback by a bank. */
const TAKEN = { INTERNAL: 'T1106', EXTERNAL: 'T1201' } as const;

function showTransaction(transaction: Transaction) {
  const { account, id, reference, code, amount, fee, at, order, isPending = false } = transaction;
  const money = (cents: number) => ({
    currency_code: baseCurrency(),
    value: `${cents < 0 ? '-' : ''}${centsToDecimal(Math.abs(cents))}`,
  });
  return {
    transaction_info: {
      ...(account !== null && { paypal_account_id: account }),
      transaction_id: id,
      ...(reference !== null && { paypal_reference_id: reference, paypal_reference_id_type: 'TXN' }),
      transaction_event_code: code,
      transaction_initiation_date: at,
      transaction_updated_date: at,
      transaction_amount: money(amount),
      ...(fee !== 0 && { fee_amount: money(fee) }),
      transaction_status: isPending ? 'P' : 'S',
      ...(order.customId !== null && { custom_field: order.customId }),
      ...(order.invoiceId !== null && { invoice_id: order.invoiceId }),
    },
  };
}
