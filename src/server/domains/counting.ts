import { type RawBuilder, sql } from 'kysely';

/**
 * Whether what two people do with each other counts for points, ratings and trust: both have confirmed their addresses,
 * and nothing says that they are one person (decisions 5.6). Deleted people had confirmed theirs before they dealt.
 */
export function pairCounts(one: RawBuilder<unknown>, other: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(
    not exists (select from users as side where side.id in (${one}, ${other})
      and side.email_verified_at is null and side.deleted_at is null)
    and not exists (select from uncounted_pairs as pair
      where pair.lower_id = least(${one}, ${other}) and pair.higher_id = greatest(${one}, ${other})))`;
}

/**
 * Whether the receiver of a transferred coupon had given it away before: what comes back does not count, also over
 * others.
 * @param transfer the alias of a row of coupon_transfers
 */
export function comesBack(transfer: string): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from coupon_transfers as given
    where given.from_user_id = ${sql.ref(`${transfer}.toUserId`)} and given.coupon_id = ${sql.ref(`${transfer}.couponId`)}
      and given.id < ${sql.ref(`${transfer}.id`)} and not given.is_return)`;
}

/** Locks people in id order, so that two deals of the same pair cannot deadlock. To be updated in the same statement. */
export function lockedPeople(userIds: readonly number[]): RawBuilder<unknown> {
  return sql`locked as materialized (
    select id from users where id = any(${[...userIds]}::integer[]) order by id for no key update)`;
}
