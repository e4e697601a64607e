import { type Selectable, sql } from 'kysely';
import { type Cents, decimalToCents } from '#contract/base/money.ts';
import type { DealStatus } from '#contract/deals/deals.ts';
import type { LegClaimStatus } from '#contract/money/claims.ts';
import type { DepositStatus } from '#contract/money/deposits.ts';
import type { Database, Trx } from '#server/database/client.ts';
import type { DB } from '#server/database/types.ts';
import { CLAIM_DEADLINE, EXCHANGE_DEADLINE } from '#server/deals/lifecycle/deadlines-sql.ts';
import type { GivenLeg } from './decide.ts';

/** Why a deposit waits: for the account of whoever gets it, the end of a dispute, or a refund on its way. */
export type DepositWait = 'account' | 'dispute' | 'refund';

/** A deposit. The amount is cents of the base currency. */
export interface DepositRow {
  readonly id: number;
  /** Random, for the provider. */
  readonly publicId: string;
  readonly exchangeId: number;
  readonly userId: number;
  readonly amount: Cents;
  readonly status: DepositStatus;
  readonly ref: string | null;
  readonly chargeRef: string | null;
  readonly authorisedAt: Date | null;
  readonly endedAt: Date | null;
  readonly waitsFor: DepositWait | null;
  readonly attempts: number;
  readonly nextTryAt: Date | null;
  /** Since when a person has to decide. */
  readonly givenUpAt: Date | null;
  readonly createdAt: Date;
}

type Row = Selectable<DB['deposits']>;

const toDeposit = (row: Row): DepositRow => ({
  ...row,
  amount: decimalToCents(row.amount),
  status: row.status as DepositStatus,
  waitsFor: row.waitsFor as DepositWait | null,
});

export async function findDeposit(db: Database | Trx, id: number): Promise<DepositRow | null> {
  const row = await db.selectFrom('deposits').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? toDeposit(row) : null;
}

export async function findDepositOf(
  db: Database | Trx,
  { exchangeId, userId }: { exchangeId: number; userId: number },
): Promise<DepositRow | null> {
  const row = await db
    .selectFrom('deposits')
    .selectAll()
    .where('exchangeId', '=', exchangeId)
    .where('userId', '=', userId)
    .executeTakeFirst();
  return row ? toDeposit(row) : null;
}

