import { generateSync } from 'otplib';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { keptLog, OUR_PAGE, setUpApp, type TestCall } from '#tests/support/app.ts';
import { createUser, TEST_PASSWORD } from '#tests/support/builders.ts';
import { anOffer } from '#tests/support/coupons.ts';

/**
 * Follows a code through all calls and keeps every answer and every log line. The code must occur only in answers to
 * its owner who asked for it. The key and the recovery codes of a second factor are followed, too.
 */

const CODES = { ana: 'WOOLLEN-MITTENS-4471', ben: 'COPPER-KETTLE-9925' };

const PINS = { ana: 'NEEDLE-60417', ben: 'SALTED-81530' };
const SECRETS = [...Object.values(CODES), ...Object.values(PINS)];

const { log, lines: logged } = keptLog('debug');
const test = setUpApp({ log, config: { isProduction: true, logLevel: 'debug' } });
let ana: Actor;
let ben: Actor;
let stranger: Actor;
let admin: Actor;
let couponIds: { ana: number; ben: number };
let exchangeId: number;

/** All answers so far. */
const answers: { who: Actor | null; url: string; bytes: string }[] = [];

async function call(who: Actor | null, request: TestCall) {
  const answer = await test.call(who, request);
  answers.push({ who, url: request.url, bytes: JSON.stringify(answer.headers) + answer.body });
  return answer;
}

async function listCoupon(owner: Actor, merchant: string, secret: { codeValue: string; pin: string }) {
  const body = { ...anOffer(), merchant, ...secret };
  return (await call(owner, { method: 'POST', url: '/api/coupons', body })).json<{ id: number }>().id;
}

beforeAll(async () => {
  ana = await createUser(test.ctx, { username: 'ana' });
  ben = await createUser(test.ctx, { username: 'ben' });
  stranger = await createUser(test.ctx, { username: 'stranger' });
  admin = await createUser(test.ctx, { username: 'admin', role: 'admin' });
  couponIds = {
    ana: await listCoupon(ana, 'Knit Nook', { codeValue: CODES.ana, pin: PINS.ana }),
    ben: await listCoupon(ben, 'Pot Palace', { codeValue: CODES.ben, pin: PINS.ben }),
  };
  const proposal = { requestedCouponId: couponIds.ana, offeredCouponId: couponIds.ben, message: 'Swap?' };
  exchangeId = (await call(ben, { method: 'POST', url: '/api/exchanges', body: proposal })).json().id;
});

const reveal = (couponId: number) => ({ method: 'POST', url: `/api/coupons/${couponId}/reveal` }) as const;
const setStatus = (status: string) =>
  ({ method: 'PATCH', url: `/api/exchanges/${exchangeId}/status`, body: { status } }) as const;

/** Makes every read call as every person. */
async function readEverythingAsEverybody() {
  const urls = [
    '/api/coupons',
    `/api/coupons/${couponIds.ana}`,
    `/api/coupons/${couponIds.ben}`,
    '/api/my-coupons',
    '/api/exchanges',
    `/api/exchanges/${exchangeId}`,
    `/api/exchanges/${exchangeId}/claims`,
    '/api/claims',
    `/api/exchanges/${exchangeId}/rounds`,
    '/api/notifications',
    '/api/transaction-logs',
    '/api/saved-coupons',
    '/api/matches',
    ...Object.values(couponIds).map((id) => `/api/coupons/${id}/matches`),
    ...Object.values(couponIds).flatMap((id) => [`/api/coupons/${id}/qrcode`, `/api/coupons/${id}/barcode`]),
  ];
  for (const who of [null, ana, ben, stranger, admin]) {
    for (const url of urls) await call(who, { method: 'GET', url, headers: OUR_PAGE });
    for (const couponId of Object.values(couponIds)) {
      const body = { couponId, ownershipConfirmation: true };
      await call(who, { method: 'POST', url: '/api/validate-coupon', body });
      await call(who, { method: 'POST', url: '/api/save-coupon', body: { couponId } });
    }
  }
}

