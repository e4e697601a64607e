import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { feesOf } from '#contract/fees.ts';
import { centsToDecimal } from '#contract/money.ts';
import type { PaymentStatus } from '#contract/payments.ts';
import type { PaymentProviderName } from '#contract/sellers.ts';
import { inTransaction, type Trx } from '#server/database/client.ts';
import { createCoupon, createUser, setUpContext } from '#server/testing/builders.ts';
import type { BookedPayment, JournalKind } from './rules.ts';
import { book, checkLedger, feesEarned } from './service.ts';
import { checkBooks } from './store.ts';

const ctx = setUpContext();
let counter = 0;

const BOOKED: Partial<Record<PaymentStatus, readonly JournalKind[]>> = {
  held: ['capture', 'provider_fee'],
  completed: ['capture', 'provider_fee', 'payout'],
  refunded: ['capture', 'provider_fee', 'refund'],
  charged_back: ['capture', 'provider_fee', 'dispute_opened', 'dispute_lost'],
};

/** Writes a payment of 10.00 and its journals directly, without services. */
async function writePayment(
  status: 'open' | 'held' | 'completed' | 'refunded' | 'charged_back',
  provider: PaymentProviderName = 'stripe',
): Promise<BookedPayment & { bidId: number }> {
  counter += 1;
  const at = ctx.clock();
  const [seller, buyer] = [await createUser(ctx), await createUser(ctx)];
  const coupon = await createCoupon(ctx, seller);
  const { amount, buyerFee, sellerFee, platformFee, buyerTotal, netAmount } = feesOf(1_000);
  const isPaid = status !== 'open';
  const bid = await ctx.db
    .insertInto('bids')
    .values({
      couponId: coupon.id,
      bidderId: buyer.id,
      ownerId: seller.id,
      amount: '10.00',
      status: isPaid ? 'completed' : 'accepted',
      createdAt: at,
      updatedAt: at,
      acceptedAt: at,
      completedAt: isPaid ? at : null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const charge = `charge-${counter}`;
  const row = await ctx.db
    .insertInto('paymentTransactions')
    .values({
      bidId: bid.id,
      senderId: buyer.id,
      receiverId: seller.id,
      provider,
      receiverAccount: `account-${seller.id}`,
      feePercent: 5,
      amount: centsToDecimal(amount),
      buyerFee: centsToDecimal(buyerFee),
      sellerFee: centsToDecimal(sellerFee),
      platformFee: centsToDecimal(platformFee),
      netAmount: centsToDecimal(netAmount),
      status,
      ...(isPaid && {
        paidAt: at,
        providerFee: '0.60',
        ...(provider === 'stripe' ? { stripeChargeId: charge } : { paypalCaptureId: charge }),
      }),
      endedAt: ['completed', 'refunded', 'charged_back'].includes(status) ? at : null,
      createdAt: at,
      updatedAt: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const given = { receiverId: seller.id, buyerTotal, netAmount, platformFee, providerFee: 60 };
  const payment = { id: row.id, provider, ...given };
  for (const kind of BOOKED[status] ?? []) {
    await inTransaction(ctx.db, (trx) => book(trx, { kind, payment, sourceRef: charge, at }));
  }
  const sale = {
    couponId: coupon.id,
    fromUserId: seller.id,
    toUserId: buyer.id,
    bidId: bid.id,
    createdAt: at,
  };
  const back = { ...sale, fromUserId: buyer.id, toUserId: seller.id, isReturn: true };
  if (isPaid) await ctx.db.insertInto('couponTransfers').values(sale).execute();
  if (status === 'refunded') await ctx.db.insertInto('couponTransfers').values(back).execute();
  return { ...payment, bidId: bid.id };
}

describe('booking', () => {
  it('books what is told twice once', async () => {
    const payment = await writePayment('open');
    const given = { kind: 'capture', payment, sourceRef: 'told-twice', at: ctx.clock() } as const;
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => inTransaction(ctx.db, (trx) => book(trx, given))),
    );
    expect(answers.filter(Boolean)).toHaveLength(1);
    const { rows } = await sql`
      select count(distinct j.id) as journals, count(e.id) as entries from ledger_journals j
      join ledger_entries e on e.journal_id = j.id where j.payment_id = ${payment.id}`.execute(ctx.db);
    expect(rows).toEqual([{ journals: 1, entries: 3 }]);
    // Repair the row for the other tests.
    await ctx.db
      .updateTable('paymentTransactions')
      .set({ status: 'held', stripeChargeId: 'told-twice', paidAt: ctx.clock() })
      .where('id', '=', payment.id)
      .execute();
    const bid = await ctx.db
      .updateTable('bids')
      .set({ status: 'completed', completedAt: ctx.clock() })
      .where('id', '=', payment.bidId)
      .returning(['couponId', 'ownerId', 'bidderId'])
      .executeTakeFirstOrThrow();
    const { couponId, ownerId: fromUserId, bidderId: toUserId } = bid;
    await ctx.db
      .insertInto('couponTransfers')
      .values({ couponId, fromUserId, toUserId, bidId: payment.bidId, createdAt: ctx.clock() })
      .execute();
  });

  it('books nothing of nothing', async () => {
    const payment = { ...(await writePayment('open')), providerFee: null };
    const given = { kind: 'provider_fee', payment, sourceRef: 'no-fee', at: ctx.clock() } as const;
    expect(await inTransaction(ctx.db, (trx) => book(trx, given))).toBe(false);
  });

  it('opens each account once, however many need it first', async () => {
    const payment = await writePayment('open', 'paypal');
    const given = { payment, at: ctx.clock() };
    const bookMany = Array.from({ length: 8 }, (_, index) =>
      inTransaction(ctx.db, async (trx) => {
        await book(trx, { ...given, kind: 'dispute_opened', sourceRef: `many-${index}` });
        await book(trx, { ...given, kind: 'dispute_won', sourceRef: `many-${index}` });
      }),
    );
    await Promise.all(bookMany);
    const { rows } = await sql`
      select kind, provider, user_id, count(*) from ledger_accounts group by kind, provider, user_id
      having count(*) > 1`.execute(ctx.db);
    expect(rows).toEqual([]);
  });

  it('sums up what was earned and kept', async () => {
    const before = Number(await feesEarned(ctx));
    await writePayment('completed');
    await writePayment('held', 'paypal');
    await writePayment('refunded');
    await writePayment('charged_back', 'paypal');
    expect(Number(await feesEarned(ctx)) - before).toBe(2);
  });
});

describe('what the database itself refuses', () => {
  const journalOf = (paymentId: number, sourceRef: string) => sql<{ id: number }>`
    insert into ledger_journals (kind, payment_id, source_ref, created_at)
    values ('capture', ${paymentId}, ${sourceRef}, now()) returning id`;

  it('a journal that does not balance, at the end of its transaction', async () => {
    const payment = await writePayment('held');
    const write = inTransaction(ctx.db, async (trx) => {
      const { rows } = await journalOf(payment.id, 'unbalanced').execute(trx);
      await sql`
        insert into ledger_entries (journal_id, account_id, amount)
        select ${rows[0]?.id}, id, 1 from ledger_accounts limit 2`.execute(trx);
    });
    await expect(write).rejects.toThrow(/does not balance/);
  });

  it('a journal without entries', async () => {
    const payment = await writePayment('held');
    await expect(journalOf(payment.id, 'empty').execute(ctx.db)).rejects.toThrow(/does not balance/);
  });

  it('an entry that is added later and unbalances its journal', async () => {
    await writePayment('held');
    const write = sql`
      insert into ledger_entries (journal_id, account_id, amount)
      select j.id, a.id, 0.01 from ledger_journals j, ledger_accounts a limit 1`.execute(ctx.db);
    await expect(write).rejects.toThrow(/does not balance/);
  });

  it.each([
    ['ledger_accounts', 'kind'],
    ['ledger_journals', 'kind'],
    ['ledger_entries', 'amount'],
  ])('to change, delete or empty %s', async (table, column) => {
    await writePayment('held');
    const name = sql.table(table);
    for (const statement of [
      sql`update ${name} set ${sql.ref(column)} = ${sql.ref(column)}`,
      sql`delete from ${name}`,
      sql`delete from ${name} where false`,
      sql`truncate ${name} cascade`,
    ]) {
      await expect(statement.execute(ctx.db)).rejects.toThrow(/append-only/);
    }
  });
});

describe('checkLedger', () => {
  beforeAll(async () => {
    for (const status of ['open', 'held', 'completed', 'refunded', 'charged_back'] as const) {
      await writePayment(status);
      await writePayment(status, 'paypal');
    }
  });

  it('finds nothing where every cent is accounted for, and counts what it looked at', async () => {
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
    sql`insert into ledger_journals (kind, payment_id, source_ref, created_at)
      select kind, payment_id, 'again', created_at from ledger_journals
      where kind = ${kind} and payment_id = ${some(status)}`,
    sql`insert into ledger_entries (journal_id, account_id, amount)
      select (select max(id) from ledger_journals), account_id, amount from ledger_entries
      where ${entriesOf(kind, status)}`,
  ];
  const inState = (status: PaymentStatus, to: PaymentStatus) => [
    sql`update payment_transactions set status = ${to} where id = ${some(status)}`,
  ];

  const captured = 'every paid payment is captured once, to the cent, and no other payment is';
  const paidOut = 'every completed payment is paid out once, and none that is held or given back';
  const givenBack = 'every refunded payment is given back once, whole, and no other is';
  const chargedBack = 'every charge-back is booked as lost, and nothing else is';
  const owed = 'what is owed to the seller of each payment is what its state says';
  const disputed = 'what a dispute holds back is back when it ends';
  const moved = 'every sale has moved its coupon once, every refunded one back';

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
        sql`insert into ledger_journals (kind, payment_id, source_ref, created_at)
        values ('capture', ${some('open')}, 'never', now())`,
        sql`insert into ledger_entries (journal_id, account_id, amount)
        select (select max(id) from ledger_journals), account_id, amount from ledger_entries
        where ${entriesOf('capture', 'held')}`,
      ],
    ],
    [
      captured,
      'a cent moved from the seller to us',
      () => [
        sql`update ledger_entries e set amount = amount + case a.kind
          when 'seller_payable' then 0.01 when 'platform_fees' then -0.01 else 0 end
        from ledger_accounts a where a.id = e.account_id and ${entriesOf('capture', 'held')}`,
      ],
    ],
    [
      captured,
      'the money of one seller on the account of another',
      () => [
        sql`update ledger_entries e set account_id = (select min(o.id) from ledger_accounts o
          where o.kind = 'seller_payable' and o.id <> e.account_id)
        from ledger_accounts a where a.id = e.account_id and a.kind = 'seller_payable'
          and ${entriesOf('capture', 'held')}`,
      ],
    ],
    [paidOut, 'a payout that is missing', () => deleteJournal('payout', 'completed')],
    [paidOut, 'a payout that is booked twice', () => bookAgain('payout', 'completed')],
    [paidOut, 'a payout of a held payment', () => inState('completed', 'held')],
    [
      paidOut,
      'a payout of another amount',
      () => [
        sql`update ledger_entries set amount = amount + 0.01 * sign(amount) where ${entriesOf('payout', 'completed')}`,
      ],
    ],
    [givenBack, 'a refund that is missing', () => deleteJournal('refund', 'refunded')],
    [givenBack, 'a refund that is booked twice', () => bookAgain('refund', 'refunded')],
    [givenBack, 'a refund of a held payment', () => inState('refunded', 'held')],
    [chargedBack, 'a lost dispute that is missing', () => deleteJournal('dispute_lost', 'charged_back')],
    [chargedBack, 'a lost dispute of a completed payment', () => inState('charged_back', 'completed')],
    [owed, 'a payment that is refunded and still owed', () => deleteJournal('refund', 'refunded')],
    [owed, 'nothing owed where the money is held', () => inState('completed', 'releasing')],
    [
      disputed,
      'a dispute that was won and not given back',
      () => deleteJournal('dispute_lost', 'charged_back'),
    ],
    [
      disputed,
      'an open dispute that holds back nothing',
      () => [
        ...deleteJournal('dispute_lost', 'charged_back'),
        ...deleteJournal('dispute_opened', 'charged_back'),
        sql`update payment_transactions set is_disputed = true where id = ${some('charged_back')}`,
      ],
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
      moved,
      'a refunded sale whose coupon stayed with the buyer',
      () => [sql`delete from coupon_transfers where is_return`],
    ],
    [
      'no account is without entries',
      'an account that nothing is booked on',
      () => [sql`insert into ledger_accounts (kind, user_id) select 'seller_payable', max(id) from users`],
    ],
  ])('“%s” finds %s', async (rule, _, plant) => {
    const undo = new Error('undo');
    const broken: string[] = [];
    const write = ctx.db.transaction().execute(async (trx) => {
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
