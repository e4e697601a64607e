import { generateSync } from 'otplib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { inTransaction } from '#server/database/client.ts';
import { createRateLimiter } from '#server/database/rate-limits.ts';
import { createTestApp, OUR_PAGE, type TestApp } from '#tests/support/app.ts';
import { actingAs, createCoupon, createUser, TEST_PASSWORD } from '#tests/support/builders.ts';
import { confirmSecondFactor } from './second-factor.ts';
import { begin } from './second-factor-store.ts';
import { login as signIn } from './signing-in.ts';

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());

const STEP_DAYS = 30 / 86_400;

type Cookies = Record<string, string>;

async function post(cookies: Cookies, url: string, payload: object = {}) {
  const answer = await test.app.inject({ method: 'POST', url: `/api/${url}`, cookies, payload });
  return { status: answer.statusCode, body: answer.json(), cookies: answer.cookies };
}

async function login({ username }: Actor, code?: string, cookies: Cookies = {}) {
  const answer = await post(cookies, 'login', { username, password: TEST_PASSWORD, code });
  const kept = Object.fromEntries(answer.cookies.map(({ name, value }) => [name, value]));
  return { ...answer, browser: { ...cookies, ...kept } };
}

/** The code that the app shows now; a new one from step to step. */
const codeOf = (secret: string) => generateSync({ secret, epoch: test.ctx.clock().getTime() / 1_000 });

/** Moves to the next code. */
function nextCode(secret: string): string {
  test.ctx.clock.advanceDays(STEP_DAYS);
  return codeOf(secret);
}

/** Somebody who has just turned the second factor on, in a browser that the account knows. */
async function withSecondFactor() {
  const person = await createUser(test.ctx);
  const known = (await login(person)).browser;
  const { browser } = await login(person, undefined, known);
  const { body } = await post(browser, 'user/second-factor', { password: TEST_PASSWORD });
  const secret: string = body.secret;
  const enabled = await post(browser, 'user/second-factor/enable', { code: codeOf(secret) });
  expect(enabled.status).toBe(200);
  const recoveryCodes: string[] = enabled.body.recoveryCodes;
  return { person, browser, secret, qrCode: body.qrCode as string, recoveryCodes };
}

const WRONG = { code: 'bad_input', issues: [{ path: 'code' }] };
const REQUIRED = { code: 'second_factor_required' };

describe('setting up', () => {
  it('gives a key, as text and as a QR code of its address, and ten recovery codes after the first code', async () => {
    const { person, secret, qrCode, recoveryCodes } = await withSecondFactor();
    const { codes } = await test.ctx.providers.pictures.read(
      Buffer.from(qrCode.split(',')[1] ?? '', 'base64'),
    );
    expect(codes[0]?.text).toBe(
      `otpauth://totp/ClipSwap:${person.username}?secret=${secret}&issuer=ClipSwap`,
    );
    expect(new Set(recoveryCodes).size).toBe(10);
    const state = await test.call(person, { method: 'GET', url: '/api/user/second-factor' });
    const now = test.ctx.clock().toISOString();
    expect(state.json()).toEqual({
      isOn: true,
      enabledAt: now,
      recoveryCodesLeft: 10,
      recoveryCodesMadeAt: now,
    });
  });

  it('wants the password and a right code, and is refused while it is on', async () => {
    const person = await createUser(test.ctx);
    const { browser } = await login(person);
    expect((await post(browser, 'user/second-factor', { password: 'wrong' })).status).toBe(400);
    expect((await post(browser, 'user/second-factor/enable', { code: '123456' })).status).toBe(409);
    const { body } = await post(browser, 'user/second-factor', { password: TEST_PASSWORD });
    const wrong = String((Number(codeOf(body.secret)) + 1) % 1_000_000).padStart(6, '0');
    expect((await post(browser, 'user/second-factor/enable', { code: wrong })).body).toMatchObject(WRONG);
    // It counts for nothing yet.
    expect((await login(person)).status).toBe(200);
    await post(browser, 'user/second-factor/enable', { code: codeOf(body.secret) });
    expect((await post(browser, 'user/second-factor', { password: TEST_PASSWORD })).status).toBe(409);
  });

  it('does not replace a factor that was turned on meanwhile', async () => {
    const { person, secret } = await withSecondFactor();
    const begun = { userId: person.id, secret: Buffer.from('another'), createdAt: test.ctx.clock() };
    await inTransaction(test.ctx.db, (trx) => begin(trx, begun));
    expect((await login(person, nextCode(secret))).status).toBe(200);
  });

  it('leaves neither the key nor a recovery code in the database', async () => {
    const { person, secret, recoveryCodes } = await withSecondFactor();
    const { rows } = await test.database.pool.query(
      `select f::text || coalesce((select string_agg(c::text, ' ') from recovery_codes c where c.user_id = $1), '')
         as text from second_factors f where f.user_id = $1`,
      [person.id],
    );
    const text: string = rows[0]?.text ?? '';
    expect(text).toMatch(/\d/);
    expect(text).not.toContain(secret);
    expect(text).not.toContain(Buffer.from(secret).toString('hex'));
    for (const code of recoveryCodes) expect(text).not.toContain(code.slice(0, 5));
  });
});

