import { sql } from 'kysely';
import { type Cents, centsToDecimal, decimalToCents } from '#contract/base/money.ts';
import type { WaitReason } from '#contract/money/payments.ts';
import type { PaymentProviderName } from '#contract/people/sellers.ts';
import type { Database, Trx } from '#server/database/client.ts';
import type { Payment } from './store.ts';

/** The operations that we do at a provider for a payment. */
export type OperationKind = 'capture' | 'payout' | 'refund' | 'reversal';

/** Stripe captures by itself; PayPal's payouts are final. */
export const OPERATIONS_AT: Readonly<Record<PaymentProviderName, readonly OperationKind[]>> = {
  stripe: ['payout', 'refund', 'reversal'],
  paypal: ['capture', 'payout', 'refund'],
};

/** Why an operation waits. seller_balance: Stripe refuses a reversal, because the seller's balance there is too low.
 * seller_money: the rest of a granted late claim waits until the seller or the reserve can pay it. */
type OperationWait = WaitReason | 'seller_balance' | 'seller_money';

/** An operation that is under way. */
export interface Operation {
  readonly attempts: number;
  /** What the provider was last asked for. */
  readonly amount: Cents | null;
  /** Of a refund: how much shall be back with the buyer in the end; null: all. */
  readonly target: Cents | null;
  readonly openedAt: Date;
  /** Why the last attempt led to nothing, if that is known. */
  readonly waitsFor: OperationWait | null;
  readonly lastError: string | null;
  /** Null: it waits for a person. */
  readonly nextTryAt: Date | null;
}

/** Attempts that share an idempotency key: providers repeat stored answers, errors too. */
export const TRIES_PER_KEY = 4;

type OfPayment = Pick<Payment, 'id' | 'provider'>;

/** The first attempt under a new idempotency key comes after this many. */
const UNDER_A_NEW_KEY = sql<number>`ceil(provider_operations.attempts / ${TRIES_PER_KEY}::numeric) * ${TRIES_PER_KEY}::integer`;

const centsOrNull = (amount: string | null) => (amount === null ? null : decimalToCents(amount));

/**
 * Opens an operation, or opens it again if it was done or has another target now, with new idempotency keys. Otherwise one
 * that is open or given up stays.
 */
export async function openOperation(
  trx: Trx,
  payment: OfPayment,
  kind: OperationKind,
  at: Date,
  target: Cents | null = null,
): Promise<void> {
  const opened = { target: target === null ? null : centsToDecimal(target), nextTryAt: at, openedAt: at };
  await trx
    .insertInto('providerOperations')
    .values({ paymentId: payment.id, provider: payment.provider, kind, ...opened })
    .onConflict((conflict) =>
      conflict
        .columns(['paymentId', 'kind'])
        .doUpdateSet({
          ...opened,
          doneAt: null,
          givenUpAt: null,
          lastError: null,
          waitsFor: null,
          amount: null,
          attempts: UNDER_A_NEW_KEY,
        })
        .where((where) =>
          where.or([
            where('providerOperations.doneAt', 'is not', null),
            where('providerOperations.target', 'is distinct from', where.ref('excluded.target')),
          ]),
        ),
    )
    .execute();
}

/** Leaves an operation to a person, also one that was done, or was given up before. */
export async function giveUpOperation(
  trx: Trx,
  payment: OfPayment,
  kind: OperationKind,
  why: string,
  at: Date,
): Promise<void> {
  const givenUp = {
    openedAt: at,
    givenUpAt: at,
    nextTryAt: null,
    lastError: why,
    target: null,
    doneAt: null,
  };
  await trx
    .insertInto('providerOperations')
    .values({ paymentId: payment.id, provider: payment.provider, kind, ...givenUp })
    .onConflict((conflict) =>
      conflict.columns(['paymentId', 'kind']).doUpdateSet({ ...givenUp, waitsFor: null }),
    )
    .execute();
}

/** Makes an open operation due now, under a new idempotency key, also one that was given up. @returns whether it is open */
export async function hurryOperation(
  trx: Trx,
  paymentId: number,
  kind: OperationKind,
  at: Date,
): Promise<boolean> {
  const hurried = await trx
    .updateTable('providerOperations')
    .set({ nextTryAt: at, givenUpAt: null, attempts: UNDER_A_NEW_KEY })
    .where('paymentId', '=', paymentId)
    .where('kind', '=', kind)
    .where('doneAt', 'is', null)
    .returning('kind')
    .executeTakeFirst();
  return hurried !== undefined;
}

