import { sql } from 'kysely';
import type { UserRole, UserStatus } from '#contract/accounts.ts';
import { COUNT_CAP } from '#contract/primitives.ts';
import type { Database, Trx } from '#server/database/client.ts';
import { cappedTotal, offsetOf, type Paging } from '#server/database/paging.ts';

/** One status changes at a time, so that people who judge one another at once wait in line. */
export async function takeTurn(trx: Trx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('clipswap status'))`.execute(trx);
}

const PERSON_COLUMNS = [
  'id',
  'username',
  'email',
  'role',
  'status',
  'reportCount',
  'deletedAt',
  'lastLoginAt',
  'createdAt',
] as const;

export type PersonRow = NonNullable<Awaited<ReturnType<typeof findPerson>>>;

function selectPeople(db: Database | Trx) {
  return db.selectFrom('users').select(PERSON_COLUMNS).$narrowType<{ role: UserRole; status: UserStatus }>();
}

export async function findPerson(db: Database | Trx, id: number) {
  return selectPeople(db).where('id', '=', id).executeTakeFirst();
}

/**
 * Locks a person `for update`: what would refer to them, a listing, a bid, has been written down before or waits, and
 * then finds their new status. Lock deals first.
 */
export async function lockPerson(trx: Trx, id: number): Promise<PersonRow | undefined> {
  return selectPeople(trx).where('id', '=', id).forUpdate().executeTakeFirst();
}

/** A LIKE pattern for texts that contain `term`. */
function containing(term: string) {
  return `%${term.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
}

/** Whoever has the text in their name or address, the newest first. An empty text finds all. */
export async function listPeople(
  db: Database,
  { search, status }: { search: string; status: UserStatus | undefined },
  paging: Paging,
) {
  const offset = offsetOf(paging, COUNT_CAP);
  const found = selectPeople(db)
    .$if(search !== '', (query) =>
      query.where((where) =>
        where.or([
          where(sql<string>`lower(username)`, 'like', containing(search)),
          where(sql<string>`lower(email)`, 'like', containing(search)),
        ]),
      ),
    )
    .$if(status !== undefined, (query) => query.where('status', '=', status ?? 'active'));
  const rows = await found.orderBy('id', 'desc').limit(paging.limit).offset(offset).execute();
  return { rows, ...(await cappedTotal(db, found, COUNT_CAP)) };
}

/** Admins in good standing, apart from this one. */
export async function hasOtherAdmin(trx: Trx, id: number): Promise<boolean> {
  const other = await trx
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'admin')
    .where('status', 'in', ['active', 'warned'])
    .where('deletedAt', 'is', null)
    .where('id', '<>', id)
    .limit(1)
    .executeTakeFirst();
  return other !== undefined;
}

/**
 * Up to `limit` people whose status has not had all its effects: banned ones with something on the lists or a deal
 * that is open and not being paid, and others of whom a ban that is over still hides something.
 */
export async function listUnfinished(db: Database, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    (select id from users where status = 'banned' and (
      exists (select from coupons where owner_id = users.id and is_active)
      or exists (select from exchanges where requester_id = users.id and status in ('pending', 'accepted'))
      or exists (select from exchanges where owner_id = users.id and status in ('pending', 'accepted'))
      or exists (select from bids where users.id in (bidder_id, owner_id) and status in ('pending', 'accepted')
        and not exists (select from payment_transactions p where p.bid_id = bids.id and p.status = 'processing')))
      limit ${limit})
    union
    (select distinct owner_id from coupons join users on users.id = owner_id
      where is_hidden_by_ban and users.status <> 'banned' and users.deleted_at is null limit ${limit})`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}