describe('signing in', () => {
  it('needs a code beside the password, and takes each once', async () => {
    const { person, secret } = await withSecondFactor();
    const refused = await login(person);
    expect(refused).toMatchObject({ status: 403, body: REQUIRED });
    expect(refused.cookies).toEqual([]);
    // The code of the set-up is spent.
    expect((await login(person, codeOf(secret))).body).toMatchObject(WRONG);
    const code = nextCode(secret);
    expect((await login(person, code)).status).toBe(200);
    expect((await login(person, code)).body).toMatchObject(WRONG);
    const wrongPassword = { username: person.username, password: 'wrong', code: nextCode(secret) };
    expect((await post({}, 'login', wrongPassword)).status).toBe(401);
  });

  it('takes a code of the step before, and none of an older one', async () => {
    const { person, secret } = await withSecondFactor();
    const code = nextCode(secret);
    test.ctx.clock.advanceDays(2 * STEP_DAYS);
    expect((await login(person, code)).status).toBe(400);
    const late = codeOf(secret);
    test.ctx.clock.advanceDays(STEP_DAYS);
    expect((await login(person, late)).status).toBe(200);
  });

  it('of two sign-ins with one code at once exactly one succeeds', async () => {
    const { person, secret, recoveryCodes } = await withSecondFactor();
    const codes = [nextCode(secret), recoveryCodes[0] ?? ''];
    for (const code of codes) {
      const answers = await Promise.all([login(person, code), login(person, code)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    }
  });

  it('takes each recovery code once, and no other person’s', async () => {
    const { person, recoveryCodes } = await withSecondFactor();
    const other = await withSecondFactor();
    const [first = '', second = ''] = recoveryCodes;
    expect((await login(person, first.toUpperCase())).status).toBe(200);
    expect((await login(person, first)).status).toBe(400);
    expect((await login(other.person, second)).status).toBe(400);
    expect((await login(person, second.replace('-', ''))).status).toBe(200);
    const renewed = await post(other.browser, 'user/second-factor/recovery-codes', {
      code: other.recoveryCodes[0],
    });
    expect(renewed.body.recoveryCodes).toHaveLength(10);
    expect((await login(other.person, other.recoveryCodes[1])).status).toBe(400);
  });

  it('stops a guesser after ten wrong codes from one network, a right one included', async () => {
    const { person, secret } = await withSecondFactor();
    const ctx = {
      ...actingAs(test.ctx, person),
      limiter: createRateLimiter(test.database.pool),
    };
    const right = nextCode(secret);
    const wrong = String((Number(right) + 1) % 1_000_000).padStart(6, '0');
    for (let round = 0; round < 10; round += 1) {
      await expect(confirmSecondFactor(ctx, { code: wrong }, null)).rejects.toMatchObject({
        code: 'bad_input',
      });
    }
    await expect(confirmSecondFactor(ctx, { code: right }, null)).rejects.toMatchObject({
      code: 'rate_limited',
    });
    await confirmSecondFactor({ ...ctx, ip: '203.0.113.5' }, { code: right }, null);
  });
});

describe('guessing for days', () => {
  it('ends at thirty wrong codes a day, tells the owner by mail, and locks out neither recovery codes nor others', async () => {
    const { person, secret, recoveryCodes } = await withSecondFactor();
    const limiter = createRateLimiter(test.database.pool);
    const ctx = { ...actingAs(test.ctx, person), limiter };
    const give = (code: string) =>
      confirmSecondFactor(ctx, { code }, null).then(
        () => 'ok',
        ({ code, message }) => ({ code, message }),
      );
    const wrong = () => String((Number(codeOf(secret)) + 1) % 1_000_000).padStart(6, '0');
    const mails = () =>
      test.ctx.db
        .selectFrom('mailOutbox')
        .select('subject')
        .where('userId', '=', person.id)
        .where('kind', '=', 'second_factor_tries')
        .execute();
    // The short limit has passed in between: here as if the fifteen minutes were over.
    const wait = () =>
      test.database.pool.query(
        `delete from rate_limits where key like 'second-factor:%' or key like 'second-factor-account:%'`,
      );
    for (let round = 0; round < 29; round += 1) {
      await wait();
      expect(await give(wrong())).toMatchObject({ code: 'bad_input' });
    }
    expect(await mails()).toEqual([]);
    // A right code neither counts nor forgets the wrong ones.
    await wait();
    expect(await give(nextCode(secret))).toBe('ok');
    expect(await give(wrong())).toMatchObject({ code: 'bad_input' });
    expect(await mails()).toEqual([{ subject: 'Someone is guessing your codes' }]);
    for (const code of [wrong(), nextCode(secret)]) {
      await wait();
      expect(await give(code)).toMatchObject({
        code: 'rate_limited',
        message: expect.stringContaining('recovery code'),
      });
    }
    expect(await mails()).toHaveLength(1);
    expect(await give(recoveryCodes[0] ?? '')).toBe('ok');
    const other = await withSecondFactor();
    const theirs = { ...actingAs(test.ctx, other.person), limiter };
    await confirmSecondFactor(theirs, { code: nextCode(other.secret) }, null);
  });

  it('by who knows the password leaves the app to a browser that the account knows, and to one signed in', async () => {
    const { person, browser, secret, recoveryCodes } = await withSecondFactor();
    const ctx = { ...test.ctx, limiter: createRateLimiter(test.database.pool) };
    const enter = (code: string, device: string | null, ip: string) =>
      signIn({ ...ctx, ip }, { username: person.username, password: TEST_PASSWORD, code }, null, device).then(
        () => 'in',
        ({ code }) => code,
      );
    const wrong = () => String((Number(codeOf(secret)) + 1) % 1_000_000).padStart(6, '0');
    for (let round = 0; round < 30; round += 1) {
      // They take their time: passwords are counted for ten minutes.
      if (round % 15 === 0)
        await test.ctx.db.deleteFrom('rateLimits').where('key', 'like', 'login-account:%').execute();
      expect(await enter(wrong(), null, `198.51.100.${round}`)).toBe('bad_input');
    }
    expect(await enter(nextCode(secret), null, '203.0.113.5')).toBe('rate_limited');
    expect(await enter(recoveryCodes[0] ?? '', null, '203.0.113.5')).toBe('in');
    expect(await enter(nextCode(secret), browser['clipswap-device'] ?? '', '203.0.113.5')).toBe('in');
    await confirmSecondFactor(
      { ...actingAs(ctx, person), ip: '203.0.113.5' },
      { code: nextCode(secret) },
      null,
    );
  });
});

describe('the second factor is asked again', () => {
  const confirm = (browser: Cookies, code: string) => post(browser, 'user/second-factor/confirm', { code });

  it('once before a code is revealed in a new browser', async () => {
    const { person, browser, secret } = await withSecondFactor();
    const { id } = await createCoupon(test.ctx, person);
    expect((await post(browser, `coupons/${id}/reveal`)).status).toBe(200);
    const fresh = (await login(person, nextCode(secret))).browser;
    expect(await post(fresh, `coupons/${id}/reveal`)).toMatchObject({ status: 403, body: REQUIRED });
    const picture = { url: `/api/coupons/${id}/qrcode`, cookies: fresh, headers: OUR_PAGE };
    expect((await test.app.inject(picture)).statusCode).toBe(403);
    expect((await confirm(fresh, nextCode(secret))).status).toBe(200);
    expect((await post(fresh, `coupons/${id}/reveal`)).status).toBe(200);
    test.ctx.clock.advanceDays(1);
    expect((await post(fresh, `coupons/${id}/reveal`)).status).toBe(200);
  });

  it('before payouts are set up and the account is deleted, for ten minutes', async () => {
    const { browser, secret } = await withSecondFactor();
    const payout = () => post(browser, 'connect/create-account-link');
    const remove = () =>
      test.app.inject({
        method: 'DELETE',
        url: '/api/user/account',
        cookies: browser,
        payload: { confirmPassword: TEST_PASSWORD },
      });
    // No payment provider is set up here: 503 comes after the check.
    expect((await payout()).status).toBe(403);
    expect((await remove()).json()).toMatchObject(REQUIRED);
    await confirm(browser, nextCode(secret));
    expect((await payout()).status).toBe(503);
    test.ctx.clock.advanceDays(11 / (24 * 60));
    expect((await payout()).status).toBe(403);
    await confirm(browser, nextCode(secret));
    expect((await remove()).statusCode).toBe(200);
  });
});

it('turning it off needs the password and a code, and is told by mail', async () => {
  const { person, browser, secret } = await withSecondFactor();
  const off = (password: string, code: string) =>
    post(browser, 'user/second-factor/disable', { password, code });
  expect((await off('wrong', nextCode(secret))).status).toBe(400);
  expect((await off(TEST_PASSWORD, '000000')).status).toBe(400);
  expect((await off(TEST_PASSWORD, nextCode(secret))).status).toBe(200);
  expect((await login(person)).status).toBe(200);
  const mails = await test.ctx.db
    .selectFrom('mailOutbox')
    .select('body')
    .where('userId', '=', person.id)
    .where('kind', '=', 'second_factor')
    .orderBy('id')
    .execute();
  expect(mails.map(({ body }) => body)).toEqual([
    'The second factor of your account was turned on.',
    'The second factor of your account was turned off.',
  ]);
});
