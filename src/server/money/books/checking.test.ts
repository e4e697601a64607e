import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import type { PaymentStatus } from '#contract/money/payments.ts';
import type { Trx } from '#server/database/client.ts';
import { inTransaction } from '#server/database/client.ts';
import { setUpContext } from '#tests/support/builders.ts';
import { writePayment } from '#tests/support/ledger.ts';
import { checkBooks } from './checks-store.ts';
import { checkLedger } from './ledger.ts';
import type { JournalKind } from './rules.ts';

const ctx = setUpContext();

describe('checkLedger', () => {
  beforeAll(async () => {
    for (const status of ['open', 'held', 'completed', 'refunded', 'charged_back'] as const) {
      await writePayment(ctx, status);
      await writePayment(ctx, status, 'paypal');
    }
  });

  it('finds no fault in correct books and counts what it checked', async () => {
    const { payments, journals, entries, broken } = await checkLedger(ctx);
    expect(broken).toEqual([]);
    expect(payments).toBeGreaterThanOrEqual(10);
    expect(journals).toBeGreaterThan(payments);
    expect(entries).toBeGreaterThanOrEqual(2 * journals);
  });

  /** A subquery for the id of some payment in a state. */
  const some = (status: PaymentStatus) =>
    sql`(select max(id) from payment_transactions where status = ${status} and provider = 'stripe')`;
  const entriesOf = (kind: JournalKind, status: PaymentStatus) => sql`
    journal_id in (select id from ledger_journals where kind = ${kind} and payment_id = ${some(status)})`;
  const deleteJournal = (kind: JournalKind, status: PaymentStatus) => [
    sql`delete from ledger_entries where ${entriesOf(kind, status)}`,
    sql`delete from ledger_journals where kind = ${kind} and payment_id = ${some(status)}`,
  ];
  const bookAgain = (kind: JournalKind, status: PaymentStatus) => [
    sql`insert into ledger_journals (kind, payment_id, amount, fee_amount, sequence, created_at)
      select kind, payment_id, amount, fee_amount, sequence + 1, created_at from ledger_journals
      where kind = ${kind} and payment_id = ${some(status)}`,
    sql`insert into ledger_entries (journal_id, account_id, amount)
      select (select max(id) from ledger_journals), account_id, amount from ledger_entries
      where ${entriesOf(kind, status)}`,
  ];
  const planted = (kind: JournalKind, status: PaymentStatus) =>
    sql`insert into ledger_journals (kind, payment_id, amount, sequence, created_at)
      values (${kind}, ${some(status)}, 1, 1, now())`;
  const inState = (status: PaymentStatus, to: PaymentStatus) => [
    sql`update payment_transactions set status = ${to} where id = ${some(status)}`,
  ];

  const captured = 'every paid payment is captured to the cent, and no other payment is';
  const ordered = 'no more is reversed than was paid out, decided than withdrawn, and refunded than captured';
  const held = 'no money has gone to the seller of a sale that is held';
  const returned = 'a sale is refunded, or taken back by the bank, if all of its money is';
  const operations = 'what is still to be done for a payment has its operation';
  const moved = 'every sale has moved its coupon once, and back at most once if it was undone';
  const numbered = 'the changes of each total are numbered from 1 without a gap';
  const covered = 'what is kept back from a payout covers a debt of the same seller';
  const stand = 'the accounts of each payment stand as its totals say';

  it.each([
    [
      'all entries together add up to nothing',
      'a cent too much',
      () => [
        sql`update ledger_entries set amount = amount + 0.01 where id = (select max(id) from ledger_entries)`,
      ],
    ],
    [
      'every journal has entries that add up to nothing',
      'a cent in another journal',
      () => [
        sql`update ledger_entries set amount = amount + 0.01 where id = (select max(id) from ledger_entries)`,
        sql`update ledger_entries set amount = amount - 0.01 where id = (select min(id) from ledger_entries)`,
      ],
    ],
    [
      'every journal has entries that add up to nothing',
      'an empty journal',
      () => [sql`delete from ledger_entries where ${entriesOf('payout', 'completed')}`],
    ],
    [captured, 'a capture that is missing', () => deleteJournal('capture', 'held')],
    [captured, 'a capture that is booked twice', () => bookAgain('capture', 'held')],
    [
      captured,
      'a capture of a payment that was not paid',
      () => [
        sql`insert into ledger_journals (kind, payment_id, amount, sequence, created_at)
        values ('capture', ${some('open')}, 10.50, 1, now())`,
        sql`insert into ledger_entries (journal_id, account_id, amount)
        select (select max(id) from ledger_journals), account_id, amount from ledger_entries
        where ${entriesOf('capture', 'held')}`,
      ],
    ],
    [
      stand,
      'a cent moved from the seller to us',
      () => [
        sql`update ledger_entries e set amount = amount + case a.kind
          when 'seller_payable' then 0.01 when 'platform_fees' then -0.01 else 0 end
        from ledger_accounts a where a.id = e.account_id and ${entriesOf('capture', 'held')}`,
      ],
    ],
    [
      stand,
      'the money of one seller on the account of another',
      () => [
        sql`update ledger_entries e set account_id = (select min(o.id) from ledger_accounts o
          where o.kind = 'seller_payable' and o.id <> e.account_id)
        from ledger_accounts a where a.id = e.account_id and a.kind = 'seller_payable'
          and ${entriesOf('capture', 'held')}`,
      ],
    ],
    [held, 'a payout of a held payment', () => inState('completed', 'held')],
    [
      stand,
      'a payout of another amount',
      () => [
        sql`update ledger_entries set amount = amount + 0.01 * sign(amount) where ${entriesOf('payout', 'completed')}`,
      ],
    ],
    [returned, 'a refund that is missing', () => deleteJournal('refund', 'refunded')],
    [returned, 'a refund of a held payment', () => inState('refunded', 'held')],
    [ordered, 'a refund that is booked twice', () => bookAgain('refund', 'refunded')],
    [ordered, 'a lost dispute that withdrew nothing', () => deleteJournal('withdrawal', 'charged_back')],
    [returned, 'a lost dispute of a completed payment', () => inState('charged_back', 'completed')],
    [operations, 'a payout that nobody makes', () => inState('held', 'releasing')],
    [
      numbered,
      'a change that was left out',
      () => [sql`update ledger_journals set sequence = 2 where payment_id = ${some('held')}`],
    ],
    [
      covered,
      'an offset that covers nothing',
      () => [
        sql`insert into ledger_journals (kind, payment_id, other_payment_id, amount, sequence, created_at)
        values ('offset', ${some('held')}, ${some('completed')}, 1, 1, now())`,
      ],
    ],
    [
      covered,
      'an offset against another seller',
      () => [
        sql`insert into ledger_journals (kind, payment_id, other_payment_id, amount, sequence, created_at)
        values ('offset', ${some('held')}, ${some('completed')}, 1, 1, now()),
          ('offset', ${some('completed')}, ${some('held')}, -1, 1, now())`,
      ],
    ],
    [
      'a seller owes only for payments with a refund, a loss, an award, or a total that changed again',
      'a payout of a dollar too much',
      () => [
        sql`update ledger_entries set amount = amount + sign(amount) where ${entriesOf('payout', 'completed')}`,
        sql`update ledger_journals set amount = amount + 1 where kind = 'payout'
          and payment_id = ${some('completed')}`,
      ],
    ],
    [
      'a late claim gives back all that was paid, and the sale is undone',
      'an award of a dollar',
      () => [planted('award', 'completed')],
    ],
    [
      'the reserve lays out money for late claims alone, and no more than their price',
      'a cover without a claim',
      () => [planted('cover', 'completed')],
    ],
    [
      'the reserve has its part of the fees of every final sale',
      'a part that was left out',
      () => [sql`update payment_transactions set reserve_percent = 20 where id = ${some('completed')}`],
    ],
    [
      'the reserve holds what its entries say, and was never below zero',
      'a dollar too much',
      () => [sql`update guarantee_reserve set balance = balance + 1`],
    ],
    [
      moved,
      'a sale whose coupon stayed',
      () => [
        sql`delete from coupon_transfers where bid_id = (select bid_id from payment_transactions
        where id = ${some('held')})`,
      ],
    ],
    [
      'the sums of each week are what its sales and the ledger say',
      'a week with one sale too many',
      () => [sql`insert into weekly_sums (week, sales) select min(week), 1 from weekly_sums`],
    ],
    [
      'no account is without entries',
      'an account that nothing is booked on',
      () => [sql`insert into ledger_accounts (kind, user_id) select 'seller_payable', max(id) from users`],
    ],
  ])('the rule “%s” finds %s', async (rule, _, plant) => {
    const undo = new Error('undo');
    const broken: string[] = [];
    const write = inTransaction(ctx.db, async (trx) => {
      await liftGuards(trx);
      for (const statement of plant()) await statement.execute(trx);
      broken.push(...(await checkBooks(trx)).map((found) => found.rule));
      throw undo;
    });
    await expect(write).rejects.toBe(undo);
    expect(broken).toContain(rule);
    expect((await checkLedger(ctx)).broken).toEqual([]);
  });
});

/** Disables the database's guards until the transaction ends, so that faults can be written. */
async function liftGuards(trx: Trx): Promise<void> {
  for (const table of ['ledger_accounts', 'ledger_journals', 'ledger_entries', 'payment_transactions']) {
    await sql`alter table ${sql.table(table)} disable trigger user`.execute(trx);
  }
  await sql`
    alter table payment_transactions drop constraint payments_ended_dated, drop constraint payments_paid_dated`.execute(
    trx,
  );
}