/** Locks the exchange of a deposit, then the deposit: the order of all that touch both. */
export async function lockDeposit(trx: Trx, { id, exchangeId }: Pick<DepositRow, 'id' | 'exchangeId'>) {
  await trx
    .selectFrom('exchanges')
    .select('id')
    .where('id', '=', exchangeId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  const row = await trx
    .selectFrom('deposits')
    .selectAll()
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  return toDeposit(row);
}

/** What an exchange says about the deposit of one of its parties; null for strangers. */
export async function findAsked(
  db: Database | Trx,
  { exchangeId, userId }: { exchangeId: number; userId: number },
) {
  const row = await db
    .selectFrom('exchanges')
    .innerJoin('exchangeParties as party', 'party.exchangeId', 'exchanges.id')
    .select(['exchanges.status', 'exchanges.deposit', EXCHANGE_DEADLINE.as('deadlineAt'), 'party.depositAt'])
    .where('exchanges.id', '=', exchangeId)
    .where('party.userId', '=', userId)
    .$narrowType<{ status: DealStatus }>()
    .executeTakeFirst();
  return row ?? null;
}

/**
 * The deposit of a party, put down once; one that the provider has given up begins again. Lock the exchange first.
 * @returns the deposit as it is then
 */
export async function putDeposit(
  trx: Trx,
  given: { publicId: string; exchangeId: number; userId: number; amount: string; nextTryAt: Date; at: Date },
): Promise<DepositRow> {
  const { at, publicId, nextTryAt, ...columns } = given;
  await trx
    .insertInto('deposits')
    .values({ ...columns, publicId, nextTryAt, createdAt: at, updatedAt: at })
    .onConflict((conflict) =>
      conflict
        .columns(['exchangeId', 'userId'])
        .doUpdateSet({
          ...{ publicId, nextTryAt, updatedAt: at, status: 'open', ref: null, attempts: 0 },
          ...{ authorisedAt: null, endedAt: null, lastError: null, waitsFor: null, givenUpAt: null },
        })
        .where('deposits.status', '=', 'voided'),
    )
    .execute();
  const deposit = await findDepositOf(trx, given);
  if (!deposit) throw new Error(`The deposit for exchange ${given.exchangeId} is gone`);
  return deposit;
}

/** Undefined values stay. */
export interface DepositChange {
  readonly status?: DepositStatus;
  readonly ref?: string;
  readonly chargeRef?: string | undefined;
  readonly receiverId?: number | undefined;
  readonly authorisedAt?: Date | undefined;
  readonly capturedAt?: Date | undefined;
  readonly endedAt?: Date | undefined;
  readonly waitsFor?: DepositWait | null;
  readonly lastError?: string | null;
  readonly nextTryAt?: Date | null | undefined;
  readonly givenUpAt?: Date | null;
}

export async function updateDeposit(
  trx: Database | Trx,
  id: number,
  change: DepositChange,
  at: Date,
): Promise<void> {
  const { lastError, ...columns } = change;
  await trx
    .updateTable('deposits')
    .set({ ...columns, lastError: lastError?.slice(0, 1_000) ?? lastError, updatedAt: at })
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}

/** Looks at the deposits of an exchange again now: something was claimed or decided. */
export async function hurryDeposits(trx: Trx, exchangeId: number, at: Date): Promise<void> {
  await trx
    .updateTable('deposits')
    .set({ nextTryAt: at })
    .where('exchangeId', '=', exchangeId)
    .where('endedAt', 'is', null)
    .where('givenUpAt', 'is', null)
    .execute();
}

/** Takes deposits that are due, by moving their next look, so that no other process takes them. */
export async function takeDue(
  db: Database,
  { now, until, limit }: { now: Date; until: Date; limit: number },
): Promise<number[]> {
  const rows = await db
    .updateTable('deposits')
    .set({ nextTryAt: until })
    .where('id', 'in', (due) =>
      due
        .selectFrom('deposits')
        .select('id')
        .where('nextTryAt', '<=', now)
        .orderBy('nextTryAt')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Counts a failure. @returns how many there were */
export async function countFailure(db: Database, id: number): Promise<number> {
  const { attempts } = await db
    .updateTable('deposits')
    .set({ attempts: sql`attempts + 1` })
    .where('id', '=', id)
    .returning('attempts')
    .executeTakeFirstOrThrow();
  return attempts;
}

/** What happened to the exchange of a deposit, and to what its giver gave. */
export async function findFacts(
  db: Database | Trx,
  { exchangeId, userId }: Pick<DepositRow, 'exchangeId' | 'userId'>,
): Promise<{ exchange: DealStatus; given: GivenLeg[]; isConfirmed: boolean }> {
  const rows = await db
    .selectFrom('exchangeLegs as leg')
    .innerJoin('exchanges', 'exchanges.id', 'leg.exchangeId')
    .leftJoin('claims', (join) =>
      join.onRef('claims.exchangeId', '=', 'leg.exchangeId').onRef('claims.couponId', '=', 'leg.couponId'),
    )
    .select(['exchanges.status', 'leg.receiverId', 'claims.status as claim', CLAIM_DEADLINE.as('claimBy')])
    .select(
      sql<boolean>`not exists (
        select from exchange_legs as got where got.exchange_id = leg.exchange_id and not exists (
          select from code_feedback as said where said.coupon_id = got.coupon_id and said.user_id = got.receiver_id
            and said.worked and said.given_at >= exchanges.completed_at))`.as('isConfirmed'),
    )
    .where('leg.exchangeId', '=', exchangeId)
    .where('leg.giverId', '=', userId)
    .orderBy('leg.place')
    .$narrowType<{ status: DealStatus; claim: LegClaimStatus | null }>()
    .execute();
  const [first] = rows;
  if (!first) throw new Error(`Nobody gives anything in exchange ${exchangeId}`);
  const given = rows.map(({ receiverId, claim, claimBy }) => ({ receiverId, claim, claimBy }));
  return { exchange: first.status, given, isConfirmed: first.isConfirmed };
}

/** The people of an exchange, and who of them has put up a deposit. */
export async function listParties(trx: Trx, exchangeId: number) {
  return trx
    .selectFrom('exchangeParties as party')
    .innerJoin('users', 'users.id', 'party.userId')
    .select(['party.userId', 'users.username', 'party.depositAt'])
    .where('party.exchangeId', '=', exchangeId)
    .orderBy('party.userId')
    .execute();
}

/** Whether a person can be paid now: they are neither banned nor suspended nor gone. */
export async function mayBePaid(db: Database, userId: number): Promise<boolean> {
  const found = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('status', 'not in', ['suspended', 'banned'])
    .where('deletedAt', 'is', null)
    .executeTakeFirst();
  return found !== undefined;
}

/** The deposits with one of these ids or charges. */
export async function findNamedDeposits(
  db: Database,
  { ids, chargeRefs }: { ids: readonly number[]; chargeRefs: readonly string[] },
): Promise<DepositRow[]> {
  const rows = await db
    .selectFrom('deposits')
    .selectAll()
    .where(({ eb, or }) =>
      or([
        eb('id', '=', sql<number>`any(${[...ids]}::integer[])`),
        eb('chargeRef', '=', sql<string>`any(${[...chargeRefs]}::text[])`),
      ]),
    )
    .execute();
  return rows.map(toDeposit);
}

/** The deposits for which something was booked from `from` to before `to`. */
export async function listBookedDeposits(
  db: Database,
  { from, to }: { from: Date; to: Date },
): Promise<number[]> {
  const rows = await db
    .selectFrom('ledgerJournals')
    .select('depositId')
    .distinct()
    .where('depositId', 'is not', null)
    .where('createdAt', '>=', from)
    .where('createdAt', '<', to)
    .$narrowType<{ depositId: number }>()
    .execute();
  return rows.map(({ depositId }) => depositId);
}
