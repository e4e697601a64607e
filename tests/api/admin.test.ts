import { beforeAll, describe, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { setUserStatus } from '#server/oversight/moderation/status.ts';
import { startSession } from '#server/people/sessions/sessions.ts';
import { sessionCookieName } from '#server/trpc/context.ts';
import { setUpApp } from '#tests/support/app.ts';
import { actingAs, createUser, TEST_PASSWORD } from '#tests/support/builders.ts';
import { insertHeldSale } from '#tests/support/sales.ts';

const test = setUpApp();
let admin: Actor;
let buyer: Actor;
const SALES = 1_003;
beforeAll(async () => {
  admin = await createUser(test.ctx, { role: 'admin' });
  buyer = await createUser(test.ctx);
  const seller = await createUser(test.ctx);
  const { paymentId } = await insertHeldSale(test.ctx, buyer, seller);
  // Many more with the same time: the pages must order them by id.
  const sale = await test.ctx.db
    .selectFrom('paymentTransactions')
    .selectAll()
    .where('id', '=', paymentId)
    .executeTakeFirstOrThrow();
  const { id: _, publicId: _publicId, ...columns } = sale;
  const copies = Array.from({ length: SALES - 1 }, (__, i) => ({
    ...columns,
    stripePaymentIntentId: `pi_copy_${i}`,
    stripeChargeId: `ch_copy_${i}`,
    status: 'refunded',
    endedAt: sale.paidAt,
  }));
  await test.ctx.db.insertInto('paymentTransactions').values(copies).execute();
  await test.ctx.db.updateTable('coupons').set({ title: '=HYPERLINK("http://x"), "cheap"' }).execute();
});

const CSV = '/api/admin/platform-fees.csv';

it('exports the fees of all sales as one table, each sale once [spec/3 2.83]', async () => {
  const answer = await test.call(admin, { method: 'GET', url: `${CSV}?period=all` });
  expect(answer.statusCode).toBe(200);
  expect(answer.headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="platform-fees.csv"',
    'cache-control': 'no-store',
  });
  const [head, ...rows] = answer.body.trimEnd().split('\r\n');
  expect(head).toBe('id,date,coupon,buyer,seller,amount (CAD),fee (CAD),status');
  expect(rows).toHaveLength(SALES);
  expect(new Set(rows.map((row) => row.split(',')[0])).size).toBe(SALES);
  expect(rows.at(-1)).toMatch(/,20\.00,0\.00,held$/);
});

it('exports no cell as a formula [spec/3 2.83]', async () => {
  const { body } = await test.call(admin, { method: 'GET', url: CSV });
  expect(body).toContain(`"'=HYPERLINK(""http://x""), ""cheap"""`);
  expect(body).not.toMatch(/(^|,)"?=/m);
});

it('answers a banned person’s next call with 401, and refuses to sign them in [decisions 5.2.3]', async () => {
  const person = await createUser(test.ctx);
  const { token } = await startSession(test.ctx.db, test.ctx.clock, person.id);
  const name = sessionCookieName(test.deps.config);
  const ask = () => test.app.inject({ url: '/api/user', headers: { cookie: `${name}=${token}` } });
  expect((await ask()).statusCode).toBe(200);
  const given = { id: person.id, status: 'banned', reason: 'Three people complained.' } as const;
  await setUserStatus(actingAs(test.ctx, admin), given);
  const refused = await ask();
  expect(refused.statusCode).toBe(401);
  // The browser may have a newer session by now.
  expect(refused.cookies).toEqual([]);
  const login = { username: person.username, password: TEST_PASSWORD };
  const signIn = await test.call(null, { method: 'POST', url: '/api/login', body: login });
  expect(signIn.statusCode).toBe(403);
  expect(signIn.json().error).toContain('This account is banned. Reason: Three people complained.');
});

it('clears the cookie when the account is deleted [spec/3 2.63]', async () => {
  const person = await createUser(test.ctx);
  const body = { confirmPassword: TEST_PASSWORD };
  const answer = await test.call(person, { method: 'DELETE', url: '/api/user/account', body });
  expect(answer.json()).toEqual({ ok: true });
  expect(answer.cookies).toEqual([expect.objectContaining({ value: '' })]);
});

it('finds people by a part of their name or address, and by status', async () => {
  const wanted = await createUser(test.ctx, { username: 'Zoe_100', email: 'zoe@coupons.example' });
  await createUser(test.ctx, { username: 'ZoeX100' });
  const find = async (query: string) =>
    (await test.call(admin, { method: 'GET', url: `/api/admin/users?${query}` })).json();
  const found = [expect.objectContaining({ id: wanted.id, email: 'zoe@coupons.example', reportCount: 0 })];
  expect(await find('search=OE_100')).toEqual(found);
  expect(await find('search=coupons.exam')).toEqual(found);
  expect(await find('search=zoe&status=suspended')).toEqual([]);
  expect(await find('search=%25_%25')).toEqual([]);
});

describe('the tables as CSV', () => {
  const get = (who: Actor, url: string) => test.call(who, { method: 'GET', url });

  it('of people has those that the filters leave, and no cell as a formula', async () => {
    const person = await createUser(test.ctx, { username: 'csv-person', email: '=cmd@coupons.example' });
    const { body } = await get(admin, '/api/admin/users.csv?search=csv-pers&sort=name-asc');
    const [head, ...rows] = body.trimEnd().split('\r\n');
    expect(head).toBe('id,user,email,role,status,reports,joined,last sign-in');
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatch(`${person.id},csv-person,'=cmd@coupons.example,user,active,0,`);
  });

  it('of reports is for moderators, and of the admins’ tables for admins alone', async () => {
    const moderator = await createUser(test.ctx, { role: 'moderator' });
    const reports = await get(moderator, '/api/reports.csv?status=all');
    expect([reports.statusCode, reports.body.split(',')[1]]).toEqual([200, 'date']);
    expect((await get(buyer, '/api/reports.csv')).statusCode).toBe(403);
    const tables = ['users', 'audit-log', 'denied-requests', 'transaction-logs', 'seller-debts'];
    for (const table of tables) {
      const url = `/api/admin/${table}.csv`;
      expect([url, (await get(moderator, url)).statusCode]).toEqual([url, 403]);
      expect([url, (await get(admin, url)).statusCode]).toEqual([url, 200]);
    }
  });
});
