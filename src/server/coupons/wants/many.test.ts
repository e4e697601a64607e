import { beforeAll, describe, expect, it } from 'vitest';
import type { DatabaseHandle } from '#server/database/client.ts';
import { createCoupon, createTestContext, createUser, type TestContext } from '#tests/support/builders.ts';
import { connectTo, setUpDatabase } from '#tests/support/database.ts';
import { planOf, recorded, rowsSeen, type Statement } from '#tests/support/plans.ts';
import { shortOrLong } from '#tests/support/rounds.ts';
import { insertSeekers } from '#tests/support/wants.ts';
import { notifyOfCoupons } from './notify-of-coupons.ts';

const database = setUpDatabase();
let ctx: TestContext;
const sent: Statement[] = [];

beforeAll(() => {
  ctx = createTestContext({ db: recorded(database, sent) });
});

const addWants = (from: number, to: number, search: string | null = null) =>
  insertSeekers(database, { from, to, search });

/** How many wants, and how many pages, the statement reads that looks for the wants of a new coupon. */
async function costOfCoupon(): Promise<{ wants: number; pages: number }> {
  const owner = await createUser(ctx);
  const description =
    'A long text about breakfast, with many words that nobody asks for, at every branch of the shop.';
  const columns = { title: 'Breakfast for two', description, merchant: 'Morning Tables', value: 4_200 };
  await createCoupon(ctx, owner, columns);
  sent.length = 0;
  expect(await notifyOfCoupons(ctx)).toBe(3);
  const looking = sent.find(({ sql }) => sql.includes('from wants') && sql.includes('key = any'));
  if (!looking) throw new Error('Nothing looks for wants');
  const [top, ...nodes] = await planOf(database, looking);
  const read = nodes.filter((node) => node['Relation Name'] === 'wants').map(rowsSeen);
  return { wants: read.reduce((sum, rows) => sum + rows, 0), pages: top?.['Shared Hit Blocks'] ?? 0 };
}

describe('a new coupon', () => {
  it('reads as little with many wants as with a thousand [decisions 3.15.5]', async () => {
    const many = shortOrLong(20_000, 1_000_000);
    await addWants(1, 3, 'breakfast for');
    await addWants(4, 1_000);
    const before = await costOfCoupon();
    await addWants(1_001, many);
    const after = await costOfCoupon();
    const about = JSON.stringify({ before, after });
    expect(after.wants, about).toBeLessThan(3 * before.wants);
    // A thousand are read from the first page to the last; of more, a few pages for each piece of the coupon's text.
    expect(after.pages, about).toBeLessThan(1_000);
  });
});

describe('many people who look for one coupon', () => {
  it('are each told once, by several processes of which one is struck down [decisions 3.15.6]', async () => {
    const people = shortOrLong(1_500, 10_000);
    const [first, last] = [2_000_001, 2_000_000 + people];
    await addWants(first, last, 'unicorn');
    await database.pool.query(
      `insert into notification_preferences (user_id, type, in_app, mail, daily)
       select distinct user_id, 'want', true, true, false from wants where search = 'unicorn'`,
    );
    const processes = [connectTo(database, 2), connectTo(database, 2)];
    const tell = (handle: DatabaseHandle) => notifyOfCoupons(createTestContext(handle));
    const { id } = await createCoupon(ctx, await createUser(ctx), { title: 'A unicorn ride' });
    const told = async () => {
      const { rows } = await database.pool.query<{ user_id: number; notices: number; mails: number }>(
        `select notices.user_id, count(*)::integer as notices, count(mails.id)::integer as mails
         from notifications as notices left join mail_outbox as mails on mails.notification_id = notices.id
         where related_id = $1 group by notices.user_id`,
        [id],
      );
      return rows;
    };
    const struck = Promise.allSettled(processes.map(tell));
    await expect.poll(async () => (await told()).length, { interval: 5 }).toBeGreaterThan(0);
    await database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()`,
    );
    await struck;
    await Promise.all(processes.map(tell));
    await Promise.all(processes.map((handle) => handle.close()));
    const rows = await told();
    expect(rows).toHaveLength(people);
    expect(rows.filter(({ notices, mails }) => notices !== 1 || mails !== 1)).toEqual([]);
    const { rows: left } = await database.pool.query('select * from want_queue');
    expect(left).toEqual([]);
  });
});

it('a coupon that cannot be told of does not hold up the others, and is tried again', async () => {
  await addWants(3_000_001, 3_000_001, 'narwhal');
  const owner = await createUser(ctx);
  const { id } = await createCoupon(ctx, owner, { title: 'First narwhal' });
  await createCoupon(ctx, owner, { title: 'Second narwhal' });
  await database.pool.query(
    `alter table want_finds add constraint broken check (coupon_id <> ${id}) not valid`,
  );
  expect(await notifyOfCoupons(ctx)).toBe(1);
  await database.pool.query('alter table want_finds drop constraint broken');
  expect(await notifyOfCoupons(ctx)).toBe(1);
});