describe('a code', () => {
  it('is revealed to its owner only [spec/1 2.10]', async () => {
    expect((await call(ana, reveal(couponIds.ana))).json()).toMatchObject({
      codeValue: CODES.ana,
      code: CODES.ana,
      pin: PINS.ana,
      reveals: [{ username: 'ana' }],
    });
    for (const who of [ben, stranger, admin]) {
      expect((await call(who, reveal(couponIds.ana))).statusCode).toBe(403);
    }
    expect((await call(null, reveal(couponIds.ana))).statusCode).toBe(401);
  });

  it('is not searchable', async () => {
    for (const search of [CODES.ana, CODES.ana.slice(0, 6), 'MITTENS']) {
      const url = `/api/coupons?search=${search}`;
      expect((await test.call(stranger, { method: 'GET', url })).json()).toEqual([]);
    }
  });

  it('is not part of the refusal of a second listing', async () => {
    const codeValue = CODES.ana.toLowerCase().replaceAll('-', ' ');
    const body = { ...anOffer(), merchant: 'Knit Nook', codeValue };
    const answer = await call(stranger, { method: 'POST', url: '/api/coupons', body });
    expect(answer.statusCode).toBe(409);
    expect(answer.json()).toEqual({
      error: 'This coupon code is already listed',
      code: 'code_listed',
      issues: [{ path: 'codeValue', message: 'This coupon code is already listed' }],
    });
  });

  it('stays with its owner until the swap is complete, then goes with its coupon', async () => {
    await readEverythingAsEverybody();
    expect((await call(ana, setStatus('accepted'))).statusCode).toBe(200);
    expect((await call(ben, reveal(couponIds.ana))).statusCode).toBe(403);
    await readEverythingAsEverybody();
    expect((await call(ben, setStatus('completed'))).statusCode).toBe(200);

    expect((await call(ben, reveal(couponIds.ana))).json().codeValue).toBe(CODES.ana);
    expect((await call(ana, reveal(couponIds.ben))).json().codeValue).toBe(CODES.ben);
    expect((await call(ana, reveal(couponIds.ana))).statusCode).toBe(403);
    expect((await call(ben, reveal(couponIds.ben))).statusCode).toBe(403);
    await readEverythingAsEverybody();
  });

  it('shows its owner who has viewed it', async () => {
    const { reveals } = (await call(ben, reveal(couponIds.ana))).json();
    const names = reveals.map(({ username }: { username: string }) => username);
    // Newest first: two reveals, the swap and the listing.
    expect(names).toEqual(['ben', 'ben', 'ben', 'ana']);
  });

  it('is in no other answer, no log line and nowhere in the database', async () => {
    const revealed = (url: string) => url.endsWith('/reveal');
    for (const { who, url, bytes } of answers) {
      for (const code of SECRETS) {
        if (!revealed(url)) expect(bytes, `${who?.username} ${url}`).not.toContain(code);
        if (who === null || who === stranger || who === admin) {
          expect(bytes, `${who?.username} ${url}`).not.toContain(code.slice(0, 6));
        }
      }
    }
    expect(logged.length).toBeGreaterThan(0);
    const dump = await databaseDump();
    for (const code of SECRETS) {
      expect(logged.join('\n')).not.toContain(code.slice(0, 8));
      expect(dump).not.toContain(code.slice(0, 8));
      expect(dump).not.toContain(Buffer.from(code).toString('hex').slice(0, 16));
    }
  });
});

describe('the second factor', () => {
  it('its key and recovery codes are in the one answer each, in no log line and nowhere in the database', async () => {
    const person = await createUser(test.ctx);
    const post = (url: string, body: object) => call(person, { method: 'POST', url, body });
    const { secret } = (await post('/api/user/second-factor', { password: TEST_PASSWORD })).json();
    const code = generateSync({ secret, epoch: test.ctx.clock().getTime() / 1_000 });
    const enabled = await post('/api/user/second-factor/enable', { code });
    const { recoveryCodes } = enabled.json<{ recoveryCodes: string[] }>();
    const [spent = '', ...others] = recoveryCodes;
    const login = (given: string) =>
      post('/api/login', { username: person.username, password: TEST_PASSWORD, code: given });
    expect((await login(spent)).statusCode).toBe(200);
    expect((await login(spent)).statusCode).toBe(400);
    const left = await call(person, { method: 'GET', url: '/api/user/second-factor' });
    expect(left.json()).toMatchObject({ isOn: true, recoveryCodesLeft: others.length });

    const places = `${logged.join('\n')}\n${await databaseDump()}`;
    for (const text of [secret, ...recoveryCodes]) {
      expect(answers.filter(({ bytes }) => bytes.includes(text))).toHaveLength(1);
      for (const form of [text, text.replace('-', '')]) {
        expect(places).not.toContain(form);
        expect(places).not.toContain(Buffer.from(form).toString('hex'));
      }
    }
  });
});

describe('the lowest price of a coupon', () => {
  it('is in answers to its owner only, and in no log line; nothing but the coupon has it [decisions 3.13.3]', async () => {
    const id = await listCoupon(ana, 'Price Place', { codeValue: 'SIXTY-SIX-CRICKETS', pin: '' });
    // As no response time is.
    const secret = '7291.41';
    const url = `/api/coupons/${id}`;
    const patch = (body: object) => call(ana, { method: 'PATCH', url, body });
    expect((await patch({ askingPrice: '8000', priceFloor: secret })).json()).toMatchObject({
      priceFloor: secret,
    });
    expect((await patch({ askingPrice: '7000' })).statusCode).toBe(400);
    for (const [who, amount] of [
      [stranger, '7291.40'],
      [ben, '7291.42'],
    ] as const) {
      const body = { couponId: id, amount };
      expect((await call(who, { method: 'POST', url: '/api/bids', body })).statusCode).toBe(201);
    }
    await call(admin, { method: 'POST', url: `${url}/buy`, body: { expectedAmount: '7999' } });
    const lists = [
      'coupons',
      'my-coupons',
      'bids',
      'notifications',
      'transaction-logs',
      'saved-coupons',
      'matches',
    ];
    await call(stranger, { method: 'POST', url: '/api/save-coupon', body: { couponId: id } });
    for (const who of [null, stranger, ben, admin]) {
      for (const list of [...lists, `coupons/${id}`, `users/${ana.id}`, 'admin/audit-log'])
        await call(who, { method: 'GET', url: `/api/${list}` });
    }
    for (const { who, url, bytes } of answers) {
      if (who !== ana) expect(bytes, `${who?.username} ${url}`).not.toContain(secret);
    }
    expect(logged.join('\n')).not.toContain(secret);
    // Once in its own column.
    expect((await databaseDump()).split(secret)).toHaveLength(2);
  });
});

/** Every row of every table, as text. */
async function databaseDump(): Promise<string> {
  const { pool } = test.database;
  const { rows } = await pool.query<{ tablename: string }>(
    "select tablename from pg_tables where schemaname = 'public'",
  );
  const tables = rows.map(({ tablename }) => tablename);
  const dumps = tables.map((table) =>
    pool.query(`select coalesce(string_agg(t::text, e'\\n'), '') as all from ${table} t`),
  );
  return (await Promise.all(dumps)).map(({ rows: [row] }) => row?.all).join('\n');
}
