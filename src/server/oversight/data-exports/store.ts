import { type RawBuilder, sql } from 'kysely';
import type { Database, Trx } from '#server/database/client.ts';
import type { Content } from './contents.ts';

/** Asks for a copy. The one before is discarded first: there is one at a time. */
export async function insertExport(
  trx: Trx,
  given: { id: string; userId: number; hasCodes: boolean; at: Date },
): Promise<void> {
  const { at, ...values } = given;
  await discardOf(trx, given.userId, at);
  await trx
    .insertInto('dataExports')
    .values({ ...values, requestedAt: at, nextTryAt: at })
    .execute();
}

/** A person's copy, if there is one. */
export function findExport(db: Database | Trx, userId: number) {
  return db
    .selectFrom('dataExports')
    .select(['id', 'hasCodes', 'requestedAt', 'readyAt', 'failedAt', 'parts', 'size'])
    .where('userId', '=', userId)
    .where('discardedAt', 'is', null)
    .executeTakeFirst();
}

/** Takes the copy that has waited longest, and counts the attempt. `retryAt`: when it is tried again if this one fails. */
export function takeWaiting(db: Database, given: { at: Date; retryAt: Date }) {
  const waiting = db
    .selectFrom('dataExports')
    .select('id')
    .where('nextTryAt', '<=', given.at)
    .where('readyAt', 'is', null)
    .where('failedAt', 'is', null)
    .where('discardedAt', 'is', null)
    .orderBy('nextTryAt')
    .limit(1)
    .forUpdate()
    .skipLocked();
  return db
    .updateTable('dataExports')
    .set((eb) => ({ attempts: eb('attempts', '+', 1), nextTryAt: given.retryAt }))
    .where('id', '=', waiting)
    .returning(['id', 'userId', 'hasCodes', 'attempts', 'requestedAt'])
    .returning((eb) =>
      eb
        .selectFrom('users')
        .select('language')
        .whereRef('users.id', '=', 'dataExports.userId')
        .as('language'),
    )
    .executeTakeFirst();
}

