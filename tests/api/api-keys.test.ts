import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiScope } from '#contract/people/api-keys.ts';
import { API_KEY_READS_A_MINUTE, API_KEY_WRITES_A_MINUTE } from '#contract/people/program-limits.ts';
import type { Actor } from '#server/context/context.ts';
import { isWhole, makeToken } from '#server/people/api-keys/tokens.ts';
import { startSession } from '#server/people/sessions/sessions.ts';
import { createApiKey } from '#tests/support/api-keys.ts';
import { createTestApp, keptLog, setUpApp, type TestCall } from '#tests/support/app.ts';
import { makeReady, setPrices } from '#tests/support/bids.ts';
import { createCoupon, createUser } from '#tests/support/builders.ts';
import { formOf } from './upload-forms.ts';

/** Programs with a key: what it opens, what it does not, and where it never appears. Scopes by call: access.test.ts. */

const CODE = 'WOOLLEN-MITTENS-4471';
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

const { log, lines: logged } = keptLog('debug');
const test = setUpApp({ log, withLimits: true, config: { isProduction: true, logLevel: 'debug' } });
let owner: Actor;
let couponId: number;
/** All keys that were sent. */
const sent: string[] = [];

beforeAll(async () => {
  owner = await createUser(test.ctx);
  couponId = (await createCoupon(test.ctx, owner, { code: CODE })).id;
});

const withToken = (token: string, call: TestCall) => {
  sent.push(token);
  const authorization = `Bearer ${token}`;
  return test.call(null, { ...call, headers: { authorization, ...call.headers } });
};
const keyFor = (who: Actor, scopes?: readonly ApiScope[]) => createApiKey(test.ctx, who, { scopes });
const readUser = { method: 'GET', url: '/api/user' } as const;
const reveal = () => ({ method: 'POST', url: `/api/coupons/${couponId}/reveal` }) as const;

/** A call by each way in. */
const doors = (): Record<string, TestCall> => ({
  'a read by REST': readUser,
  'a write by REST': { method: 'PUT', url: '/api/user/language', body: { language: 'en' } },
  'a query by tRPC': { method: 'GET', url: '/api/trpc/accounts.me' },
  'a query by tRPC’s plugin': { method: 'GET', url: '/api/trpc/accounts.me?x=1' },
  'a mutation by tRPC': {
    method: 'POST',
    url: '/api/trpc/accounts.chooseLanguage',
    body: { language: 'en' },
  },
  'a picture of a code': { method: 'GET', url: `/api/coupons/${couponId}/qrcode` },
  'a table': { method: 'GET', url: '/api/seller-statement.csv?month=2035-05' },
});

const upload = (token: string) => {
  const { headers, payload } = formOf({ file: PICTURE, field: 'image' });
  sent.push(token);
  const all = { ...headers, authorization: `Bearer ${token}` };
  return test.app.inject({ method: 'POST', url: '/api/upload/picture', headers: all, payload });
};

