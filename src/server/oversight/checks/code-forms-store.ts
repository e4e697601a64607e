import { sql } from 'kysely';
import { PERSONAL_CATEGORIES } from '#contract/coupons/choices.ts';
import type { Trx } from '#server/database/client.ts';

export type Kind = 'coupons' | 'offers';

/** How far the fingerprints of a kind are made; locks it, so that processes take turns. */
export function lockProgress(trx: Trx, kind: Kind) {
  return trx
    .selectFrom('codeForms')
    .select(['form', 'afterId'])
    .where('kind', '=', kind)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

export async function setProgress(
  trx: Trx,
  kind: Kind,
  progress: { form: number; afterId: number | null },
): Promise<void> {
  await trx.updateTable('codeForms').set(progress).where('kind', '=', kind).execute();
}

/** Coupons with a fingerprint, in the order of their ids. */
export function listCoupons(trx: Trx, after: number, limit: number) {
  return trx
    .selectFrom('coupons')
    .innerJoin('couponSecrets', 'couponSecrets.couponId', 'coupons.id')
    .select(['coupons.id', 'coupons.ownerId', 'coupons.merchant', 'coupons.isActive', 'couponSecrets.code'])
    .select(sql<string>`code_hash`.as('before'))
    .select(sql<boolean>`category = any(${PERSONAL_CATEGORIES}) and deleted_at is null`.as('isPersonal'))
    .where('coupons.id', '>', after)
    .where('coupons.codeHash', 'is not', null)
    .orderBy('coupons.id')
    .limit(limit)
    .execute();
}

export function listOffers(trx: Trx, after: number, limit: number) {
  return trx
    .selectFrom('feedOffers')
    .select(['id', 'merchant', 'code', 'identity as before'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** A fingerprint in the form before and in the form of now. */
export interface Change {
  readonly id: number;
  readonly before: string;
  readonly now: string;
}

const given = (changes: readonly Change[]) => sql`
  unnest(${changes.map(({ id }) => id)}::integer[], ${changes.map(({ before }) => before)}::text[],
    ${changes.map(({ now }) => now)}::text[]) as given (id, before, now)`;

/** Who holds the fingerprints of now already: listed coupons, people's imported ones, and last owners in either form. */
export async function listHeld(trx: Trx, changes: readonly Change[]) {
  const hashes = changes.map(({ now }) => now);
  const { rows } = await sql<{ hash: string; kind: 'listed' | 'imported' | 'owned'; ownerId: number }>`
    select code_hash as hash, 'listed' as kind, owner_id from coupons
    where is_active and category not in ('imported', 'scraped') and code_hash = any(${hashes}::text[])
    union all
    select code_hash, 'imported', owner_id from coupons
    where deleted_at is null and category in ('imported', 'scraped') and code_hash = any(${hashes}::text[])
    union all
    select given.now, 'owned', owner_id
    from code_owners join ${given(changes)} on code_owners.code_hash in (given.before, given.now)`.execute(
    trx,
  );
  return rows;
}

/** Stores the fingerprints of coupons, and of what has been said about their codes. */
export async function changeCoupons(trx: Trx, changes: readonly Change[]): Promise<void> {
  await sql`
    update code_owners set code_hash = given.now
    from (select distinct on (now) * from ${given(changes)} order by now, before) as given
    where code_owners.code_hash = given.before
      and not exists (select from code_owners as other where other.code_hash = given.now)`.execute(trx);
  await sql`
    update coupons set code_hash = given.now from ${given(changes)}
    where coupons.id = given.id and code_hash = given.before`.execute(trx);
  await sql`
    update validations set code_hash = given.now
    from (select distinct before, now from ${given(changes)}) as given
    where validations.code_hash = given.before`.execute(trx);
  await changeFeedback(trx, changes, 'coupons');
}

/** Stores the fingerprints of offers, and of what has been said about their codes. */
export async function changeOffers(trx: Trx, changes: readonly Change[]): Promise<void> {
  await sql`
    update feed_offers set identity = given.now from ${given(changes)} where feed_offers.id = given.id`.execute(
    trx,
  );
  await sql`
    update offer_scores set code_hash = given.now from ${given(changes)}
    where offer_scores.code_hash = given.before
      and not exists (select from offer_scores as other where other.code_hash = given.now)`.execute(trx);
  await changeFeedback(trx, changes, 'offers');
}

async function changeFeedback(trx: Trx, changes: readonly Change[], kind: Kind): Promise<void> {
  const isOfKind = kind === 'offers' ? sql`coupon_id is null` : sql`coupon_id is not null`;
  await sql`
    update code_feedback set code_hash = chosen.now
    from (
      select distinct on (given.now, user_id, coupon_id) code_feedback.id, given.now
      from code_feedback join ${given(changes)} on code_feedback.code_hash = given.before
      where ${isOfKind} order by given.now, user_id, coupon_id, given_at desc
    ) as chosen
    where code_feedback.id = chosen.id and not exists (
      select from code_feedback as other where other.code_hash = chosen.now and other.user_id = code_feedback.user_id
        and coalesce(other.coupon_id, 0) = coalesce(code_feedback.coupon_id, 0))`.execute(trx);
}

/** Which of these fingerprints an offer has. */
export async function listOffered(trx: Trx, hashes: readonly string[]): Promise<string[]> {
  const rows = await trx
    .selectFrom('feedOffers')
    .select('identity')
    .where('identity', '=', sql<string>`any(${hashes}::text[])`)
    .execute();
  return rows.map(({ identity }) => identity);
}

export async function deleteOffers(trx: Trx, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await trx.deleteFrom('feedOffers').where('id', 'in', ids).execute();
}
