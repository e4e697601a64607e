import { describe, expect, it } from 'vitest';
import { API_KEYS_AT_MOST, apiKeySchema } from '#contract/people/api-keys.ts';
import type { Actor } from '#server/context/context.ts';
import { sha256 } from '#server/core/crypto.ts';
import { createApiKey } from '#tests/support/api-keys.ts';
import { createUser, TEST_PASSWORD } from '#tests/support/builders.ts';
import { NEW_PASSWORD, setUpMailedLinks } from '#tests/support/mailed-links.ts';
import { openPasskeys } from '#tests/support/passkeys.ts';
import { isWhole, makeToken } from './tokens.ts';

const links = setUpMailedLinks();

const input = { name: 'Accounting', scopes: ['deals:read'], days: 30, password: TEST_PASSWORD };
const make = (who: Actor, given: object = {}) =>
  links.test.call(who, { method: 'POST', url: '/api/user/keys', body: { ...input, ...given } });
const list = async (who: Actor) =>
  (await links.test.call(who, { method: 'GET', url: '/api/user/keys' })).json();
const worksFor = async (token: string) => {
  const headers = { authorization: `Bearer ${token}` };
  return (await links.test.call(null, { method: 'GET', url: '/api/deals', headers })).statusCode === 200;
};

describe('the text of a key', () => {
  it('is another one each time, and tells a scanner by its checksum that it is one', () => {
    const tokens = Array.from({ length: 100 }, makeToken);
    expect(new Set(tokens).size).toBe(100);
    for (const token of tokens) {
      expect(token).toMatch(/^clipswap_[0-9A-Za-z]{42}$/);
      expect(isWhole(token)).toBe(true);
      const at = 20;
      const other = token[at] === 'a' ? 'b' : 'a';
      expect(isWhole(token.slice(0, at) + other + token.slice(at + 1))).toBe(false);
    }
  });

  it('keeps its checksum from release to release', () => {
    expect(isWhole('clipswap_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ0TyBiU')).toBe(true);
  });
});

describe('making a key', () => {
  it('shows it once, stores its hash, and tells its owner by mail with the way out', async () => {
    const person = await createUser(links.test.ctx);
    const answer = await make(person);
    expect(answer.statusCode).toBe(201);
    const { key, token } = answer.json();
    expect(apiKeySchema.strict().parse(key)).toMatchObject({
      name: 'Accounting',
      hint: token.slice(-4),
      scopes: ['deals:read'],
      isExpired: false,
      lastUsedAt: null,
    });
    expect(await worksFor(token)).toBe(true);
    const listed = await list(person);
    expect(listed).toEqual([{ ...key, lastUsedAt: links.test.ctx.clock().toISOString() }]);
    expect(JSON.stringify(listed)).not.toContain(token);
    const row = await links.test.ctx.db
      .selectFrom('apiKeys')
      .select('tokenHash')
      .where('id', '=', key.id)
      .executeTakeFirstOrThrow();
    expect(row.tokenHash).toBe(sha256(token));

    await links.sendMail();
    const mail = links.mailServer.mails.find(({ subject }) => subject.startsWith('A key for programs'));
    expect(mail?.text).toContain('“Accounting”');
    expect(mail?.text).toMatch(/\/not-me\?token=/);
    expect(mail?.text).not.toContain(token);
    const history = await links.test.call(person, { method: 'GET', url: '/api/transaction-logs' });
    expect(history.json()[0].details).toBe('Key for programs made: Accounting');
  });

  it.each([
    ['a wrong password', { password: 'not this one' }, 'password'],
    ['no proof', { password: undefined }, 'password'],
    ['no scope', { scopes: [] }, 'scopes'],
    ['an unknown scope', { scopes: ['everything:read'] }, 'scopes.0'],
    ['a scope of another role', { scopes: ['moderation:read'] }, 'scopes'],
    ['more than 366 days', { days: 367 }, 'days'],
    ['a name with an address', { name: 'www.evil.example' }, 'name'],
  ])('is refused with %s', async (_what, given, path) => {
    const person = await createUser(links.test.ctx);
    const answer = await make(person, given);
    expect(answer.statusCode).toBe(400);
    expect(answer.json().issues[0].path).toBe(path);
    expect(await list(person)).toEqual([]);
  });

  it.each([
    ['moderator', 'moderation:write', 201],
    ['moderator', 'admin:read', 400],
    ['admin', 'admin:write', 201],
  ] as const)('lets a %s choose %s: %s', async (role, scope, status) => {
    const person = await createUser(links.test.ctx, { role });
    expect((await make(person, { scopes: [scope] })).statusCode).toBe(status);
    const audited = await links.test.ctx.db
      .selectFrom('auditLog')
      .select(['action', 'details'])
      .where('actorId', '=', person.id)
      .execute();
    expect(audited).toEqual(status === 201 ? [{ action: 'key_made', details: `Accounting: ${scope}` }] : []);
  });

  it('asks who has a second factor for it', async () => {
    const { person, browser } = await openPasskeys(links.test).withPasskey();
    await openPasskeys(links.test).turnOn(browser);
    const answer = await make(person);
    expect([answer.statusCode, answer.json().code]).toEqual([403, 'second_factor_required']);
  });

  it('ends at so many, also at once', async () => {
    const person = await createUser(links.test.ctx);
    for (let index = 1; index < API_KEYS_AT_MOST; index += 1) await createApiKey(links.test.ctx, person);
    const statuses = (await Promise.all([make(person), make(person), make(person)])).map(
      ({ statusCode }) => statusCode,
    );
    expect(statuses.sort()).toEqual([201, 409, 409]);
  });
});