describe('a key', () => {
  it('opens every door, from everywhere, and sets no cookie', async () => {
    const { token } = await keyFor(owner);
    for (const [door, call] of Object.entries(doors())) {
      const headers = { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' };
      const answer = await withToken(token, { ...call, headers });
      expect(answer.statusCode, `${door}: ${answer.body}`).toBe(200);
      expect(answer.headers['set-cookie'], door).toBeUndefined();
    }
    expect((await upload(token)).statusCode).toBe(201);
  });

  it('is told by the ETag of a list that nothing has changed, and gets what has', async () => {
    const someone = await createUser(test.ctx);
    const { token } = await keyFor(someone);
    const list = (etag?: string) =>
      withToken(token, {
        ...{ method: 'GET', url: '/api/my-coupons' },
        ...(etag !== undefined && { headers: { 'if-none-match': etag } }),
      });
    const first = await list();
    const etag = String(first.headers.etag);
    expect([first.statusCode, first.json()]).toEqual([200, []]);
    const again = await list(`"other", ${etag}`);
    expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', etag]);
    await createCoupon(test.ctx, someone);
    const changed = await list(etag);
    expect([changed.statusCode, changed.json().length]).toEqual([200, 1]);
    expect(changed.headers.etag).not.toBe(etag);
  });

  it('accepts one asking price in ten minutes, whichever of a person’s keys it is; the person is not slowed', async () => {
    const [buyer, seller] = [await createUser(test.ctx), await createUser(test.ctx)];
    await makeReady(test.ctx, seller);
    const coupons = [await createCoupon(test.ctx, seller), await createCoupon(test.ctx, seller)];
    for (const coupon of coupons) await setPrices(test.ctx, seller, coupon, { askingPrice: '5.00' });
    const body = { expectedAmount: '5.00', acknowledgeNoCode: true };
    const buy = async (which: number, token?: string) => {
      const call = { method: 'POST', url: `/api/coupons/${coupons[which]?.id}/buy`, body } as const;
      return token === undefined ? test.call(buyer, call) : withToken(token, call);
    };
    const [one, other] = [await keyFor(buyer), await keyFor(buyer)];
    expect((await buy(0, one.token)).json()).toMatchObject({ status: 'accepted' });
    const refused = await buy(1, other.token);
    expect([refused.statusCode, refused.json().error]).toEqual([
      429,
      expect.stringContaining('Your programs can accept one asking price in 10 minutes.'),
    ]);
    const bids = await test.ctx.db.selectFrom('bids').select('id').where('bidderId', '=', buyer.id).execute();
    expect(bids).toHaveLength(1);
    expect((await buy(1)).json()).toMatchObject({ status: 'accepted' });
  });

  it('that is expired, revoked, cut off, misspelt or made up opens none', async () => {
    const [expired, revoked] = [await keyFor(owner), await keyFor(owner)];
    await test.ctx.db
      .updateTable('apiKeys')
      .set({ createdAt: new Date('2035-01-01'), expiresAt: test.ctx.clock() })
      .where('id', '=', expired.id)
      .execute();
    await test.call(owner, { method: 'DELETE', url: `/api/user/keys/${revoked.id}` });
    const misspelt = revoked.token.replace(/.$/, (last) => (last === 'x' ? 'y' : 'x'));
    const tokens = [
      expired.token,
      revoked.token,
      revoked.token.slice(0, -1),
      misspelt,
      'clipswap_',
      makeToken(),
    ];
    for (const [door, call] of Object.entries(doors())) {
      for (const token of tokens) {
        const ip = `198.51.100.${tokens.indexOf(token)}`;
        const answer = await withToken(token, { ...call, ip });
        expect(answer.statusCode, `${door} ${token}: ${answer.body}`).toBe(401);
        expect(answer.body).toContain('Make a new one in your settings.');
      }
    }
    for (const token of tokens) expect((await upload(token)).statusCode).toBe(401);
  });

  it('with a wrong checksum is not looked up, and wrong ones of an address are counted', async () => {
    const wrong = makeToken().replace(/.$/, (last) => (last === 'x' ? 'y' : 'x'));
    expect(isWhole(wrong)).toBe(false);
    await test.ctx.db.schema.alterTable('api_keys').renameTo('api_keys_away').execute();
    const ip = '203.0.113.7';
    const statuses = new Set<number>();
    for (let index = 0; index < 31; index += 1)
      statuses.add((await withToken(wrong, { ...readUser, ip })).statusCode);
    await test.ctx.db.schema.alterTable('api_keys_away').renameTo('api_keys').execute();
    expect([...statuses]).toEqual([401, 429]);
    // A right one still works there: others share the address.
    const { token } = await keyFor(owner);
    expect((await withToken(token, { ...readUser, ip })).statusCode).toBe(200);
  });

  it('loses what its owner loses', async () => {
    const moderator = await createUser(test.ctx, { role: 'moderator' });
    const { token } = await keyFor(moderator);
    const reports = { method: 'GET', url: '/api/reports' } as const;
    expect((await withToken(token, reports)).statusCode).toBe(200);
    await test.ctx.db.updateTable('users').set({ role: 'user' }).where('id', '=', moderator.id).execute();
    expect((await withToken(token, reports)).statusCode).toBe(403);
  });

  it('decides alone: the cookie of another person beside it counts for nothing', async () => {
    const other = await createUser(test.ctx);
    const { token: session } = await startSession(test.ctx.db, test.ctx.clock, other.id);
    const headers = { cookie: `clipswap=${session}` };
    const { token } = await keyFor(owner);
    expect((await withToken(token, { ...readUser, headers })).json().username).toBe(owner.username);
    expect((await withToken(makeToken(), { ...readUser, headers })).statusCode).toBe(401);
    // Without a key it does.
    expect((await test.call(null, { ...readUser, headers })).json().username).toBe(other.username);
  });

  it('counts in its header alone, and other headers are not ours', async () => {
    const { token } = await keyFor(owner);
    sent.push(token);
    for (const url of [`/api/user?key=${token}`, `/api/user?access_token=${token}`])
      expect((await test.call(null, { method: 'GET', url })).statusCode).toBe(401);
    const { username } = owner;
    for (const authorization of ['Basic YTpi', 'Bearer eyJhbGciOiJub25lIn0.e30.', 'ApplePass abc'])
      expect((await test.call(owner, { ...readUser, headers: { authorization } })).json().username).toBe(
        username,
      );
    // A page of another site cannot use it as a way around the check of where a write comes from.
    const foreign = { authorization: `Basic ${token}`, origin: 'https://evil.example' };
    const write = { method: 'POST', url: '/api/notifications/read-all', headers: foreign } as const;
    expect((await test.call(owner, write)).statusCode).toBe(403);
  });

  it('is nobody’s where caches share the answer', async () => {
    const answer = await withToken(makeToken(), { method: 'GET', url: '/api/pictures/x/480.webp' });
    expect(answer.statusCode).toBe(404);
  });

  it.each([
    ['reads', API_KEY_READS_A_MINUTE, readUser],
    ['writes', API_KEY_WRITES_A_MINUTE, { method: 'POST', url: '/api/notifications/read-all' }],
  ] as const)('has its %s counted', async (kind, most, call) => {
    const { id, token } = await keyFor(owner);
    const first = await withToken(token, call);
    expect(first.statusCode).toBe(200);
    const policy = `"key-${kind}";q=${most};w=60`;
    const told = (left: number) =>
      expect.stringMatching(new RegExp(`^"key-${kind}";r=${left};t=([1-9]|[1-5]\\d|60)$`));
    expect(first.headers).toMatchObject({ 'ratelimit-policy': policy, ratelimit: told(most - 1) });
    const points = { points: most };
    const counted = test.ctx.db.updateTable('rateLimits').set(points).where('key', 'like', `key-${kind}:%`);
    expect((await counted.executeTakeFirst()).numUpdatedRows).toBeGreaterThan(0n);
    const refused = await withToken(token, call);
    expect([refused.statusCode, refused.json().code]).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused.headers).toMatchObject({ 'ratelimit-policy': policy, ratelimit: told(0) });
    const list = (await test.call(owner, { method: 'GET', url: '/api/user/keys' })).json();
    const other = kind === 'reads' ? 'writes' : 'reads';
    expect(list.find((key: { id: number }) => key.id === id)).toMatchObject({
      [kind]: { left: 0, aMinute: most },
      [other]: { left: kind === 'reads' ? API_KEY_WRITES_A_MINUTE : API_KEY_READS_A_MINUTE },
    });
    // A browser is told of no limit of a key.
    expect((await test.call(owner, call)).headers).not.toHaveProperty('ratelimit');
    // Another key of theirs has its own.
    expect((await withToken((await keyFor(owner)).token, call)).statusCode).toBe(200);
  });

  it('reads from the primary, so that it sees its own writes without a cookie', async () => {
    const refuse = () => {
      throw new Error('A program reads from a replica');
    };
    const replica = {
      open: async () => {},
      close: async () => {},
      caughtUp: async () => {},
      position: async () => 1,
      state: () => ({ isUsed: true }),
      readsFor: refuse,
    };
    const copy = await createTestApp({ replica: () => replica as never });
    const person = await createUser(copy.ctx);
    const { header: headers } = await createApiKey(copy.ctx, person);
    expect((await copy.call(null, { method: 'GET', url: '/api/coupons', headers })).statusCode).toBe(200);
    expect((await copy.call(null, { method: 'GET', url: '/api/coupons' })).statusCode).toBe(500);
    await copy.close();
  });
});