/** Notes how many files the storage has, before one is put. @returns false if the copy was discarded meanwhile */
export async function noteParts(db: Database, id: string, parts: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('dataExports')
    .set((eb) => ({ parts: eb.fn<number>('greatest', ['parts', eb.val(parts)]) }))
    .where('id', '=', id)
    .where('discardedAt', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** @returns false if the copy was discarded meanwhile */
export async function markReady(
  trx: Trx,
  { id, size, at }: { id: string; size: number; at: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('dataExports')
    .set({ size, readyAt: at })
    .where('id', '=', id)
    .where('discardedAt', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function markFailed(db: Database, id: string, at: Date): Promise<void> {
  await db.updateTable('dataExports').set({ failedAt: at }).where('id', '=', id).execute();
}

export async function discardOf(trx: Trx, userId: number, at: Date): Promise<void> {
  await trx
    .updateTable('dataExports')
    .set({ discardedAt: at })
    .where('userId', '=', userId)
    .where('discardedAt', 'is', null)
    .execute();
}

/** Discards what was finished before `readyBefore`, or asked for before `requestedBefore` and never finished. */
export async function discardPast(
  db: Database,
  { readyBefore, requestedBefore, at }: { readyBefore: Date; requestedBefore: Date; at: Date },
): Promise<void> {
  await db
    .updateTable('dataExports')
    .set({ discardedAt: at })
    .where('discardedAt', 'is', null)
    .where((eb) =>
      eb.or([
        eb('readyAt', '<', readyBefore),
        eb.and([eb('readyAt', 'is', null), eb('requestedAt', '<', requestedBefore)]),
      ]),
    )
    .execute();
}

export function listDiscarded(db: Database, { after, limit }: { after: string; limit: number }) {
  return db
    .selectFrom('dataExports')
    .select(['id', 'parts'])
    .where('discardedAt', 'is not', null)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
}

export async function deleteDiscarded(db: Database, ids: readonly string[]): Promise<void> {
  if (ids.length > 0)
    await db
      .deleteFrom('dataExports')
      .where('id', 'in', [...ids])
      .execute();
}

/** A column of a table, by the names of the program. */
export interface Column {
  readonly table: string;
  readonly column: string;
  /** As PostgreSQL writes it. */
  readonly type: string;
  readonly isNullable: boolean;
  /** Its place in the primary key; null: it is not part of it. */
  readonly keyPlace: number | null;
}

/** The columns of all tables, as the database has them. */
export async function listColumns(db: Database): Promise<Column[]> {
  const { rows } = await sql<Column>`
    select class.relname as "table", attribute.attname as "column",
      format_type(attribute.atttypid, null) as type, not attribute.attnotnull as is_nullable,
      array_position(index.indkey::smallint[], attribute.attnum) as key_place
    from pg_class as class
    join pg_attribute as attribute on attribute.attrelid = class.oid and attribute.attnum > 0
      and not attribute.attisdropped
    left join pg_index as index on index.indrelid = class.oid and index.indisprimary
    where class.relnamespace = current_schema()::regnamespace and class.relkind = 'r'
    order by class.relname, attribute.attnum`.execute(db);
  return rows.map((row) => ({ ...row, table: camel(row.table), column: camel(row.column) }));
}

const camel = (name: string) => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

type Row = Readonly<Record<string, unknown>>;

/**
 * Some rows of a content, in the order of the primary key.
 * @param given.columns to read, the primary key among them
 * @param given.after the last row before; null: from the start
 */
export async function readRows(
  db: Database,
  content: Content,
  given: {
    userId: number;
    at: Date;
    columns: readonly string[];
    key: readonly string[];
    after: Row | null;
    limit: number;
  },
): Promise<Row[]> {
  const { userId, at, columns, key, after, limit } = given;
  const names = (list: readonly string[]) => sql.join(list.map((name) => sql.ref(name)));
  const { rows } = await sql<Row>`
    -- Materialized: else the planner walks the whole table in the order of the key.
    with theirs as materialized (
      select ${names(columns)} from ${sql.table(content.table)}
      where ${isTheirs(content, userId)}
        ${content.visibleFrom ? sql`and ${sql.ref(content.visibleFrom)} <= ${at}` : sql``}
        ${after ? sql`and (${names(key)}) > (${sql.join(key.map((name) => after[name]))})` : sql``})
    select * from theirs order by ${names(key)} limit ${limit}`.execute(db);
  return rows;
}

function isTheirs({ people, through }: Content, userId: number): RawBuilder<boolean> {
  const own = people.map((column) => sql<boolean>`${sql.ref(column)} = ${userId}`);
  if (!through) return anyOf(own);
  const of = through.people.map((column) => sql<boolean>`${sql.ref(column)} = ${userId}`);
  const rows = sql`select ${sql.ref(through.key)} from ${sql.table(through.table)} where ${anyOf(of)}`;
  return anyOf([...own, sql<boolean>`${sql.ref(through.by)} in (${rows})`]);
}

const anyOf = (conditions: readonly RawBuilder<boolean>[]) =>
  sql<boolean>`(${sql.join(conditions, sql` or `)})`;

/** A person's profile picture and the pictures of their coupons, by coupon; null: of the profile. */
export async function listPictures(db: Database, userId: number) {
  const ofCoupons = db
    .selectFrom('coupons')
    .select(['id as couponId', 'pictureId'])
    .where('ownerId', '=', userId)
    .where('deletedAt', 'is', null)
    .where('pictureId', 'is not', null)
    .$narrowType<{ pictureId: string }>()
    .orderBy('id');
  const ofProfile = db.selectFrom('users').select('pictureId').where('id', '=', userId);
  const profile = (await ofProfile.executeTakeFirst())?.pictureId ?? null;
  const pictures: { couponId: number | null; pictureId: string }[] = await ofCoupons.execute();
  return profile === null ? pictures : [{ couponId: null, pictureId: profile }, ...pictures];
}

/** The pictures that a person gave for claims, and with `hasCodes` those of their coupons’ codes. */
export function listImages(db: Database, { userId, hasCodes }: { userId: number; hasCodes: boolean }) {
  return db
    .selectFrom('images')
    .leftJoin('coupons', 'coupons.id', 'images.couponId')
    .select(['images.id', 'images.contentType', 'images.couponId', 'images.claimId', 'images.kind'])
    .where('images.discardedAt', 'is', null)
    .where((eb) =>
      eb.or([
        eb.and([eb('images.uploaderId', '=', userId), eb('images.claimId', 'is not', null)]),
        ...(hasCodes
          ? [eb.and([eb('coupons.ownerId', '=', userId), eb('coupons.deletedAt', 'is', null)])]
          : []),
      ]),
    )
    .orderBy('images.id')
    .execute();
}
