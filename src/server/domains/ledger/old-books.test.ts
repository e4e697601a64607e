import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { inTransaction } from '#server/database/client.ts';
import { migrateTo, migrateToLatest } from '#server/database/migrate.ts';
import { setUpDatabase } from '#server/testing/database.ts';
import { bookTotals, checkLedger, NO_TOTALS, readTotals } from './service.ts';

/*
 * The migration 2026-11-22T0510-payment-totals, over books that were kept before it: each journal booked the whole
 * amount of an event.
 */

const database = setUpDatabase();
const AT = '2026-11-22T05:00:00Z';
const LATER = '2026-11-22T06:30:00Z';

/** The accounts of the old books, by the name that the journals below use. */
const ACCOUNTS = {
  stripe: { kind: 'provider_clearing', provider: 'stripe' },
  paypal: { kind: 'provider_clearing', provider: 'paypal' },
  seller: { kind: 'seller_payable' },
  fees: { kind: 'platform_fees' },
  costs: { kind: 'provider_fees' },
  disputes: { kind: 'disputes' },
} as const;
type Account = keyof typeof ACCOUNTS;
type OldJournal = readonly [kind: string, entries: Partial<Record<Account, string>>];

// Of a sale of 20.00 by card, as the old program booked them: the buyer paid 21.00, the seller is due 19.00.
const CAPTURE: OldJournal = ['capture', { stripe: '21.00', seller: '-19.00', fees: '-2.00' }];
const FEE: OldJournal = ['provider_fee', { costs: '0.91', stripe: '-0.91' }];
const PAYOUT: OldJournal = ['payout', { seller: '19.00', stripe: '-19.00' }];
const REVERSAL: OldJournal = ['payout_reversal', { stripe: '19.00', seller: '-19.00' }];
const REFUND: OldJournal = ['refund', { seller: '19.00', fees: '2.00', stripe: '-21.00' }];
const OPENED: OldJournal = ['dispute_opened', { disputes: '21.00', stripe: '-21.00' }];
const WON: OldJournal = ['dispute_won', { stripe: '21.00', disputes: '-21.00' }];
const LOST: OldJournal = ['dispute_lost', { seller: '19.00', fees: '2.00', disputes: '-21.00' }];
// PayPal takes its fee from the seller; ClipSwap bears it after a refund.
const PAYPAL: readonly OldJournal[] = [
  ['capture', { paypal: '21.00', seller: '-19.00', fees: '-2.00' }],
  ['provider_fee', { seller: '0.90', paypal: '-0.90' }],
];
const PAYPAL_REFUND: OldJournal = [
  'refund',
  { seller: '18.10', costs: '0.90', fees: '2.00', paypal: '-21.00' },
];
const PAYPAL_PAYOUT: OldJournal = ['payout', { seller: '18.10', paypal: '-18.10' }];

const paid = { ...NO_TOTALS, captured: 2_100, providerFees: 91 };
const SALES = [
  { status: 'held', journals: [CAPTURE, FEE], totals: paid },
  { status: 'releasing', journals: [CAPTURE, FEE], totals: paid, tries: { payout: 3, nextTryAt: LATER } },
  { status: 'completed', journals: [CAPTURE, FEE, PAYOUT], totals: { ...paid, transferred: 1_900 } },
  { status: 'refunding', journals: [CAPTURE, FEE], totals: paid, tries: { refund: 2, nextTryAt: null } },
  {
    status: 'refunded',
    journals: [CAPTURE, FEE, REFUND],
    totals: { ...paid, refunded: 2_100, feesRefunded: 200 },
  },
  {
    status: 'held',
    isDisputed: true,
    journals: [CAPTURE, FEE, OPENED],
    totals: { ...paid, withdrawn: 2_100 },
  },
  {
    status: 'completed',
    journals: [CAPTURE, FEE, OPENED, WON, PAYOUT],
    totals: { ...paid, transferred: 1_900 },
  },
  {
    status: 'charged_back',
    journals: [CAPTURE, FEE, PAYOUT, OPENED, LOST, REVERSAL],
    totals: { ...paid, withdrawn: 2_100, lost: 2_100, transferred: 1_900, reversed: 1_900 },
  },
  {
    provider: 'paypal',
    status: 'refunded',
    journals: [...PAYPAL, PAYPAL_REFUND],
    totals: { ...paid, providerFees: 90, refunded: 2_100, feesRefunded: 200 },
  },
  {
    provider: 'paypal',
    status: 'completed',
    journals: [...PAYPAL, PAYPAL_PAYOUT],
    totals: { ...paid, providerFees: 90, transferred: 1_810 },
  },
] as const;

const run = (text: string) => sql.raw(text).execute(database.db);
const quoted = (text: string | null) => (text === null ? 'null' : `'${text}'`);