/** Ends an open operation, also one that was given up. */
export async function closeOperation(
  trx: Trx,
  paymentId: number,
  kind: OperationKind,
  at: Date,
): Promise<void> {
  await trx
    .updateTable('providerOperations')
    .set({ doneAt: at, nextTryAt: null, givenUpAt: null, waitsFor: null })
    .where('paymentId', '=', paymentId)
    .where('kind', '=', kind)
    .where('doneAt', 'is', null)
    .execute();
}

/** Asks a person to look at a payment. @param reason what is wrong; replaces an earlier reason */
export async function askPerson(trx: Trx, payment: OfPayment, reason: string, at: Date): Promise<void> {
  const change = { lastError: reason.slice(0, 1_000), givenUpAt: at, doneAt: null };
  await trx
    .insertInto('providerOperations')
    .values({ paymentId: payment.id, provider: payment.provider, kind: 'review', openedAt: at, ...change })
    .onConflict((conflict) =>
      conflict
        .columns(['paymentId', 'kind'])
        .doUpdateSet(change)
        .where('providerOperations.lastError', 'is distinct from', change.lastError),
    )
    .execute();
}

/** The open operation, also one that was given up; null if there is none. */
export async function findOperation(
  db: Database | Trx,
  paymentId: number,
  kind: OperationKind,
): Promise<Operation | null> {
  const row = await db
    .selectFrom('providerOperations')
    .select(['attempts', 'amount', 'target', 'openedAt', 'waitsFor', 'lastError', 'nextTryAt'])
    .where('paymentId', '=', paymentId)
    .where('kind', '=', kind)
    .where('doneAt', 'is', null)
    .$narrowType<{ waitsFor: OperationWait | null }>()
    .executeTakeFirst();
  return row ? { ...row, amount: centsOrNull(row.amount), target: centsOrNull(row.target) } : null;
}

/** The open operations of a payment, also those that were given up, and the most that its payout was ever asked for. */
export async function readOperations(
  trx: Trx,
  paymentId: number,
): Promise<{ open: ReadonlyMap<OperationKind, { target: Cents | null }>; payoutAsked: Cents }> {
  const rows = await trx
    .selectFrom('providerOperations')
    .select(['kind', 'amount', 'target', 'doneAt'])
    .where('paymentId', '=', paymentId)
    .where('kind', '!=', 'review')
    .$narrowType<{ kind: OperationKind }>()
    .execute();
  const open = rows.filter(({ doneAt }) => doneAt === null);
  const payout = rows.find(({ kind }) => kind === 'payout');
  return {
    open: new Map(open.map(({ kind, target }) => [kind, { target: centsOrNull(target) }])),
    payoutAsked: centsOrNull(payout?.amount ?? null) ?? 0,
  };
}

/** Notes what a payout is asked for next. The most of what it was asked for before stays. */
export async function notePayoutAsked(db: Database, paymentId: number, amount: Cents): Promise<void> {
  await db
    .updateTable('providerOperations')
    .set({ waitsFor: null, amount: sql`greatest(amount, ${centsToDecimal(amount)})` })
    .where('paymentId', '=', paymentId)
    .where('kind', '=', 'payout')
    .where('nextTryAt', 'is not', null)
    .execute();
}

/** Why the payouts of these payments wait, by payment. */
export async function listWaits(
  db: Database | Trx,
  paymentIds: readonly number[],
): Promise<ReadonlyMap<number, WaitReason | null>> {
  const rows = await db
    .selectFrom('providerOperations')
    .select(['paymentId', 'waitsFor'])
    .where('paymentId', '=', sql<number>`any(${paymentIds})`)
    .where('kind', '=', 'payout')
    .where('doneAt', 'is', null)
    .$narrowType<{ waitsFor: WaitReason | null }>()
    .execute();
  return new Map(rows.map(({ paymentId, waitsFor }) => [paymentId, waitsFor]));
}

