import { beforeAll, describe, expect, it } from 'vitest';
import { actingAs, createTestContext, createUser, type TestContext } from '#tests/support/builders.ts';
import { setUpDatabase } from '#tests/support/database.ts';
import { createMarket, randomWishes } from '#tests/support/markets.ts';
import { planOf, recorded, rowsSeen, type Statement } from '#tests/support/plans.ts';
import { createRandom } from '#tests/support/random.ts';
import { shortOrLong } from '#tests/support/rounds.ts';
import { findMatches } from './find-matches.ts';
import { refreshMatches } from './refresh-matches.ts';
import { countMatches, listMatches } from './service.ts';

const database = setUpDatabase();
const sent: Statement[] = [];
let ctx: TestContext;
beforeAll(() => {
  ctx = createTestContext({ db: recorded(database, sent) });
});

const random = createRandom(17);

/** Adds people with wishes of each other, through whose edges nobody looks. */
async function grow(people: number, wishesEach: number): Promise<number[]> {
  const ids = await createMarket(ctx, database, { people, wishes: randomWishes(random, people, wishesEach) });
  await database.pool.query('update match_edges set searched_at = now() where searched_at is null');
  await database.pool.query('vacuum analyze match_edges');
  return ids;
}

/** Each of two people saves the coupon of the other. @returns what the finder sends for it */
async function statementsOfChange(ids: readonly number[], first: number) {
  const couple = [ids[first], ids[first + 1]];
  await database.pool.query(
    `insert into saved_coupons (user_id, coupon_id, created_at)
    select person, coupons.id, now() from unnest($1::integer[]) as person
    join coupons on coupons.owner_id = any($1) and coupons.owner_id <> person on conflict do nothing`,
    [couple],
  );
  sent.length = 0;
  expect(await findMatches(ctx)).toBe(2);
  return sent.filter(({ sql }) => /^\s*select/.test(sql));
}

async function readBy(statements: readonly Statement[]) {
  const sum = { rows: 0, pages: 0 };
  for (const statement of statements) {
    const [top, ...nodes] = await planOf(database, statement);
    sum.pages += top?.['Shared Hit Blocks'] ?? 0;
    for (const node of nodes) if (node['Relation Name']) sum.rows += rowsSeen(node);
  }
  return sum;
}

describe('a change', () => {
  it('reads as little among many people as among a thousand [decisions 3.15.20]', async () => {
    const few = await grow(1_000, 3);
    const before = await readBy(await statementsOfChange(few, 10));
    await grow(shortOrLong(4_000, 99_000), shortOrLong(3, 1));
    const after = await readBy(await statementsOfChange(few, 20));
    const about = JSON.stringify({ before, after });
    expect(before.rows, about).toBeGreaterThan(10);
    expect(after.rows, about).toBeLessThan(3 * before.rows);
    expect(after.pages, about).toBeLessThan(3 * before.pages);
  });
});

/** A match for each two people who wish for each other's coupons, without the finder's work. */
const COUPLES_SQL = `
  with couples as (
    select one.owner_id || ' ' || one.taker_id as key, one.*, other.coupon_id as gift_id, other.want_id as gift_want_id
    from match_edges as one join match_edges as other on other.taker_id = one.owner_id and other.owner_id = one.taker_id
    where one.taker_id = one.owner_id + 1 and not exists (
      select from match_legs where giver_id in (one.owner_id, one.taker_id))
  ), stored as (
    insert into matches (key, size, state, is_explicit, score, created_at, updated_at)
    select key, 2, 'open', true, 1, now(), now() from couples returning id, key
  )
  insert into match_legs (match_id, place, coupon_id, giver_id, receiver_id, want_id, slot)
  select stored.id, 0, coupon_id, owner_id, taker_id, want_id, 1 from couples join stored using (key)
  union all
  select stored.id, 1, gift_id, taker_id, owner_id, gift_want_id, 1 from couples join stored using (key)`;

/** Of what one person has. */
const MOST_ROWS_OF_ONE = 100;

describe('the matches of a person', () => {
  it('are listed and counted without those of others', async () => {
    const people = 1_000;
    const wishes = Array.from({ length: people }, (_, one) => [one, one % 2 ? one - 1 : one + 1] as const);
    const ids = await createMarket(ctx, database, { people, wishes });
    await database.pool.query(COUPLES_SQL);
    await database.pool.query('vacuum analyze matches, match_legs, match_edges, coupons, users');
    const me = actingAs(ctx, { ...(await createUser(ctx)), id: ids[10] ?? 0 });
    sent.length = 0;
    expect(await listMatches(me)).toHaveLength(1);
    expect((await countMatches(me)).open).toBe(1);
    expect((await readBy(sent)).rows).toBeLessThan(MOST_ROWS_OF_ONE);
  });

  it('are placed each night with those of many others in a transaction', async () => {
    await database.pool.query('update match_edges set searched_at = $1', [ctx.clock()]);
    sent.length = 0;
    const placed = await refreshMatches(ctx);
    expect(placed).toBeGreaterThan(900);
    const transactions = sent.filter(({ sql }) => sql === 'commit').length;
    expect(transactions).toBeGreaterThan(1);
    expect(transactions).toBeLessThan(placed / 50);
  });
});
