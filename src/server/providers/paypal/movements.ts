import type { z } from 'zod';
import { baseCurrency } from '#contract/base/money.ts';
import { uuidOrNull } from '#server/core/uuid.ts';
import type { MovementKind, MovementList, ProviderMovement } from '../movements.ts';
import { isRefusal } from '../payments.ts';
import type { PaypalClient } from './client.ts';
import { transactionsSchema } from './schemas.ts';

type Page = z.infer<typeof transactionsSchema>;
type Transaction = Page['transaction_details'][number]['transaction_info'];

interface Span {
  readonly from: Date;
  readonly to: Date;
}

/** PayPal's limits for one search. */
const MAX_SPAN_MS = 31 * 86_400_000;
const PAGE_SIZE = 500;
/** A shorter time is not halved any more. */
const MIN_SPAN_MS = 60_000;

/** The kinds that PayPal's search tells: a payout moves money within the seller's account. */
export const LISTED_KINDS = ['capture', 'provider_fee', 'refund', 'withdrawal'] as const;

/**
 * The transaction search of our own account and of sellers' accounts.
 * @throws ProviderRefusal, ProviderUnreachable
 */
export async function listMovements(
  ask: PaypalClient,
  { accounts, ...span }: Span & { readonly accounts: readonly string[] },
): Promise<MovementList> {
  const movements: ProviderMovement[] = [];
  const closedAccounts: string[] = [];
  let completeUntil: Date | null = null;
  for (const account of [null, ...accounts]) {
    try {
      const pages = await search(ask, account, span);
      // A transaction of the moment between two searches is in both.
      const transactions = new Map(
        pages.flatMap((page) =>
          page.transaction_details.map(({ transaction_info: one }) => [one.transaction_id, one]),
        ),
      );
      movements.push(...[...transactions.values()].flatMap((one) => movementsOf(one, account)));
      completeUntil = earliest([completeUntil, ...pages.map((page) => page.last_refreshed_datetime ?? null)]);
    } catch (error) {
      const isClosed = isRefusal(error, 'NOT_AUTHORIZED', 'PERMISSION_DENIED', 'RESOURCE_NOT_FOUND');
      if (account === null || !isClosed) throw error;
      closedAccounts.push(account);
    }
  }
  return { movements, completeUntil, closedAccounts };
}

function earliest(times: readonly (Date | null)[]): Date | null {
  return times.reduce((first, at) => (first === null || (at !== null && at < first) ? at : first), null);
}

/** All pages of a time, in searches of at most 31 days. */
async function search(ask: PaypalClient, account: string | null, { from, to }: Span): Promise<Page[]> {
  const pages: Page[] = [];
  for (let start = from; start < to; ) {
    const end = new Date(Math.min(to.getTime(), start.getTime() + MAX_SPAN_MS));
    pages.push(...(await searchSpan(ask, account, { from: start, to: end })));
    start = end;
  }
  return pages;
}

/** All pages of one search; in two halves where it finds more than PayPal answers. */
async function searchSpan(ask: PaypalClient, account: string | null, span: Span): Promise<Page[]> {
  try {
    return await readPages(ask, account, span);
  } catch (error) {
    const [from, to] = [span.from.getTime(), span.to.getTime()];
    if (!isRefusal(error, 'RESULTSET_TOO_LARGE') || to - from < MIN_SPAN_MS) throw error;
    const middle = new Date(Math.floor((from + to) / 2));
    return [
      ...(await searchSpan(ask, account, { from: span.from, to: middle })),
      ...(await searchSpan(ask, account, { from: middle, to: span.to })),
    ];
  }
}

async function readPages(ask: PaypalClient, account: string | null, { from, to }: Span): Promise<Page[]> {
  const pages: Page[] = [];
  do {
    const query = new URLSearchParams({
      start_date: from.toISOString(),
      end_date: to.toISOString(),
      fields: 'transaction_info',
      page_size: String(PAGE_SIZE),
      page: String(pages.length + 1),
    });
    const path = `/v1/reporting/transactions?${query}`;
    const asSeller = account === null ? {} : { onBehalfOf: account };
    pages.push(await ask({ method: 'GET', path, ...asSeller }, transactionsSchema));
  } while (pages.length < (pages.at(-1)?.total_pages ?? 0));
  return pages;
}

/** What PayPal's event codes change (developer.paypal.com/docs/transaction-search/transaction-event-codes). */
const KINDS: Readonly<Record<string, MovementKind>> = {
  T1106: 'withdrawal',
  T1107: 'refund',
  T1201: 'withdrawal',
  T1202: 'withdrawal',
};

/** Pending and denied transactions have moved nothing; a reversed one has, and its reversal is another. */
const MOVED = ['S', 'V'];

/** @param account the seller's; null: ours */
function movementsOf(transaction: Transaction, account: string | null): ProviderMovement[] {
  const { transaction_id: ref, transaction_event_code: code, transaction_status: status } = transaction;
  if (!MOVED.includes(status)) return [];
  const isPayment = code.startsWith('T00');
  const { cents, currency } = transaction.transaction_amount;
  // Our fee goes from the seller's account to ours, a hold stays within one: no total changes.
  const kind = currency === baseCurrency() ? (isPayment ? 'capture' : (KINDS[code] ?? null)) : null;
  const about = {
    ref,
    at: transaction.transaction_initiation_date,
    publicId: uuidOrNull(transaction.custom_field) ?? ofInvoice(transaction.invoice_id),
    chargeRef: isPayment ? ref : (transaction.paypal_reference_id ?? null),
    isOwnAccount: account === null,
    text: `${code} ${transaction.transaction_subject ?? ''}`.trim(),
  };
  const fee = kind === 'capture' ? -(transaction.fee_amount?.cents ?? 0) : 0;
  return [
    { ...about, kind, amount: kind === 'capture' || kind === null ? cents : -cents },
    ...(fee === 0 ? [] : [{ ...about, kind: 'provider_fee' as const, amount: fee }]),
  ];
}

const ofInvoice = (invoice: string | undefined) => uuidOrNull(/^clipswap-(.+)$/.exec(invoice ?? '')?.[1]);