/** Writes a sale as the program did before the migration. Payment, bid and coupon get the same id. */
async function insertSale(id: number, sale: (typeof SALES)[number]): Promise<void> {
  const { status } = sale;
  const provider = 'provider' in sale ? sale.provider : 'stripe';
  const tries = 'tries' in sale ? sale.tries : { nextTryAt: null };
  const charge = provider === 'stripe' ? 'stripe_charge_id' : 'paypal_capture_id';
  const isEnded = ['completed', 'refunded', 'charged_back'].includes(status);
  await run(`insert into coupons (owner_id, title, description, value, merchant, category, has_no_expiry, created_at, updated_at)
    values (2, 'Two coffees', 'For the two of you.', 1000, 'Bakery Lane', 'food', true, '${AT}', '${AT}')`);
  await run(`insert into bids (coupon_id, bidder_id, owner_id, amount, status, created_at, updated_at, accepted_at, completed_at)
    values (${id}, 1, 2, 20.00, 'completed', '${AT}', '${AT}', '${AT}', '${AT}')`);
  await run(`insert into payment_transactions (bid_id, sender_id, receiver_id, provider, receiver_account, amount,
      buyer_fee, seller_fee, platform_fee, net_amount, status, is_disputed, ${charge}, payout_attempts, refund_attempts,
      next_try_at, created_at, updated_at, paid_at, ended_at)
    values (${id}, 1, 2, '${provider}', 'acct', 20.00, 1.00, 1.00, 2.00, 19.00, '${status}',
      ${'isDisputed' in sale}, 'charge_${id}', ${'payout' in tries ? tries.payout : 0},
      ${'refund' in tries ? tries.refund : 0}, ${quoted(tries.nextTryAt)}, '${AT}', '${AT}', '${AT}',
      ${quoted(isEnded ? AT : null)})`);
  await run(`insert into coupon_transfers (coupon_id, from_user_id, to_user_id, bid_id, created_at)
    values (${id}, 2, 1, ${id}, '${AT}')`);
  for (const [kind, entries] of sale.journals) {
    const values = Object.entries(entries).map(([account, amount]) => {
      const accountId = Object.keys(ACCOUNTS).indexOf(account) + 1;
      return `((select id from journal), ${accountId}, ${amount})`;
    });
    await run(`with journal as (
        insert into ledger_journals (kind, payment_id, source_ref, created_at)
        values ('${kind}', ${id}, '${kind} ${id}', '${AT}') returning id)
      insert into ledger_entries (journal_id, account_id, amount) values ${values.join(', ')}`);
  }
}

beforeAll(async () => {
  await run('drop schema public cascade');
  await run('create schema public');
  await migrateTo(database.db, '2026-11-22T0500-fee-rates');
  for (const name of ['buyer', 'seller']) {
    await run(`insert into users (username, email, password_hash, terms_accepted_at, adult_confirmed_at, created_at, updated_at)
      values ('${name}', '${name}@example.org', 'x', '${AT}', '${AT}', '${AT}', '${AT}')`);
  }
  for (const account of Object.values(ACCOUNTS)) {
    const provider = 'provider' in account ? `'${account.provider}'` : 'null';
    await run(`insert into ledger_accounts (kind, provider, user_id)
      values ('${account.kind}', ${provider}, ${account.kind === 'seller_payable' ? 2 : 'null'})`);
  }
  for (const [index, sale] of SALES.entries()) await insertSale(index + 1, sale);
  await migrateToLatest(database);
});

it('old journals become changes of totals, and the books are still right', async () => {
  for (const [index, { totals, status }] of SALES.entries()) {
    expect(await readTotals(database.db, index + 1), status).toEqual(totals);
  }
  const { broken, journals } = await checkLedger(database);
  expect(broken).toEqual([]);
  expect(journals).toBe(SALES.reduce((sum, sale) => sum + sale.journals.length, 0));
});

it('payouts and refunds under way go on where they were', async () => {
  const acts = await database.db
    .selectFrom('paymentActs')
    .select(['paymentId', 'act', 'provider', 'attempts', 'nextTryAt', 'doneAt', 'givenUpAt'])
    .orderBy('paymentId')
    .execute();
  const open = { provider: 'stripe', doneAt: null, givenUpAt: null };
  expect(acts).toEqual([
    { ...open, paymentId: 2, act: 'payout', attempts: 3, nextTryAt: new Date(LATER) },
    { ...open, paymentId: 4, act: 'refund', attempts: 2, nextTryAt: new Date(AT) },
  ]);
});

it('what a provider reports next is booked on top of the old journals', async () => {
  const payment = {
    id: 7,
    provider: 'stripe',
    receiverId: 2,
    buyerTotal: 2_100,
    netAmount: 1_900,
    platformFee: 200,
  } as const;
  // The dispute of this sale was won: the same total has two old journals.
  const totals = { ...paid, transferred: 1_900 };
  const at = new Date(LATER);
  const book = (next: typeof totals) =>
    inTransaction(database.db, (trx) => bookTotals(trx, { payment, totals: next, at }));
  const before = (await checkLedger(database)).journals;
  await book(totals);
  expect((await checkLedger(database)).journals).toBe(before);
  await book({ ...totals, withdrawn: 2_100 });
  await book({ ...totals, withdrawn: 2_100, reversed: 500 });
  expect(await readTotals(database.db, 7)).toEqual({ ...totals, withdrawn: 2_100, reversed: 500 });
  expect(await checkLedger(database)).toMatchObject({ broken: [], journals: before + 2 });
});
