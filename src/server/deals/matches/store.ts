import { sql } from 'kysely';
import type { DismissReason } from '#contract/deals/matches.ts';
import type { Trx } from '#server/database/client.ts';
import { type Changed, isMatchable, takesPart } from './edges-store.ts';
import type { Dismissal, Found } from './rules.ts';

/**
 * Whether a match (`matches`) can still be: each leg is one that its receiver would take, nobody is blocked, banned,
 * gone or away, no dismissal speaks against it (as `judge` has it), and the same swap is not proposed already.
 */
export function isLive(now: Date) {
  return sql<boolean>`(
    not exists (
      select from match_legs as leg where leg.match_id = matches.id and not exists (
        select from coupons where coupons.id = leg.coupon_id and coupons.owner_id = leg.giver_id and ${isMatchable(now)}
          and exists (select from users where users.id = leg.giver_id and ${takesPart(now)})
          and exists (select from match_edges as edge where edge.coupon_id = leg.coupon_id
            and edge.taker_id = leg.receiver_id and edge.owner_id = leg.giver_id
            and (not edge.gives_some or exists (
              select from match_legs as gift join want_gifts on want_gifts.want_id = edge.want_id
                and want_gifts.coupon_id = gift.coupon_id
              where gift.match_id = leg.match_id and gift.giver_id = leg.receiver_id)))))
    and not exists (
      select from match_legs as one join match_legs as other on other.match_id = one.match_id
        join user_blocks on blocker_id = one.giver_id and blocked_id = other.giver_id
      where one.match_id = matches.id)
    and not exists (
      select from match_legs as gets join match_dismissals as dismissal on dismissal.user_id = gets.receiver_id
        join match_legs as gives on gives.match_id = gets.match_id and gives.giver_id = gets.receiver_id
      where gets.match_id = matches.id and case dismissal.reason
        when 'not_interested' then dismissal.coupon_id = gets.coupon_id
        when 'keep_mine' then dismissal.gift_id = gives.coupon_id
          and (dismissal.coupon_id = gets.coupon_id or dismissal.want_id = gets.want_id)
        when 'person' then exists (
          select from match_legs where match_id = matches.id and giver_id = dismissal.person_id)
        else (
          select got.value - given.value <= dismissal.difference from coupons as got, coupons as given
          where got.id = gets.coupon_id and given.id = gives.coupon_id
            and got.discount_type = 'fixed' and given.discount_type = 'fixed')
        end)
    and not exists (
      select from match_legs as one
        join exchange_legs as asked on asked.coupon_id = one.coupon_id and asked.status in ('pending', 'accepted')
        join exchange_legs as given on given.exchange_id = asked.exchange_id and given.giver_id <> asked.giver_id
        join match_legs as other on other.match_id = one.match_id and other.coupon_id = given.coupon_id
      where one.match_id = matches.id and matches.size = 2))`;
}

