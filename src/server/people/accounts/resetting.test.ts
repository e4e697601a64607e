import pg from 'pg';
import { describe, expect, it, vi } from 'vitest';
import { inTransaction } from '#server/database/client.ts';
import { createRateLimiter } from '#server/database/rate-limits.ts';
import { resolveSession, startSession } from '#server/people/sessions/sessions.ts';
import { createUser, TEST_PASSWORD } from '#tests/support/builders.ts';
import { expectDone, expectSpent, NEW_PASSWORD, setUpMailedLinks } from '#tests/support/mailed-links.ts';
import { anonymisePerson, findPersonStatus } from './accounts.ts';
import { requestPasswordReset, resetPassword } from './passwords.ts';
import { login } from './signing-in.ts';

const links = setUpMailedLinks();
const MINUTE = 1 / (24 * 60);

describe('resetting a password', () => {
  it('a mailed link sets a new password once and ends all sessions [spec/3 2.51]', async () => {
    const person = await createUser(links.test.ctx, { email: 'Lost@example.org' });
    const sessions = [await startSession(links.test.ctx.db, links.test.ctx.clock, person.id)];
    sessions.push(await startSession(links.test.ctx.db, links.test.ctx.clock, person.id));
    expect((await links.askForReset('lost@EXAMPLE.org')).json()).toEqual({ ok: true });
    const token = await links.mailedToken('Lost@example.org', '/reset-password');
    expect((await links.chooseNew(token)).json()).toEqual({ ok: true });

    for (const session of sessions) expect(await resolveSession(links.test.ctx, session.token)).toBeNull();
    const signIn = (password: string) =>
      links.post(null, '/api/login', { username: 'lost@example.org', password });
    expect((await signIn(TEST_PASSWORD)).statusCode).toBe(401);
    expect((await signIn(NEW_PASSWORD)).json()).toMatchObject({ id: person.id });
    await expectDone(links.chooseNew(token, 'Another-river-9'));
    await links.sendMail();
    expect(links.subjectsTo('Lost@example.org').toSorted()).toEqual([
      'Signed in from a new browser',
      'Your password was changed',
    ]);
  });

  it('when ten requests use one link at once, exactly one sets the password', async () => {
    const person = await createUser(links.test.ctx, { email: 'raced@example.org' });
    await links.askForReset('raced@example.org');
    const token = await links.mailedToken('raced@example.org', '/reset-password');
    const passwords = Array.from({ length: 10 }, (_, number) => `Racing-river-${number}`);
    const answers = await Promise.all(passwords.map((password) => links.chooseNew(token, password)));
    const winners = passwords.filter((_, number) => answers[number]?.statusCode === 200);
    expect(winners).toHaveLength(1);
    const losers = answers.filter(({ statusCode }) => statusCode !== 200);
    for (const loser of losers) await expectDone(Promise.resolve(loser));
    const answer = await links.post(null, '/api/login', { username: person.username, password: winners[0] });
    expect(answer.statusCode).toBe(200);
  });

  it('a link works for one hour [decisions 5.1.4]', async () => {
    await createUser(links.test.ctx, { email: 'hour@example.org' });
    await links.askForReset('hour@example.org');
    const token = await links.mailedToken('hour@example.org', '/reset-password');
    links.test.ctx.clock.advanceDays(60 * MINUTE);
    await expectSpent(links.chooseNew(token));
    links.test.ctx.clock.advanceDays(-MINUTE);
    expect((await links.chooseNew(token)).statusCode).toBe(200);
  });

  it('a link for one purpose does not work for the other', async () => {
    const person = await createUser(links.test.ctx, { email: 'mixed@example.org' });
    await links.changeAddress(person, 'mixed-new@example.org');
    await expectSpent(links.chooseNew(await links.mailedToken('mixed-new@example.org', '/verify-email')));
    await links.askForReset('mixed@example.org');
    const token = await links.mailedToken('mixed@example.org', '/reset-password');
    await expectSpent(links.post(null, '/api/user/verify-email', { token }));
  });

  it('refuses a guessable password; the link stays usable', async () => {
    await createUser(links.test.ctx, { username: 'Own-Name-1', email: 'Own-Name1@example.org' });
    await links.askForReset('own-name1@example.org');
    const token = await links.mailedToken('Own-Name1@example.org', '/reset-password');
    for (const password of ['Password1', 'Own-Name-1', 'Own-Name1@example.org']) {
      const answer = await links.chooseNew(token, password);
      expect(answer.json()).toMatchObject({ code: 'bad_input', issues: [{ path: 'newPassword' }] });
    }
    expect((await links.chooseNew(token)).statusCode).toBe(200);
  });

  it('drops a pending address, since somebody else may have asked for it', async () => {
    const person = await createUser(links.test.ctx, { email: 'owner@example.org' });
    await links.changeAddress(person, 'thief@example.org');
    const thiefs = await links.mailedToken('thief@example.org', '/verify-email');
    await links.askForReset('owner@example.org');
    await links.chooseNew(await links.mailedToken('owner@example.org', '/reset-password'));
    await expectSpent(links.post(null, '/api/user/verify-email', { token: thiefs }));
    expect(await links.addressesOf(person.id)).toMatchObject({
      email: 'owner@example.org',
      pendingEmail: null,
    });
  });

  it('a link sent to the old address stops working when the new address is confirmed', async () => {
    const person = await createUser(links.test.ctx, { email: 'before@example.org' });
    await links.askForReset('before@example.org');
    const token = await links.mailedToken('before@example.org', '/reset-password');
    await links.changeAddress(person, 'after@example.org');
    await links.post(null, '/api/user/verify-email', {
      token: await links.mailedToken('after@example.org', '/verify-email'),
    });
    await expectSpent(links.chooseNew(token));
  });

  it('goes to whoever has confirmed the address, not to those who only claim it', async () => {
    const email = 'claimed@example.org';
    const [claimant, owner] = [
      await createUser(links.test.ctx, { email, emailVerifiedAt: null }),
      await createUser(links.test.ctx, { email: 'Claimed@example.org' }),
    ];
    await links.askForReset(email);
    await links.chooseNew(await links.mailedToken('Claimed@example.org', '/reset-password'));
    const signIn = (username: string) => links.post(null, '/api/login', { username, password: NEW_PASSWORD });
    expect((await signIn(email)).json()).toMatchObject({ id: owner.id });
    expect((await signIn(claimant.username)).statusCode).toBe(401);
  });

  it('sends nothing to unknown, banned or deleted people; a link sent before a ban does not work', async () => {
    const gone = await createUser(links.test.ctx, { email: 'gone@example.org' });
    const banned = await createUser(links.test.ctx, { email: 'banned@example.org' });
    await links.askForReset('banned@example.org');
    const token = await links.mailedToken('banned@example.org', '/reset-password');
    await inTransaction(links.test.ctx.db, (trx) => anonymisePerson(trx, links.test.ctx, gone.id));
    await links.test.ctx.db
      .updateTable('users')
      .set({ status: 'banned' })
      .where('id', '=', banned.id)
      .execute();

    for (const name of ['gone', 'banned', 'never-here']) await links.askForReset(`${name}@example.org`);
    await links.sendMail();
    expect(links.mailServer.mails).toEqual([]);
    await expectSpent(links.chooseNew(token));
    expect(await findPersonStatus(links.test.ctx.db, banned.id)).toMatchObject({ status: 'banned' });
  });
});