describe('a key', () => {
  it('stays in the list as expired', async () => {
    const person = await createUser(links.test.ctx);
    const { token } = (await make(person, { days: 1 })).json();
    links.test.ctx.clock.advanceDays(0.9);
    expect(await worksFor(token)).toBe(true);
    links.test.ctx.clock.advanceDays(0.1);
    expect(await worksFor(token)).toBe(false);
    expect(await list(person)).toMatchObject([{ isExpired: true }]);
  });

  it('has its last use stored at most once a minute', async () => {
    const person = await createUser(links.test.ctx);
    const { token } = await createApiKey(links.test.ctx, person);
    const used = async (seconds: number) => {
      links.test.ctx.clock.advanceDays(seconds / 86_400);
      await worksFor(token);
      return (await list(person))[0].lastUsedAt;
    };
    const first = await used(0);
    expect(await used(59)).toBe(first);
    expect(Date.parse(await used(1)) - Date.parse(first)).toBe(60_000);
  });

  it('is revoked by its owner alone, at once', async () => {
    const [person, other] = [await createUser(links.test.ctx), await createUser(links.test.ctx)];
    const { key, token } = (await make(person)).json();
    const revoke = (who: Actor) =>
      links.test.call(who, { method: 'DELETE', url: `/api/user/keys/${key.id}` });
    expect((await revoke(other)).statusCode).toBe(404);
    expect(await worksFor(token)).toBe(true);
    expect((await revoke(person)).json()).toEqual({ ok: true });
    expect(await worksFor(token)).toBe(false);
    expect((await revoke(person)).statusCode).toBe(404);
    const history = await links.test.call(person, { method: 'GET', url: '/api/transaction-logs' });
    expect(history.json()[0].details).toBe('Key for programs revoked: Accounting');
  });

  it('ends with a new password, and the mail says so', async () => {
    const person = await createUser(links.test.ctx);
    const { token } = await createApiKey(links.test.ctx, person, { name: 'Till' });
    const body = { currentPassword: TEST_PASSWORD, newPassword: NEW_PASSWORD, confirmPassword: NEW_PASSWORD };
    const changed = await links.test.call(person, { method: 'PUT', url: '/api/user/password', body });
    expect(changed.statusCode).toBe(200);
    expect(await worksFor(token)).toBe(false);
    await links.sendMail();
    const told = links.mailServer.mails.find(({ subject }) => subject === 'Your password was changed')?.text;
    expect(told).toMatch(/Ended: .*key “Till” for programs \(made \w{3} \d\d?, \d{4}\)\./);
  });

  it('ends by “This was not me”', async () => {
    const person = await createUser(links.test.ctx);
    const { token } = (await make(person)).json();
    const link = await links.mailedToken(`${person.username}@example.org`, '/not-me');
    expect((await links.chooseNew(link)).statusCode).toBe(200);
    expect(await worksFor(token)).toBe(false);
    expect(await list(person)).toEqual([]);
  });

  it('of an account with a second factor shows codes, and does nothing that needs the factor', async () => {
    const { person, browser } = await openPasskeys(links.test).withPasskey();
    await openPasskeys(links.test).turnOn(browser);
    const admin = { ...person, role: 'admin' } as const;
    await links.test.ctx.db.updateTable('users').set({ role: 'admin' }).where('id', '=', person.id).execute();
    const { header: headers } = await createApiKey(links.test.ctx, admin);
    const keep = {
      method: 'POST',
      url: '/api/kept-codes',
      body: { known: [], only: null },
      headers,
    } as const;
    expect((await links.test.call(null, keep)).statusCode).toBe(200);
    const body = { amount: '1.00', returned: '0.00', reason: 'A test' };
    const refund = { method: 'POST', url: '/api/admin/payments/1/refunds', body, headers } as const;
    const refused = (await links.test.call(null, refund)).json();
    expect(refused).toMatchObject({ code: 'forbidden', error: expect.stringContaining('a key cannot give') });
  });
});
