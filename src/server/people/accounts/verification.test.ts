import pg from 'pg';
import { describe, expect, it, vi } from 'vitest';
import { registerInputSchema } from '#contract/people/accounts.ts';
import { addDays } from '#server/core/clock.ts';
import { inTransaction } from '#server/database/client.ts';
import { createRateLimiter } from '#server/database/rate-limits.ts';
import { createUser } from '#tests/support/builders.ts';
import { expectDone, expectSpent, NEW_PASSWORD, setUpMailedLinks } from '#tests/support/mailed-links.ts';
import { anonymisePerson } from './accounts.ts';
import { removePastTokens } from './links.ts';
import { register } from './signing-in.ts';

const links = setUpMailedLinks();
const MINUTE = 1 / (24 * 60);

describe('confirming an e-mail address', () => {
  it('registration mails a link that confirms the address [decisions 5.1.3]', async () => {
    const registered = await links.post(null, '/api/register', {
      username: 'Fresh',
      email: 'Fresh@example.org',
      password: NEW_PASSWORD,
      acceptTerms: true,
      isAdult: true,
    });
    expect(registered.json()).toMatchObject({ isEmailVerified: false, pendingEmail: null });
    const token = await links.mailedToken('Fresh@example.org', '/verify-email');
    const answer = await links.post(null, '/api/user/verify-email', { token });
    expect(answer.json()).toEqual({ email: 'Fresh@example.org', needsPassword: true });
    expect(await links.addressesOf(registered.json().id)).toEqual({
      email: 'Fresh@example.org',
      emailVerifiedAt: links.test.ctx.clock(),
      pendingEmail: null,
    });
  });

  it.each([
    ['/coupons/5?bid=1', '&from=%2Fcoupons%2F5%3Fbid%3D1'],
    ['/coupons/5?bid=1&message=Buy%20pills%20at%20evil.example', '&from=%2Fcoupons%2F5%3Fbid%3D1'],
    ['https://evil.example/coupons/5', ''],
    [undefined, ''],
  ])('of a registration from %j only a coupon’s path is mailed', async (from, mailed) => {
    const email = `from.${from?.length}@example.org`;
    const person = {
      username: `from.${from?.length}`,
      password: NEW_PASSWORD,
      acceptTerms: true,
      isAdult: true,
    };
    const answer = await links.post(null, '/api/register', { ...person, email, from });
    expect(answer.statusCode, answer.body).toBe(201);
    await links.sendMail();
    const [mail] = links.mailServer.mails;
    expect(mail?.to).toBe(email);
    expect(mail?.text).toMatch(
      new RegExp(`/verify-email\\?token=[\\w-]{43}${mailed.replaceAll('%', '\\%')}\\s`),
    );
    expect(mail?.text).not.toContain('evil');
  });

  it('a link that is sent again leads to the coupon that it is sent from', async () => {
    const person = await createUser(links.test.ctx, { email: 'again@example.org', emailVerifiedAt: null });
    await links.post(person, '/api/user/send-verification', { from: '/coupons/7?buy=1' });
    await links.sendMail();
    expect(links.mailServer.mails.map(({ text }) => text).join()).toContain('&from=%2Fcoupons%2F7%3Fbuy%3D1');
  });

  it('a link works once, and then says that it is done [decisions 5.1.3]', async () => {
    const person = await createUser(links.test.ctx, { email: 'once@example.org', emailVerifiedAt: null });
    await links.post(person, '/api/user/send-verification');
    const token = await links.mailedToken('once@example.org', '/verify-email');
    expect((await links.post(null, '/api/user/verify-email', { token })).statusCode).toBe(200);
    await expectDone(links.post(null, '/api/user/verify-email', { token }));
  });

  it('a link works for 24 hours', async () => {
    const person = await createUser(links.test.ctx, { email: 'late@example.org', emailVerifiedAt: null });
    await links.post(person, '/api/user/send-verification');
    const token = await links.mailedToken('late@example.org', '/verify-email');
    links.test.ctx.clock.advanceDays(1);
    await expectSpent(links.post(null, '/api/user/verify-email', { token }));
    links.test.ctx.clock.advanceDays(-MINUTE);
    expect((await links.post(null, '/api/user/verify-email', { token })).statusCode).toBe(200);
  });

  it('a newer link makes the older one useless', async () => {
    const person = await createUser(links.test.ctx, { email: 'twice@example.org', emailVerifiedAt: null });
    await links.post(person, '/api/user/send-verification');
    const older = await links.mailedToken('twice@example.org', '/verify-email');
    await links.post(person, '/api/user/send-verification');
    const newer = await links.mailedToken('twice@example.org', '/verify-email');
    await expectSpent(links.post(null, '/api/user/verify-email', { token: older }));
    expect((await links.post(null, '/api/user/verify-email', { token: newer })).statusCode).toBe(200);
  });

  it('sends no mail to a person whose address is confirmed already', async () => {
    const person = await createUser(links.test.ctx, { email: 'done@example.org' });
    expect((await links.post(person, '/api/user/send-verification')).json()).toEqual({ ok: true });
    await links.sendMail();
    expect(links.subjectsTo('done@example.org')).toEqual([]);
  });

  it('a new address replaces the old one when its link is followed, and the old address is notified', async () => {
    const person = await createUser(links.test.ctx, { email: 'old@example.org' });
    await links.changeAddress(person, 'new@example.org');
    expect(await links.addressesOf(person.id)).toMatchObject({
      email: 'old@example.org',
      pendingEmail: 'new@example.org',
    });
    const token = await links.mailedToken('new@example.org', '/verify-email');
    expect((await links.post(null, '/api/user/verify-email', { token })).json()).toEqual({
      email: 'new@example.org',
      needsPassword: false,
    });
    expect(await links.addressesOf(person.id)).toEqual({
      email: 'new@example.org',
      emailVerifiedAt: links.test.ctx.clock(),
      pendingEmail: null,
    });
    await links.sendMail();
    expect(links.subjectsTo('old@example.org')).toEqual(['Your email address was changed']);
    expect(links.subjectsTo('new@example.org')).toEqual([]);
    const told = links.mailServer.mails.map(({ text, html }) => text + html).join();
    expect(told).not.toContain('new@example.org');
  });

  it('a link confirms only the address it was sent to', async () => {
    const person = await createUser(links.test.ctx, { email: 'mine@example.org' });
    await links.changeAddress(person, 'first@example.org');
    const token = await links.mailedToken('first@example.org', '/verify-email');
    await links.changeAddress(person, 'second@example.org');
    // The first link is useless even before the mail to the second address is sent.
    await expectSpent(links.post(null, '/api/user/verify-email', { token }));
    expect(await links.addressesOf(person.id)).toMatchObject({
      email: 'mine@example.org',
      pendingEmail: 'second@example.org',
    });
  });

  it('refuses the address of a deleted account, and frees an address that its owner has given up', async () => {
    const { ctx } = links.test;
    const [person, third] = [await createUser(ctx), await createUser(ctx)];
    // The owner of the address confirms it, and deletes their account, between the request and the link.
    const left = 'left-for-good@example.org';
    await links.changeAddress(person, left);
    const token = await links.mailedToken(left, '/verify-email');
    const leaver = await createUser(ctx, { email: left });
    await inTransaction(ctx.db, (trx) => anonymisePerson(trx, ctx, leaver.id));
    const answer = await links.post(null, '/api/user/verify-email', { token });
    expect(answer.json()).toMatchObject({ code: 'email_taken' });
    await links.changeAddress(third, left);
    await links.sendMail();
    expect(links.subjectsTo(left)).toEqual(['This address cannot be used again']);

    const { email: old } = await ctx.db
      .selectFrom('users')
      .select('email')
      .where('id', '=', person.id)
      .executeTakeFirstOrThrow();
    await links.changeAddress(person, 'moved@example.org');
    const move = await links.mailedToken('moved@example.org', '/verify-email');
    expect((await links.post(null, '/api/user/verify-email', { token: move })).statusCode).toBe(200);
    await links.emptyBoxes();
    await links.changeAddress(third, old);
    const take = await links.mailedToken(old, '/verify-email');
    expect((await links.post(null, '/api/user/verify-email', { token: take })).statusCode).toBe(200);
  });

  it('whoever confirms an address first has it: the claims of others are worth nothing', async () => {
    const register = (username: string) =>
      links.post(null, '/api/register', {
        username,
        email: 'one-of-two@example.org',
        password: NEW_PASSWORD,
        acceptTerms: true,
        isAdult: true,
      });
    await register('claims-first');
    const first = await links.mailedToken('one-of-two@example.org', '/verify-email');
    await register('claims-second');
    const second = await links.mailedToken('one-of-two@example.org', '/verify-email');
    const confirm = (token: string) =>
      links.post(null, '/api/user/verify-email', { token, password: NEW_PASSWORD });
    expect((await confirm(second)).statusCode).toBe(200);
    expect((await confirm(first)).json()).toMatchObject({ code: 'email_taken' });
    expect(
      (
        await links.post(null, '/api/login', { username: 'one-of-two@example.org', password: NEW_PASSWORD })
      ).json(),
    ).toMatchObject({ username: 'claims-second' });
  });

  it('when two people confirm the same address at once, exactly one gets it', async () => {
    const people = [await createUser(links.test.ctx), await createUser(links.test.ctx)];
    const tokens: string[] = [];
    for (const person of people) {
      await links.changeAddress(person, 'contested@example.org');
      tokens.push(await links.mailedToken('contested@example.org', '/verify-email'));
    }
    const answers = await Promise.all(
      tokens.map((token) => links.post(null, '/api/user/verify-email', { token })),
    );
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
  });

  it('refuses an invented link', async () => {
    await expectSpent(links.post(null, '/api/user/verify-email', { token: 'A'.repeat(43) }));
  });
});