describe('a code', () => {
  it('comes by a key with the scope of codes alone, and the owner’s list says which key', async () => {
    const without = await keyFor(owner, ['coupons:read', 'coupons:write']);
    expect((await withToken(without.token, reveal())).statusCode).toBe(403);
    const own = { method: 'GET', url: `/api/coupons/${couponId}` } as const;
    expect((await withToken(without.token, own)).json()).toMatchObject({ hasCode: true, codePreview: null });

    const codes: ApiScope[] = ['coupons:read', 'coupons:write', 'codes:read'];
    const { token, id } = await createApiKey(test.ctx, owner, { scopes: codes, name: 'Till' });
    expect((await withToken(token, own)).json().codePreview).toMatch(/^WO/);
    const shown = (await withToken(token, reveal())).json();
    expect(shown.code).toBe(CODE);
    expect(shown.reveals[0]).toMatchObject({ username: owner.username, keyName: 'Till' });
    await test.call(owner, { method: 'DELETE', url: `/api/user/keys/${id}` });
    const { reveals } = (await test.call(owner, reveal())).json();
    expect(reveals.slice(0, 2)).toMatchObject([{ keyName: null }, { keyName: 'Till' }]);
  });

  it('that a program keeps is recorded as shown, with the key', async () => {
    const person = await createUser(test.ctx);
    const { id } = await createCoupon(test.ctx, person, { code: 'COPPER-KETTLE-9925' });
    const { token } = await keyFor(person);
    const body = { known: [], only: null };
    const kept = await withToken(token, { method: 'POST', url: '/api/kept-codes', body });
    expect(kept.json().codes).toMatchObject([{ code: 'COPPER-KETTLE-9925' }]);
    const rows = await test.ctx.db
      .selectFrom('couponReveals')
      .select(['userId', 'keyName'])
      .where('couponId', '=', id)
      .execute();
    expect(rows).toEqual([{ userId: person.id, keyName: 'Robot' }]);
  });
});