/** Marks an open match as proposed. @returns whether it was open */
export async function setProposed(
  trx: Trx,
  { id, exchangeId, at }: { id: number; exchangeId: number; at: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('matches')
    .set({ state: 'proposed', isChosen: false, exchangeId, updatedAt: at })
    .where('id', '=', id)
    .where('state', '=', 'open')
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Stores what was found; what is known already gets its new rank, unless somebody has decided on it. */
export async function insertFound(trx: Trx, found: readonly Found[], at: Date): Promise<void> {
  if (found.length === 0) return;
  const rows = found.map(({ key, legs, isExplicit, difference, score }) => ({
    key,
    size: legs.length,
    isExplicit,
    difference,
    score,
    createdAt: at,
    updatedAt: at,
  }));
  const stored = await trx
    .insertInto('matches')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet(({ ref }) => ({
          isExplicit: ref('excluded.isExplicit'),
          difference: ref('excluded.difference'),
          score: ref('excluded.score'),
        }))
        .where('matches.state', 'in', ['waiting', 'open']),
    )
    .returning(['id', 'key'])
    .execute();
  const idOf = new Map(stored.map(({ id, key }) => [key, id]));
  const legs = found.flatMap(({ key, legs: edges }) => {
    const matchId = idOf.get(key);
    if (matchId === undefined) return [];
    return edges.map(({ couponId, ownerId, takerId, wantId }, place) => {
      return { matchId, place, couponId, giverId: ownerId, receiverId: takerId, wantId };
    });
  });
  if (legs.length === 0) return;
  // The same ring may be found from another leg on: its places stay, but a leg may be of another want by now.
  await sql`
    with given as (
      select * from unnest(${legs.map((leg) => leg.matchId)}::integer[], ${legs.map((leg) => leg.place)}::integer[],
        ${legs.map((leg) => leg.couponId)}::integer[], ${legs.map((leg) => leg.giverId)}::integer[],
        ${legs.map((leg) => leg.receiverId)}::integer[], ${legs.map((leg) => leg.wantId)}::integer[])
        as given (match_id, place, coupon_id, giver_id, receiver_id, want_id)
    ), changed as (
      update match_legs set want_id = given.want_id from given
      where match_legs.match_id = given.match_id and match_legs.giver_id = given.giver_id
        and match_legs.want_id is distinct from given.want_id
    )
    insert into match_legs (match_id, place, coupon_id, giver_id, receiver_id, want_id)
    select * from given
    on conflict do nothing`.execute(trx);
}

interface PlacedLeg {
  readonly couponId: number;
  readonly giverId: number;
  readonly wantId: number | null;
  readonly slot: number | null;
}

/** A match that is open, or waits to be. */
export interface Placed {
  readonly id: number;
  readonly state: 'waiting' | 'open';
  readonly isChosen: boolean;
  readonly isExplicit: boolean;
  readonly isLive: boolean;
  readonly score: number;
  readonly legs: readonly PlacedLeg[];
}

/**
 * The open matches that these people are in, and the waiting ones if asked for.
 * @param given.liveAt the instant at which they have to be live; null takes all for live, which costs a tenth
 */
export async function listPlaced(
  trx: Trx,
  userIds: readonly number[],
  given: { withWaiting: boolean; liveAt: Date | null },
): Promise<Placed[]> {
  const states = given.withWaiting ? ['open', 'waiting'] : ['open'];
  const live = given.liveAt === null ? sql`true` : isLive(given.liveAt);
  const { rows } = await sql<Placed>`
    select id, state, is_chosen, is_explicit, score, ${live} as is_live, (
      select json_agg(json_build_object('couponId', coupon_id, 'giverId', giver_id, 'wantId', want_id, 'slot', slot)
        order by place) from match_legs where match_id = matches.id) as legs
    from matches
    where state = any(${states}::text[])
      and id in (select match_id from match_legs where giver_id = any(${userIds}::integer[]))
    order by id`.execute(trx);
  return rows;
}

/** Those of these matches that can no longer be. */
export async function listEnded(trx: Trx, ids: readonly number[], now: Date): Promise<number[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<{ id: number }>`
    select id from matches where id = any(${ids}::integer[]) and not ${isLive(now)}`.execute(trx);
  return rows.map(({ id }) => id);
}

/** The people of the open and waiting matches with these coupons, for these wants, or with what somebody has saved. */
export async function listPeopleOf(
  trx: Trx,
  given: Pick<Changed, 'couponIds' | 'wantIds' | 'saves'>,
): Promise<number[]> {
  const { couponIds, wantIds, saves } = given;
  if (couponIds.length + wantIds.length + saves.length === 0) return [];
  const { rows } = await sql<{ giverId: number }>`
    select distinct giver_id from match_legs join matches on matches.id = match_id
    where state in ('open', 'waiting') and match_id in (
      select match_id from match_legs where coupon_id = any(${couponIds}::integer[])
      union select match_id from match_legs where want_id = any(${wantIds}::integer[])
      union select match_id from match_legs join unnest(${saves.map(({ couponId }) => couponId)}::integer[],
        ${saves.map(({ userId }) => userId)}::integer[]) as saved (coupon_id, receiver_id)
        using (coupon_id, receiver_id))`.execute(trx);
  return rows.map(({ giverId }) => giverId);
}

export async function deleteMatches(trx: Trx, ids: readonly number[]): Promise<void> {
  await sql`delete from matches where id = any(${ids}::integer[]) and state in ('waiting', 'open')`.execute(
    trx,
  );
}

/** Takes matches from their people's lists. Like `dismiss`, it changes matches before their legs, so that they cannot deadlock. */
export async function closeMatches(trx: Trx, ids: readonly number[], at: Date): Promise<void> {
  await sql`
    update matches set state = 'waiting', is_chosen = false, updated_at = ${at}::timestamptz
    where id = any(${ids}::integer[]) and state = 'open'`.execute(trx);
  await sql`
    update match_legs set slot = null, awaits_notification = false where match_id = any(${ids}::integer[])`.execute(
    trx,
  );
}

/** Puts matches on their people's lists, each leg in a slot of its giver. */
export async function openMatches(
  trx: Trx,
  opened: readonly { id: number; isExplicit: boolean; slots: readonly { giverId: number; slot: number }[] }[],
  at: Date,
): Promise<void> {
  const legs = opened.flatMap(({ id, isExplicit, slots }) =>
    slots.map((leg) => ({ ...leg, id, isExplicit })),
  );
  await sql`
    update matches set state = 'open', updated_at = ${at}::timestamptz
    where id = any(${opened.map(({ id }) => id)}::integer[]) and state = 'waiting'`.execute(trx);
  await sql`
    update match_legs set slot = given.slot, awaits_notification = given.is_explicit
    from unnest(${legs.map(({ id }) => id)}::integer[], ${legs.map(({ giverId }) => giverId)}::integer[],
      ${legs.map(({ slot }) => slot)}::integer[], ${legs.map((leg) => leg.isExplicit)}::boolean[])
      as given (match_id, giver_id, slot, is_explicit)
    where match_legs.match_id = given.match_id and match_legs.giver_id = given.giver_id`.execute(trx);
}

/** Notes which of these open matches belong to the choice that makes the most trades. */
export async function setChosen(trx: Trx, ids: readonly number[], chosen: readonly number[]): Promise<void> {
  await sql`
    update matches set is_chosen = id = any(${chosen}::integer[])
    where id = any(${ids}::integer[]) and state = 'open' and is_chosen <> (id = any(${chosen}::integer[]))`.execute(
    trx,
  );
}

/** Dismisses an open match of the person. @returns false if there is no such match */
export async function dismiss(
  trx: Trx,
  given: { id: number; userId: number; reason: DismissReason; at: Date },
): Promise<boolean> {
  const { id, userId, reason, at } = given;
  const { numUpdatedRows } = await trx
    .updateTable('matches')
    .set({ state: 'dismissed', isChosen: false, dismissedById: userId, reason, updatedAt: at })
    .where('id', '=', id)
    .where('state', '=', 'open')
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('matchLegs').whereRef('matchId', '=', 'matches.id').where('giverId', '=', userId)),
    )
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Frees the slots of a match that is open no more, and has its people's lists filled up. */
export async function leaveSlots(trx: Trx, id: number): Promise<void> {
  await sql`
    insert into match_queue (user_id) select giver_id from match_legs where match_id = ${id}`.execute(trx);
  await sql`update match_legs set slot = null, awaits_notification = false where match_id = ${id}`.execute(
    trx,
  );
}

export async function insertDismissal(trx: Trx, dismissal: Dismissal, at: Date): Promise<void> {
  await trx
    .insertInto('matchDismissals')
    .values({ ...dismissal, createdAt: at })
    .execute();
}

/** Deletes what the finder knows of a person who leaves. */
export async function deleteKnowledgeOf(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom('matchDismissals').where('userId', '=', userId).execute();
  await trx.deleteFrom('matchWishes').where('userId', '=', userId).execute();
  await trx.deleteFrom('matchNotifications').where('userId', '=', userId).execute();
  await trx.deleteFrom('matchSwapsNotified').where('userId', '=', userId).execute();
  await trx.deleteFrom('matchEdges').where('takerId', '=', userId).execute();
}