describe('registering with an address does not tell whether it has an account', () => {
  it('the answer and the queries are the same; the mail alone tells', async () => {
    const { username } = await createUser(links.test.ctx, { email: 'Known@example.org' });
    const statements = vi.spyOn(pg.Client.prototype, 'query');
    const observe = async (name: string, email: string) => {
      statements.mockClear();
      const answer = await links.post(null, '/api/register', {
        username: name,
        email,
        password: NEW_PASSWORD,
        acceptTerms: true,
        isAdult: true,
      });
      const { id: _, username: __, email: ___, ...body } = answer.json();
      // Connections that are opened meanwhile, and jobs, ask other things.
      const asked = statements.mock.calls
        .map(([query]) => String(Object(query).text ?? query))
        .filter((text) => /\b(users|reserved_names|account_tokens|mail_outbox)\b/.test(text));
      return { statusCode: answer.statusCode, body, headers: Object.keys(answer.headers), asked };
    };
    const known = await observe('asks-known', 'kNOWN@example.org');
    const free = await observe('asks-a-free', 'kFREE@example.org');
    statements.mockRestore();
    expect(known).toEqual(free);
    expect(known.asked.length).toBeGreaterThan(2);
    expect(known.statusCode).toBe(201);
    await links.sendMail();
    expect(links.subjectsTo('kFREE@example.org')).toEqual(['Confirm your email address']);
    expect(links.subjectsTo('kNOWN@example.org')).toEqual(['You already have an account']);
    const told = links.mailServer.mails.find(({ to }) => to === 'kNOWN@example.org')?.text;
    expect(told).toContain(username);
    expect(told).not.toContain('asks-known');
    // The password opens the new account by its name, never the address of somebody else.
    const signIn = (name: string) =>
      links.post(null, '/api/login', { username: name, password: NEW_PASSWORD });
    expect((await signIn('known@example.org')).statusCode).toBe(401);
    expect((await signIn('asks-known')).statusCode).toBe(200);
  });

  it('of many registrations with one address five an hour are mailed from one network, twenty from everywhere', async () => {
    const { ctx, database } = links.test;
    const limited = { ...ctx, limiter: createRateLimiter(database.pool) };
    let round = 0;
    const registerFrom = async (ip: string) => {
      round += 1;
      const form = { username: `floods-${round}`, email: 'flooded@example.org', password: NEW_PASSWORD };
      const input = registerInputSchema.parse({ ...form, acceptTerms: true, isAdult: true });
      await register({ ...limited, ip }, input, null);
    };
    const mailed = async () => {
      await links.sendMail();
      return links.subjectsTo('flooded@example.org').length;
    };
    for (let times = 0; times < 7; times += 1) await registerFrom('198.51.100.1');
    expect(await mailed()).toBe(5);
    await registerFrom('203.0.113.5');
    expect(await mailed()).toBe(6);
    for (let times = 0; times < 18; times += 1) await registerFrom(`192.0.2.${times}`);
    expect(await mailed()).toBe(20);
  });
});

it('removes expired tokens after a day', async () => {
  const person = await createUser(links.test.ctx, { email: 'swept@example.org' });
  await links.askForReset('swept@example.org');
  await links.mailedToken('swept@example.org', '/reset-password');
  const countLeft = async (hours: number) => {
    const at = addDays(links.test.ctx.clock(), hours / 24);
    await removePastTokens({ ...links.test.ctx, clock: () => at });
    const rows = await links.test.ctx.db
      .selectFrom('accountTokens')
      .select('id')
      .where('userId', '=', person.id)
      .execute();
    return rows.length;
  };
  expect(await countLeft(24.9)).toBe(1);
  expect(await countLeft(25.1)).toBe(0);
});

it('no token or password of these tests is stored in a table or written to the log', () =>
  links.expectNoStoredSecrets());
