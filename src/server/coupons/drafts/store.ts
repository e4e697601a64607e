import { type SelectType, sql } from 'kysely';
import { DRAFTS_MAX } from '#contract/coupons/drafts.ts';
import type { Database, Trx } from '#server/database/client.ts';
import type { DB } from '#server/database/types.ts';

/** Stores a mail that is new to its owner. @returns its id; undefined if it has come before */
export async function insertMail(
  trx: Trx,
  { userId, messageKey, at }: { userId: number; messageKey: string; at: Date },
): Promise<number | undefined> {
  const mail = await trx
    .insertInto('inboundMails')
    .values({ userId, messageKey, receivedAt: at, dueAt: at })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return mail?.id;
}

export async function insertParts(trx: Trx, mailId: number, sealed: readonly Buffer[]): Promise<void> {
  if (sealed.length === 0) return;
  const rows = sealed.map((part) => ({ mailId, sealed: part }));
  await trx.insertInto('inboundMailParts').values(rows).execute();
}

/** Replaces what is noted of a mail. */
export async function setReport(trx: Trx, id: number, sealed: Buffer): Promise<void> {
  await trx.updateTable('inboundMails').set({ sealed }).where('id', '=', id).execute();
}

/** What is noted of a mail; null of one that came before notes were taken, or that is gone. */
export async function reportOf(db: Database | Trx, id: number): Promise<Buffer | null> {
  const mail = await db.selectFrom('inboundMails').select('sealed').where('id', '=', id).executeTakeFirst();
  return mail?.sealed ?? null;
}

/** Takes a mail that is due, for this process alone until `until`. */
export function takeMail(db: Database, { at, until }: { at: Date; until: Date }) {
  return db
    .updateTable('inboundMails')
    .set((set) => ({ dueAt: until, attempts: set('attempts', '+', 1) }))
    .where('id', '=', (of) =>
      of
        .selectFrom('inboundMails')
        .select('id')
        .where('dueAt', '<=', at)
        .orderBy('dueAt')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returning(['id', 'userId', 'attempts'])
    .executeTakeFirst();
}

/** The parts of a mail, in the order in which they were stored. */
export function listParts(db: Database | Trx, mailId: number, limit: number) {
  return db
    .selectFrom('inboundMailParts')
    .select(['id', 'sealed'])
    .where('mailId', '=', mailId)
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Locks a mail that is still being read, and postpones the next attempt. @returns whether there is one */
export async function lockMail(trx: Trx, id: number, until: Date | null): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('inboundMails')
    .set({ dueAt: until })
    .where('id', '=', id)
    .where('dueAt', 'is not', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Gives a mail back whose reading was not over when the process had to stop: it counts as no attempt. */
export async function giveBack(db: Database, id: number, at: Date): Promise<void> {
  await db
    .updateTable('inboundMails')
    .set((set) => ({ dueAt: at, attempts: set('attempts', '-', 1) }))
    .where('id', '=', id)
    .where('dueAt', 'is not', null)
    .execute();
}

export async function postpone(db: Database, id: number, until: Date): Promise<void> {
  await db
    .updateTable('inboundMails')
    .set({ dueAt: until })
    .where('id', '=', id)
    .where('dueAt', 'is not', null)
    .execute();
}

/** @returns whether it was there: another process may have read it */
export async function deletePart(trx: Trx, id: number): Promise<boolean> {
  const { numDeletedRows } = await trx.deleteFrom('inboundMailParts').where('id', '=', id).executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function deletePartsOf(trx: Trx, mailId: number): Promise<void> {
  await trx.deleteFrom('inboundMailParts').where('mailId', '=', mailId).execute();
}

interface NewDraft {
  readonly imageId: string | null;
  readonly sealed: Buffer;
}

/** Stores as many of these drafts as the person has room for. @returns how many */
export async function insertDrafts<Given extends NewDraft>(
  trx: Trx,
  { userId, mailId, drafts, at }: { userId: number; mailId: number; drafts: readonly Given[]; at: Date },
): Promise<number> {
  const { rows: places } = await sql<{ place: number }>`
    select place from generate_series(1, ${DRAFTS_MAX}::integer) as place
    where not exists (select from coupon_drafts as taken where taken.user_id = ${userId} and taken.place = place.place)
    order by place limit ${drafts.length}`.execute(trx);
  const rows = places.flatMap(({ place }, index) => {
    const draft = drafts[index];
    return draft ? [{ userId, mailId, place, ...draft, createdAt: at }] : [];
  });
  if (rows.length > 0) await trx.insertInto('couponDrafts').values(rows).execute();
  return rows.length;
}

export async function countDraftsOfMail(db: Database | Trx, mailId: number): Promise<number> {
  const { count } = await db
    .selectFrom('couponDrafts')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('mailId', '=', mailId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function countDrafts(db: Database, userId: number): Promise<number> {
  const { count } = await db
    .selectFrom('couponDrafts')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export type DraftRow = {
  readonly [Column in 'id' | 'mailId' | 'imageId' | 'sealed' | 'createdAt']: SelectType<
    DB['couponDrafts'][Column]
  >;
} & { readonly report: Buffer | null };

/** A person's drafts, the oldest first. */
export function listDrafts(db: Database, userId: number): Promise<DraftRow[]> {
  return db
    .selectFrom('couponDrafts as draft')
    .innerJoin('inboundMails as mail', 'mail.id', 'draft.mailId')
    .select(['draft.id', 'mailId', 'imageId', 'draft.sealed', 'createdAt', 'mail.sealed as report'])
    .where('draft.userId', '=', userId)
    .orderBy('draft.id')
    .execute();
}

/** Makes the views of a person's draft those of the coupon that it has become. */
export async function moveViews(
  trx: Trx,
  { id, userId, couponId }: { id: number; userId: number; couponId: number },
): Promise<void> {
  await sql`
    insert into coupon_reveals (coupon_id, user_id, key_name, address, user_agent, revealed_at)
    select ${couponId}, user_id, key_name, address, user_agent, revealed_at
    from draft_views join coupon_drafts on id = draft_id
    where id = ${id} and user_id = ${userId} order by revealed_at`.execute(trx);
}

/** Deletes a person's draft. @returns its picture; undefined if there is no such draft */
export function deleteDraft(trx: Trx, { id, userId }: { id: number; userId: number }) {
  return trx
    .deleteFrom('couponDrafts')
    .where('id', '=', id)
    .where('userId', '=', userId)
    .returning('imageId')
    .executeTakeFirst();
}

/** Deletes drafts from before then, and the mails. @returns how many drafts */
export async function deleteOld(trx: Trx, before: Date): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom('couponDrafts')
    .where('createdAt', '<', before)
    .executeTakeFirst();
  await trx
    .deleteFrom('inboundMails')
    .where('receivedAt', '<', before)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('couponDrafts').whereRef('couponDrafts.mailId', '=', 'inboundMails.id'))),
    )
    .execute();
  return Number(numDeletedRows);
}

/** Deletes a person's mails and drafts. */
export async function deleteAllOf(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom('couponDrafts').where('userId', '=', userId).execute();
  await trx.deleteFrom('inboundMails').where('userId', '=', userId).execute();
}
