import { type RawBuilder, sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { createCoupon, createUser, setUpContext } from '#tests/support/builders.ts';
import { createRandom } from '#tests/support/random.ts';
import {
  type CompletedDeal,
  completeExchange,
  completeSaleOf,
  rate,
  undoSale,
} from '#tests/support/ratings.ts';
import { shortOrLong } from '#tests/support/rounds.ts';
import { recountEverybody, refreshLeaderboard } from './service.ts';

/** After all that happens, those in the queue are those whose points have changed. */

const ctx = setUpContext();
const random = createRandom(77);
const people: Actor[] = [];
const deals: { deal: CompletedDeal; one: Actor; two: Actor }[] = [];
/** The ids of two who have dealt, the lower first. */
const dealt: number[][] = [];
beforeAll(async () => {
  for (let i = 0; i < 8; i += 1) people.push(await createUser(ctx));
});

const one = <Item>(items: readonly Item[]) => items[random(items.length)];
const hash = () => random(6).toString(16).padStart(64, '0');

/** Two people who can deal. */
async function pair(): Promise<readonly [Actor, Actor] | null> {
  const { rows } = await sql<{ id: number }>`select id from users
    where status = 'active' and deleted_at is null and email_verified_at is not null order by id`.execute(
    ctx.db,
  );
  const able = people.filter(({ id }) => rows.some((row) => row.id === id));
  const first = one(able);
  const second = one(able.filter((person) => person !== first));
  return first && second ? [first, second] : null;
}

async function deal(by: (first: Actor, second: Actor) => Promise<CompletedDeal>): Promise<void> {
  const two = await pair();
  if (!two) return;
  deals.push({ deal: await by(...two), one: two[0], two: two[1] });
  dealt.push(two.map(({ id }) => id).sort((a, b) => a - b));
}

const changeCoupon = (change: RawBuilder<unknown>) =>
  sql`update coupons set ${change} where id = (
    select id from coupons where code_hash is not null and deleted_at is null and not is_active
    order by md5(concat(id, ${random(1_000)}::integer)) limit 1)`.execute(ctx.db);
const changePerson = (change: RawBuilder<unknown>) =>
  sql`update users set ${change} where id = ${one(people)?.id}`.execute(ctx.db);

/** All that happens to what is counted. */
const ACTS: Readonly<Record<string, () => Promise<unknown>>> = {
  async 'a coupon is listed'() {
    const owner = one(people) ?? { id: 0 };
    const listed = { isVerified: random(2) === 0, isActive: false, code: null, codeHash: hash() };
    await createCoupon(ctx, owner, listed);
  },
  'a coupon is verified, or no longer': () => changeCoupon(sql`is_verified = not is_verified`),
  'a coupon gets another code': () => changeCoupon(sql`code_hash = ${hash()}`),
  'a coupon gets another category': () =>
    changeCoupon(sql`category = case category when 'scraped' then 'food' else 'scraped' end`),
  'a coupon is deleted': () => changeCoupon(sql`deleted_at = ${ctx.clock()}`),
  'people exchange': () => deal((first, second) => completeExchange(ctx, first, second)),
  'somebody buys': () =>
    deal((first, second) => completeSaleOf(ctx, first, second, { coupon: { isVerified: true } })),
  async 'a sale is undone'() {
    const at = deals.findIndex(({ deal: { dealType } }) => dealType === 'bid');
    const [undone] = at < 0 ? [] : deals.splice(at, 1);
    if (undone) await undoSale(ctx, undone.deal);
  },
  async 'one rates the other'() {
    const done = deals.shift();
    if (done) await rate(ctx, done.one, done.deal, 1 + random(10));
  },
  async 'both rate each other'() {
    const done = deals.pop();
    if (!done) return;
    await rate(ctx, done.one, done.deal, 1 + random(10));
    await rate(ctx, done.two, done.deal, 1 + random(10));
  },
  'time passes': async () => ctx.clock.advanceDays(random(5)),
  async 'two turn out to be one'() {
    const [lower, higher] = one(dealt) ?? [];
    if (!lower || !higher) return;
    await sql`insert into uncounted_pairs values (${lower}, ${higher}) on conflict do nothing`.execute(
      ctx.db,
    );
  },
  'somebody is banned, or no longer': () =>
    changePerson(sql`status = case status when 'banned' then 'active' else 'banned' end`),
  'somebody leaves': async () => {
    if (random(6) === 0) await changePerson(sql`deleted_at = ${ctx.clock()}`);
    people.push(await createUser(ctx));
  },
  'an address is confirmed, or no longer': () =>
    changePerson(
      sql`email_verified_at = case when email_verified_at is null then ${ctx.clock()}::timestamptz end`,
    ),
};

/** All that a refresh writes. */
async function counted() {
  const entries = await sql`select user_id, category, rank, score, average_rating, reached_at
    from leaderboard order by category, rank`.execute(ctx.db);
  const stored = await sql`select id, verified_coupons, deal_partners, rating_count, total_rating
    from users order by id`.execute(ctx.db);
  return { entries: entries.rows, stored: stored.rows };
}

it('whatever happens, a refresh counts what counting everybody gives', async () => {
  let written = 0;
  for (let round = 0; round < shortOrLong(6, 60); round += 1) {
    for (const [name, act] of Object.entries(ACTS)) {
      await act();
      const { added, changed, removed } = await refreshLeaderboard(ctx);
      written += added + changed + removed;
      const byQueue = await counted();
      await recountEverybody(ctx);
      await refreshLeaderboard(ctx);
      expect(byQueue, `${name}, round ${round}`).toEqual(await counted());
    }
  }
  expect(written).toBeGreaterThan(50);
});