/** Payments with an operation that is due, the one that waits longest first. */
export async function listDue(
  db: Database,
  given: { provider: PaymentProviderName; kind: OperationKind; now: Date; limit: number },
): Promise<number[]> {
  const rows = await db
    .selectFrom('providerOperations')
    .select('paymentId')
    .where('provider', '=', given.provider)
    .where('kind', '=', given.kind)
    .where('nextTryAt', '<=', given.now)
    .orderBy('nextTryAt')
    .limit(given.limit)
    .execute();
  return rows.map(({ paymentId }) => paymentId);
}

/** Takes an operation that is due, by moving its next try, so that no other process takes it. @returns null if it is not due */
export async function takeOperation(
  db: Database,
  given: { paymentId: number; kind: OperationKind; now: Date; until: (attempts: number) => Date },
): Promise<Operation | null> {
  return db.transaction().execute(async (trx) => {
    const row = await trx
      .selectFrom('providerOperations')
      .select(['attempts', 'target', 'openedAt', 'waitsFor', 'lastError', 'nextTryAt'])
      .where('paymentId', '=', given.paymentId)
      .where('kind', '=', given.kind)
      .where('nextTryAt', '<=', given.now)
      .forUpdate()
      .skipLocked()
      .$narrowType<{ waitsFor: OperationWait | null }>()
      .executeTakeFirst();
    if (!row) return null;
    const attempts = row.attempts + 1;
    await changeOperation(trx, given.paymentId, given.kind, {
      attempts,
      nextTryAt: given.until(attempts),
      // While a reversal is on its way, its debt must not be covered otherwise.
      ...(given.kind === 'reversal' && { waitsFor: null }),
    });
    return { ...row, attempts, amount: null, target: centsOrNull(row.target) };
  });
}

/** Undefined values stay. */
export interface OperationChange {
  readonly attempts?: number;
  readonly amount?: Cents | null;
  readonly lastError?: string | null;
  readonly waitsFor?: OperationWait | null;
  readonly openedAt?: Date;
  readonly nextTryAt?: Date | null;
  readonly givenUpAt?: Date;
}

/** Changes an open operation that is not given up. */
export async function changeOperation(
  db: Database | Trx,
  paymentId: number,
  kind: OperationKind,
  change: OperationChange,
): Promise<void> {
  const { amount, lastError, ...columns } = change;
  await db
    .updateTable('providerOperations')
    .set({
      ...columns,
      amount: amount == null ? amount : centsToDecimal(amount),
      lastError: lastError?.slice(0, 1_000) ?? lastError,
    })
    .where('paymentId', '=', paymentId)
    .where('kind', '=', kind)
    .where('nextTryAt', 'is not', null)
    .execute();
}

/** The payouts to a seller that wait for something, the oldest first. */
export async function listWaitingPayouts(
  db: Database,
  given: { sellerId: number; provider: PaymentProviderName; limit: number },
): Promise<number[]> {
  const rows = await db
    .selectFrom('providerOperations as payout')
    .innerJoin('paymentTransactions as payment', 'payment.id', 'payout.paymentId')
    .select('payout.paymentId')
    .where('payment.receiverId', '=', given.sellerId)
    .where('payout.provider', '=', given.provider)
    .where('payout.kind', '=', 'payout')
    .where('payout.doneAt', 'is', null)
    .where('payout.waitsFor', 'is not', null)
    .orderBy('payout.openedAt')
    .limit(given.limit)
    .execute();
  return rows.map(({ paymentId }) => paymentId);
}

/** All operations of a payment, done or not. */
export async function listOperations(db: Database, paymentId: number) {
  return db
    .selectFrom('providerOperations')
    .select(['kind', 'amount', 'attempts', 'lastError', 'waitsFor', 'nextTryAt', 'givenUpAt', 'doneAt'])
    .where('paymentId', '=', paymentId)
    .orderBy('openedAt')
    .execute();
}

/** Locks a payment's reversal, so that none begins now. @returns false while one is on its way */
export async function lockIdleReversal(trx: Trx, paymentId: number): Promise<boolean> {
  const reversal = await trx
    .selectFrom('providerOperations')
    .select(['nextTryAt', 'waitsFor'])
    .where('paymentId', '=', paymentId)
    .where('kind', '=', 'reversal')
    .forUpdate()
    .executeTakeFirst();
  return !reversal || reversal.nextTryAt === null || reversal.waitsFor === 'seller_balance';
}