describe('asking for a new password does not reveal who has an account', () => {
  it('the answer, the queries and the stored rows are the same for a known and an unknown address', async () => {
    await createUser(links.test.ctx, { email: 'known@example.org' });
    const statements = vi.spyOn(pg.Client.prototype, 'query');
    const observe = async (email: string) => {
      const before = await links.test.ctx.db
        .selectFrom('mailOutbox')
        .select((select) => select.fn.max('id').as('id'))
        .executeTakeFirst();
      statements.mockClear();
      const { statusCode, body, headers } = await links.askForReset(email);
      // The time left for a query differs from call to call.
      const asked = statements.mock.calls.map((call) =>
        JSON.stringify({ ...Object(call[0]), query_timeout: undefined }).replaceAll(email, '(address)'),
      );
      const written = await links.test.ctx.db
        .selectFrom('mailOutbox')
        .selectAll()
        .where('id', '>', before?.id ?? 0)
        .execute();
      const rows = written.map(({ id: _, address, ...row }) => ({ ...row, isOwn: address === email }));
      return { statusCode, body, names: Object.keys(headers), asked, rows };
    };
    const known = await observe('known@example.org');
    const unknown = await observe('ghost@example.org');
    statements.mockRestore();
    expect(known).toEqual(unknown);
    expect(known.body).toBe('{"ok":true}');
    expect(known.rows).toMatchObject([{ kind: 'reset_password', userId: null, isOwn: true }]);
    expect(known.asked.length).toBeGreaterThan(0);
    expect(known.asked.filter((text) => /\busers\b/.test(text))).toEqual([]);
  });
});

/** The context with working rate limits, for a caller at this IP address. */
function limited(ip = '203.0.113.1') {
  const { ctx, database } = links.test;
  return { ...ctx, limiter: createRateLimiter(database.pool), ip };
}

describe('rate limits', () => {
  it('sends at most three mails an hour to one address; further requests succeed without a mail', async () => {
    const ctx = limited();
    await createUser(ctx, { email: 'flooded@example.org' });
    for (let round = 0; round < 5; round += 1) {
      await requestPasswordReset({ ...ctx, ip: `203.0.113.${round}` }, { email: 'Flooded@example.org' });
    }
    await links.sendMail();
    expect(links.subjectsTo('flooded@example.org')).toHaveLength(3);
  });

  it('after a reset the owner can sign in at once, even if guesses had locked the account', async () => {
    const ctx = limited();
    const { username } = await createUser(ctx, { email: 'guessed@example.org' });
    const signIn = (number: number, password: string) =>
      login({ ...ctx, ip: `198.51.100.${number}` }, { username, password }, null);
    await expect(signIn(1, 'wrong password')).rejects.toMatchObject({ code: 'unauthorized' });
    const counts = ctx.db.updateTable('rateLimits').set({ points: 100 });
    await counts.where('key', 'like', 'login-account:%').execute();
    await expect(signIn(51, TEST_PASSWORD)).rejects.toMatchObject({ code: 'rate_limited' });
    await links.askForReset('guessed@example.org');
    const token = await links.mailedToken('guessed@example.org', '/reset-password');
    await resetPassword(ctx, { token, newPassword: NEW_PASSWORD, confirmPassword: NEW_PASSWORD });
    expect((await signIn(52, NEW_PASSWORD)).user.username).toBe(username);
  });
});

it('no token or password of these tests is stored in a table or written to the log', () =>
  links.expectNoStoredSecrets());
