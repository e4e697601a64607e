import { beforeEach, describe, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { renewToken } from '#server/people/private-addresses/service.ts';
import { createAuthenticator } from '#tests/support/authenticator.ts';
import { actingAs, createUser, TEST_PASSWORD } from '#tests/support/builders.ts';
import { expectDone, NEW_PASSWORD, setUpMailedLinks } from '#tests/support/mailed-links.ts';
import { ORIGIN, openPasskeys } from '#tests/support/passkeys.ts';

/** What opens an account, and what is left of it after the acts that end it. */

const links = setUpMailedLinks();
const asked = () => openPasskeys(links.test);
type Browser = ReturnType<ReturnType<typeof openPasskeys>['openBrowser']>;

let number = 0;
beforeEach(() => {
  number += 1;
  // Later than the acts of the tests before.
  links.test.ctx.clock.advanceDays(1);
});

/** Somebody who registers in a browser, adds a passkey and turns on the second factor, before confirming the address. */
async function newcomer() {
  const browser = asked().openBrowser();
  const [username, email] = [`newcomer-${number}`, `newcomer-${number}@example.org`];
  const input = { username, email, password: TEST_PASSWORD, acceptTerms: true, isAdult: true };
  const { body } = await browser.call('register', input);
  const authenticator = createAuthenticator(ORIGIN);
  expect((await asked().add(browser, authenticator)).status).toBe(200);
  const nextCode = await asked().turnOn(browser);
  const token = await links.mailedToken(email, '/verify-email');
  return { id: body.id as number, username, email, browser, authenticator, nextCode, token };
}

const isSignedIn = async ({ cookies }: Browser) =>
  (await links.test.app.inject({ url: '/api/user', cookies })).statusCode === 200;

const signIn = (username: string, password: string, code?: string) =>
  links.post(null, '/api/login', { username, password, code });

async function entersByPasskey(authenticator: ReturnType<typeof createAuthenticator>): Promise<boolean> {
  return (await asked().enter(asked().openBrowser(), authenticator)).status === 200;
}

describe('confirming an address for the first time', () => {
  it('by somebody who is not signed in leaves no other way in: they choose a password by a second mail', async () => {
    const theirs = await newcomer();
    const { username, email, token } = theirs;
    const confirmed = await links.post(null, '/api/user/verify-email', { token });
    expect(confirmed.json()).toEqual({ email, needsPassword: true });
    expect(await isSignedIn(theirs.browser)).toBe(false);
    expect(await entersByPasskey(theirs.authenticator)).toBe(false);
    expect((await signIn(username, TEST_PASSWORD, theirs.nextCode())).statusCode).toBe(401);
    const reset = await links.mailedToken(email, '/reset-password');
    expect((await links.chooseNew(reset)).statusCode).toBe(200);
    expect((await signIn(email, NEW_PASSWORD)).statusCode).toBe(200);
  });

  it('in a browser that is signed in keeps it and the factors, and ends the other sessions', async () => {
    const mine = await newcomer();
    const elsewhere = asked().openBrowser();
    await asked().enter(elsewhere, mine.authenticator);
    const { body } = await mine.browser.call('verifyEmail', { token: mine.token });
    expect(body).toEqual({ email: mine.email, needsPassword: false });
    expect(await isSignedIn(mine.browser)).toBe(true);
    expect(await isSignedIn(elsewhere)).toBe(false);
    expect(await entersByPasskey(mine.authenticator)).toBe(true);
    expect((await signIn(mine.email, TEST_PASSWORD, mine.nextCode())).statusCode).toBe(200);
  });

  it('elsewhere by somebody who knows the password keeps everything; a wrong one uses up nothing', async () => {
    const { username, email, token, browser, authenticator } = await newcomer();
    const confirm = (password: string) => links.post(null, '/api/user/verify-email', { token, password });
    expect((await confirm('not this one')).json()).toMatchObject({
      code: 'bad_input',
      issues: [{ path: 'password' }],
    });
    expect((await confirm(TEST_PASSWORD)).json()).toEqual({ email, needsPassword: false });
    expect(await isSignedIn(browser)).toBe(true);
    expect(await entersByPasskey(authenticator)).toBe(true);
    expect((await signIn(username, TEST_PASSWORD)).json()).toMatchObject({ code: 'second_factor_required' });
  });

  it('in the browser of another account counts as not signed in', async () => {
    const theirs = await newcomer();
    const other = await asked().signedIn(await createUser(links.test.ctx));
    const { body } = await other.call('verifyEmail', { token: theirs.token });
    expect(body).toMatchObject({ needsPassword: true });
    expect(await isSignedIn(other)).toBe(true);
    expect(await isSignedIn(theirs.browser)).toBe(false);
  });
});

/** Somebody with a confirmed address, a passkey and a second factor that is older than today. */
async function member(): Promise<{
  person: Actor;
  email: string;
  browser: Browser;
  authenticator: ReturnType<typeof createAuthenticator>;
  nextCode: () => string;
}> {
  const { person, browser, authenticator } = await asked().withPasskey();
  const nextCode = await asked().turnOn(browser);
  links.test.ctx.clock.advanceDays(1);
  await links.emptyBoxes();
  return { person, email: `${person.username}@example.org`, browser, authenticator, nextCode };
}

it('a reset ends sessions and passkeys, keeps the second factor, and its mail says so', async () => {
  const { person, email, browser, authenticator, nextCode } = await member();
  await links.askForReset(email);
  await links.chooseNew(await links.mailedToken(email, '/reset-password'));
  expect(await isSignedIn(browser)).toBe(false);
  expect(await entersByPasskey(authenticator)).toBe(false);
  expect((await signIn(person.username, NEW_PASSWORD)).json()).toMatchObject({
    code: 'second_factor_required',
  });
  expect((await signIn(person.username, NEW_PASSWORD, nextCode())).statusCode).toBe(200);
  await links.sendMail();
  const told = links.mailServer.mails.find(({ subject }) => subject === 'Your password was changed')?.text;
  expect(told).toMatch(/Ended: 1 signed-in device and passkey “Laptop” \(added \w{3} \d\d?, \d{4}\)\./);
  expect(told).toMatch(
    /Still on: authenticator app \(since \w{3} \d\d?, \d{4}\) and 10 recovery codes \(created \w{3} \d\d?, \d{4}\)\./,
  );
});

/** Somebody whose program is told of their deals, and whose calendar shows their coupons. */
async function toldElsewhere() {
  const { ctx } = links.test;
  const person = await createUser(ctx);
  const row = { url: 'https://shop.example/hook', secret: Buffer.from('s'), events: ['bid.placed'] };
  const of = { userId: person.id, isForAll: false, createdAt: ctx.clock() };
  await ctx.db
    .insertInto('webhookEndpoints')
    .values({ ...of, ...row })
    .execute();
  await renewToken(actingAs(ctx, person), 'calendar');
  const mail = async () => {
    await links.sendMail();
    return links.mailServer.mails.find(({ subject }) => subject === 'Your password was changed')?.text;
  };
  return { person, email: `${person.username}@example.org`, mail };
}
const TOLD =
  /: webhook to shop\[\.\]example \(added \w{3} \d\d?, \d{4}\) and calendar address \(created \w{3} \d\d?, \d{4}\)\./;

it('a new password by mail switches webhooks off and ends the calendar, and says how to turn them on again', async () => {
  const { email, mail } = await toldElsewhere();
  await links.askForReset(email);
  await links.chooseNew(await links.mailedToken(email, '/reset-password'));
  const text = await mail();
  expect(text).toMatch(new RegExp(`Ended${TOLD.source}`));
  expect(text).toContain(
    'Your webhooks are switched off. Check each address in your settings, then switch it on again.',
  );
  expect(text).toContain('Create a new address for it in your settings.');
});

it('a new password in the settings keeps them, and its mail names them', async () => {
  const { person, mail } = await toldElsewhere();
  const browser = await asked().signedIn(person);
  const input = {
    currentPassword: TEST_PASSWORD,
    newPassword: NEW_PASSWORD,
    confirmPassword: NEW_PASSWORD,
  };
  expect((await browser.call('changePassword', input)).status).toBe(200);
  const text = await mail();
  expect(text).toMatch(new RegExp(`Still on${TOLD.source}`));
  expect(text).not.toContain('switched off');
});

it('turning on the second factor ends the other sessions', async () => {
  const person = await createUser(links.test.ctx);
  const [here, elsewhere] = [await asked().signedIn(person), await asked().signedIn(person)];
  await asked().turnOn(here);
  expect([await isSignedIn(here), await isSignedIn(elsewhere)]).toEqual([true, false]);
});

describe('the link “This was not me”', () => {
  it('ends whatever came with the thief, whom neither a passkey nor a second factor keeps in', async () => {
    const person = await createUser(links.test.ctx);
    const thief = await asked().signedIn(person);
    const token = await links.mailedToken(`${person.username}@example.org`, '/not-me');
    const passkey = createAuthenticator(ORIGIN);
    await asked().add(thief, passkey);
    await asked().turnOn(thief);
    expect((await links.chooseNew(token)).statusCode).toBe(200);
    expect(await isSignedIn(thief)).toBe(false);
    expect(await entersByPasskey(passkey)).toBe(false);
    expect((await signIn(person.username, NEW_PASSWORD)).statusCode).toBe(200);
    await expectDone(links.chooseNew(token, 'Another-river-9'));
  });

  it('does not turn off the second factor that was on before: who reads the mail alone does not get past it', async () => {
    const { person, email, nextCode } = await member();
    await links.askForReset(email);
    await links.chooseNew(await links.mailedToken(email, '/reset-password'), 'Mail-reader-1');
    await links.chooseNew(await links.mailedToken(email, '/not-me'));
    expect((await signIn(person.username, NEW_PASSWORD)).json()).toMatchObject({
      code: 'second_factor_required',
    });
    expect((await signIn(person.username, NEW_PASSWORD, nextCode())).statusCode).toBe(200);
  });

  it('works for seven days', async () => {
    const person = await createUser(links.test.ctx);
    await asked().signedIn(person);
    const token = await links.mailedToken(`${person.username}@example.org`, '/not-me');
    links.test.ctx.clock.advanceDays(7);
    expect((await links.chooseNew(token)).statusCode).toBe(400);
    links.test.ctx.clock.advanceDays(-0.001);
    expect((await links.chooseNew(token)).statusCode).toBe(200);
  });
});

describe('the address of an account', () => {
  const change = (browser: Browser, email: string, proof: object = {}) =>
    browser.call('updateProfile', { email, preferredCurrency: 'CAD', country: 'CA', ...proof });

  it('changes only with the password and the second factor, or with a passkey', async () => {
    const { browser, authenticator, nextCode } = await member();
    const to = `changed-${number}@example.org`;
    expect(await change(browser, to)).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'password' }] },
    });
    expect(await change(browser, to, { password: 'not this one' })).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'password' }] },
    });
    const withPassword = { password: TEST_PASSWORD };
    expect((await change(browser, to, withPassword)).body).toMatchObject({ code: 'second_factor_required' });
    await browser.call('confirmSecondFactor', { code: nextCode() });
    expect((await change(browser, to, withPassword)).body).toMatchObject({ pendingEmail: to });
    const passkey = await asked().proof(browser, authenticator);
    expect((await change(browser, `b-${to}`, { passkey })).body).toMatchObject({ pendingEmail: `b-${to}` });
  });

  it('is taken back by the link that the old address gets, even if the thief has changed it twice', async () => {
    const { ctx } = links.test;
    const person = await createUser(ctx);
    const old = `${person.username}@example.org`;
    const thief = await asked().signedIn(person);
    await links.emptyBoxes();
    const proof = { password: TEST_PASSWORD };
    const move = async (to: string) => {
      await change(thief, to, proof);
      const token = await links.mailedToken(to, '/verify-email');
      ctx.clock.advanceDays(0.01);
      expect((await thief.call('verifyEmail', { token })).status).toBe(200);
    };
    await move(`thief-${number}@example.org`);
    const back = await links.mailedToken(old, '/not-me');
    await move(`thief-too-${number}@example.org`);
    const thiefs = await links.mailedToken(`thief-${number}@example.org`, '/not-me');
    // The thief's own link comes first, and does not stop the owner's.
    expect((await links.chooseNew(thiefs, 'Thief-river-9')).statusCode).toBe(200);
    expect((await links.chooseNew(back)).statusCode).toBe(200);
    expect(await links.addressesOf(person.id)).toMatchObject({ email: old, pendingEmail: null });
    expect(await isSignedIn(thief)).toBe(false);
    expect((await signIn(old, NEW_PASSWORD)).statusCode).toBe(200);
    await links.sendMail();
    expect(links.subjectsTo(`thief-${number}@example.org`)).not.toContain('Signed in from a new browser');
  });

  it('that was never confirmed gets no link to take anything back, and no mail but the confirmation', async () => {
    const { browser, email, nextCode } = await newcomer();
    const to = `right-${number}@example.org`;
    await browser.call('confirmSecondFactor', { code: nextCode() });
    expect((await change(browser, to, { password: TEST_PASSWORD })).body).toMatchObject({ pendingEmail: to });
    await browser.call('verifyEmail', { token: await links.mailedToken(to, '/verify-email') });
    await links.sendMail();
    expect(links.subjectsTo(email)).toEqual([]);
  });
});
