import { beforeAll, describe, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '#server/testing/builders.ts';
import { setUpDatabase } from '#server/testing/database.ts';
import { createMarket, randomWishes } from '#server/testing/markets.ts';
import { planOf, recorded, rowsSeen, type Statement } from '#server/testing/plans.ts';
import { createRandom } from '#server/testing/random.ts';
import { shortOrLong } from '#server/testing/rounds.ts';
import { findMatches } from './finding.ts';

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
  return [...sent];
}

async function readBy(statements: readonly Statement[]) {
  const sum = { rows: 0, pages: 0 };
  for (const statement of statements.filter(({ sql }) => /^\s*select/.test(sql))) {
    const [top, ...nodes] = await planOf(database, statement);
    sum.pages += top?.['Shared Hit Blocks'] ?? 0;
    for (const node of nodes) if (node['Relation Name']) sum.rows += rowsSeen(node);
  }
  return sum;
}

describe('a change', () => {
  it('reads as little among many people as among a thousand', async () => {
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
