import { beforeAll, describe, expect, it } from 'vitest';
import { NEW_ACCOUNT_DAYS } from '#contract/base/limits.ts';
import { registerInputSchema } from '#contract/people/accounts.ts';
import type { RateLimit } from '#server/core/rate-limit.ts';
import { createRateLimiter } from '#server/database/rate-limits.ts';
import { createTestContext, createUser, TEST_PASSWORD, type TestContext } from '#tests/support/builders.ts';
import { listCoupon } from '#tests/support/coupons.ts';
import { setUpDatabase } from '#tests/support/database.ts';
import { login, register } from './signing-in.ts';

const database = setUpDatabase();
let ctx: TestContext;
beforeAll(() => {
  const quiet = createTestContext(database);
  ctx = { ...quiet, limiter: createRateLimiter(database.pool) };
});

/** Signs in from an IP address. @returns the error's code, or 'in' */
async function tryLogin(ip: string, username: string, password: string): Promise<string> {
  try {
    await login({ ...ctx, ip }, { username, password }, null);
    return 'in';
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
}

/** Tries wrong passwords, each from another IP address. */
async function guessFromEverywhere(times: number, network: string, usernames: string[]): Promise<string[]> {
  const answers: string[] = [];
  for (let round = 0; round < times; round += 1) {
    const username = usernames[round % usernames.length] ?? '';
    answers.push(await tryLogin(`${network}.${round}`, username, 'wrong password'));
  }
  return answers;
}

describe('sign-in', () => {
  it('an IP address has twenty tries, for all accounts together', async () => {
    const { username } = await createUser(ctx);
    for (let round = 0; round < 20; round += 1) {
      expect(await tryLogin('203.0.113.1', `somebody${round}`, 'wrong password')).toBe('unauthorized');
    }
    const refused = login({ ...ctx, ip: '203.0.113.1' }, { username, password: TEST_PASSWORD }, null);
    await expect(refused).rejects.toMatchObject({ code: 'rate_limited', retryAfter: expect.any(Number) });
    expect(await tryLogin('203.0.113.2', username, TEST_PASSWORD)).toBe('in');
  });

  it('an account has ten tries from one network, by username and e-mail address together', async () => {
    const { username } = await createUser(ctx);
    const names = [username, username.toUpperCase(), `${username}@example.org`];
    for (let round = 0; round < 10; round += 1) {
      const ip = `2001:db8:1:${round}::1`;
      expect(await tryLogin(ip, names[round % names.length] ?? '', 'wrong password')).toBe('unauthorized');
    }
    for (const name of names)
      expect(await tryLogin('2001:db8:1:99::1', name, TEST_PASSWORD)).toBe('rate_limited');
    expect(await tryLogin('2001:db8:2::1', username, TEST_PASSWORD)).toBe('in');
  });

  it('an account has twenty tries in ten minutes from everywhere, and fifteen lock nobody out', async () => {
    const { username } = await createUser(ctx);
    expect(await guessFromEverywhere(15, '198.51.100', [username])).not.toContain('rate_limited');
    expect(await tryLogin('198.51.100.200', username, TEST_PASSWORD)).toBe('in');
    expect(await guessFromEverywhere(21, '198.51.101', [username])).toEqual([
      ...Array(20).fill('unauthorized'),
      'rate_limited',
    ]);
    const refused = login({ ...ctx, ip: '203.0.113.77' }, { username, password: TEST_PASSWORD }, null);
    await expect(refused).rejects.toThrow(/with a passkey, or with an emailed link for a new password/);
  });

  it('an unknown name is limited in the same way', async () => {
    const from = (ip: string, name: string) => tryLogin(ip, name, 'wrong password');
    for (let round = 0; round < 10; round += 1)
      expect(await from('198.51.103.1', round % 2 ? 'ghost' : 'GHOST')).toBe('unauthorized');
    expect(await from('198.51.103.1', 'ghost')).toBe('rate_limited');
    const answers = await guessFromEverywhere(11, '198.51.102', ['ghost']);
    expect(answers.slice(0, 10)).not.toContain('rate_limited');
    expect(answers[10]).toBe('rate_limited');
  });

  it("a right password resets the account's count, but not the IP address's", async () => {
    const { username } = await createUser(ctx);
    for (let round = 0; round < 9; round += 1) await tryLogin('198.51.104.1', username, 'wrong password');
    expect(await tryLogin('198.51.104.1', username, TEST_PASSWORD)).toBe('in');
    for (let round = 0; round < 9; round += 1)
      expect(await tryLogin('198.51.104.1', username, 'wrong password')).toBe('unauthorized');

    const other = await createUser(ctx);
    expect(await tryLogin('198.51.104.1', other.username, TEST_PASSWORD)).toBe('in');
    expect(await tryLogin('198.51.104.1', other.username, TEST_PASSWORD)).toBe('rate_limited');
  });
});

it('an IP address registers at most ten people in an hour', async () => {
  const registerNumber = (number: number, ip: string) =>
    register(
      { ...ctx, ip },
      registerInputSchema.parse({
        username: `newcomer${number}`,
        email: `newcomer${number}@example.org`,
        password: 'a meadow after rain',
        acceptTerms: true,
        isAdult: true,
      }),
      null,
    );
  for (let number = 1; number <= 10; number += 1) await registerNumber(number, '203.0.113.9');
  await expect(registerNumber(11, '203.0.113.9')).rejects.toMatchObject({
    code: 'rate_limited',
    retryAfter: expect.any(Number),
  });
  await registerNumber(11, '203.0.113.10');
});

it('a new account lists at most 50 coupons a day, an older one 500', async () => {
  const person = await createUser(ctx);
  const counted: RateLimit[] = [];
  const full = { ...ctx.limiter, consume: async (limit: RateLimit) => counted.push(limit) };
  const listNow = () => listCoupon({ ...ctx, limiter: full }, person);
  for (const [days, points] of [
    [0, 50],
    [NEW_ACCOUNT_DAYS, 500],
  ] as const) {
    ctx.clock.advanceDays(days);
    await expect(listNow()).rejects.toMatchObject({ code: 'rate_limited' });
    expect(counted.at(-1)).toMatchObject({ points, seconds: 86_400 });
  }
  const names = counted.map(({ name }) => name);
  expect(new Set(names).size).toBe(2);
});