it('the audit log says with which key a moderator’s program has acted', async () => {
  const admin = await createUser(test.ctx, { role: 'admin' });
  const person = await createUser(test.ctx);
  const { token } = await createApiKey(test.ctx, admin, { name: 'Nightly' });
  const body = { status: 'warned', reason: 'Late answers' };
  const call = { method: 'PATCH', url: `/api/admin/users/${person.id}/status`, body } as const;
  expect((await withToken(token, call)).statusCode).toBe(200);
  const log = (await test.call(admin, { method: 'GET', url: '/api/admin/audit-log' })).json();
  expect(log[0].details).toMatch(/^With the key “Nightly”: /);
});

it('no key that was sent is in the log or the database, and so in no backup', async () => {
  const whole = sent.filter((token) => token.length > 20);
  expect(whole.length).toBeGreaterThan(20);
  const lines = logged.join('');
  expect(lines).toContain('/api/user');
  for (const token of whole) expect(lines).not.toContain(token);
  const { rows: tables } = await test.database.pool.query<{ name: string }>(
    `select quote_ident(table_name) as name from information_schema.tables where table_schema = 'public'`,
  );
  for (const { name } of tables) {
    const found = await test.database.pool.query(
      `select 1 from ${name} as row where exists (select from unnest($1::text[]) as token where row::text like '%' || token || '%')`,
      [[...new Set(whole)]],
    );
    expect(found.rowCount, name).toBe(0);
  }
});
