import { generateSync } from 'otplib';
import { describe, expect, it } from 'vitest';
import { setUpApp } from '#tests/support/app.ts';
import { createUser, TEST_PASSWORD } from '#tests/support/builders.ts';
import { AGREED, openIdentities } from '#tests/support/identities.ts';

const test = setUpApp({ standIns: ['openid'] });
const { openBrowser, linked, identitiesOf, mailsTo } = openIdentities(test);

let counter = 0;
const newEmail = () => `at.provider.${++counter}@example.org`;

describe('a sign-in with a provider', () => {
  it('opens the linked account, as any other: in the history, with a mail for a new browser', async () => {
    const person = await createUser(test.ctx);
    const email = newEmail();
    await linked(person, email);
    const browser = openBrowser();
    expect(await browser.come({ email }, '/my-bids')).toBe('/auth/provider?from=%2Fmy-bids');
    expect(await browser.read('identities.pending')).toMatchObject({ next: 'enter', provider: 'Sandbox ID' });
    const { status, body } = await browser.call('identities.enter');
    expect({ status, username: body.username }).toEqual({ status: 200, username: person.username });
    expect((await browser.read('accounts.me')).id).toBe(person.id);
    // One for the browser in which it was linked.
    expect(await mailsTo(person, 'new_browser')).toHaveLength(2);
    const log = await test.ctx.db
      .selectFrom('transactionLogs')
      .select('details')
      .where('userId', '=', person.id)
      .where('action', '=', 'login')
      .orderBy('id', 'desc')
      .execute();
    expect(log[0]?.details).toBe('Signed in with Sandbox ID');
    expect((await identitiesOf(person))[0]?.lastUsedAt).not.toBeNull();
    // The same browser again is known.
    await browser.come({ email });
    await browser.call('identities.enter');
    expect(await mailsTo(person, 'new_browser')).toHaveLength(2);
  });

  it('proves one sign-in: it cannot be used again, nor later than half an hour after it', async () => {
    const person = await createUser(test.ctx);
    const email = newEmail();
    await linked(person, email);
    const browser = openBrowser();
    await browser.come({ email });
    expect((await browser.call('identities.enter')).status).toBe(200);
    expect((await browser.call('identities.enter')).status).toBe(401);
    await browser.come({ email });
    test.ctx.clock.advanceDays(31 / 1_440);
    expect(await browser.read('identities.pending')).toBeNull();
    expect((await browser.call('identities.enter')).status).toBe(401);
  });

  it('asks for the second factor of people who have one', async () => {
    const person = await createUser(test.ctx);
    const email = newEmail();
    const owner = await linked(person, email);
    const { body: key } = await owner.call('accounts.startSecondFactor', { password: TEST_PASSWORD });
    const next = () => {
      test.ctx.clock.advanceDays(30 / 86_400);
      return generateSync({ secret: key.secret, epoch: test.ctx.clock().getTime() / 1_000 });
    };
    await owner.call('accounts.enableSecondFactor', { code: next() });
    const browser = openBrowser();
    await browser.come({ email });
    expect(await browser.call('identities.enter')).toMatchObject({
      status: 403,
      body: { code: 'second_factor_required' },
    });
    expect(await browser.call('identities.enter', { code: '000000' })).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'code' }] },
    });
    expect(await browser.read('accounts.me')).toBeNull();
    expect((await browser.call('identities.enter', { code: next() })).status).toBe(200);
  });

  it('opens no account that is banned or deleted', async () => {
    const person = await createUser(test.ctx);
    const email = newEmail();
    await linked(person, email);
    const set = (values: { status?: string; deletedAt?: Date }) =>
      test.ctx.db.updateTable('users').set(values).where('id', '=', person.id).execute();
    const browser = openBrowser();
    await browser.come({ email });
    await set({ status: 'banned' });
    expect(await browser.call('identities.enter')).toMatchObject({
      status: 403,
      body: { error: expect.stringContaining('banned') },
    });
    await set({ status: 'active', deletedAt: test.ctx.clock() });
    expect((await browser.call('identities.enter')).status).toBe(401);
  });

  it('never finds an account by its address, however checked', async () => {
    const email = newEmail();
    const person = await createUser(test.ctx, { email });
    const browser = openBrowser();
    await browser.come({ email });
    expect(await browser.read('identities.pending')).toMatchObject({ next: 'choose', hasAccount: true });
    expect((await browser.call('identities.enter')).status).toBe(401);
    expect(await identitiesOf(person)).toEqual([]);
  });

  it('tells whether an address has an account only to whom the provider has checked it for', async () => {
    const email = newEmail();
    await createUser(test.ctx, { email });
    const browser = openBrowser();
    await browser.come({ email, isChecked: false });
    expect(await browser.read('identities.pending')).toMatchObject({ next: 'choose', hasAccount: false });
  });
});

describe('a registration with a provider', () => {
  const newcomer = (email: string) => ({ username: `newcomer.${++counter}`, email, ...AGREED });

  it('makes an account without a password, whose checked address is confirmed, and signs in', async () => {
    const email = newEmail();
    const browser = openBrowser();
    await browser.come({ email });
    const { status, body } = await browser.call('identities.register', newcomer(email));
    expect({ status, isConfirmed: body.isEmailVerified }).toEqual({ status: 200, isConfirmed: true });
    expect((await browser.read('accounts.me')).id).toBe(body.id);
    expect(await mailsTo(body, 'verify_email')).toEqual([]);
    const { passwordHash } = await test.ctx.db
      .selectFrom('users')
      .select('passwordHash')
      .where('id', '=', body.id)
      .executeTakeFirstOrThrow();
    expect(passwordHash).toBe('');
    const later = openBrowser();
    await later.come({ email });
    expect((await later.call('identities.enter')).body.id).toBe(body.id);
  });

  it.each([
    ['that the provider has not checked', false, (email: string) => email],
    ['other than the checked one', true, () => newEmail()],
  ])('confirms an address %s by mail', async (_, isChecked, chosen) => {
    const email = newEmail();
    const browser = openBrowser();
    await browser.come({ email, isChecked });
    const { body } = await browser.call('identities.register', newcomer(chosen(email)));
    expect(body.isEmailVerified).toBe(false);
    expect(await mailsTo(body, 'verify_email')).toHaveLength(1);
  });

  it('leaves an address to the account that has it, as any registration does', async () => {
    const email = newEmail();
    const owner = await createUser(test.ctx, { email });
    const browser = openBrowser();
    await browser.come({ email });
    const { status, body } = await browser.call('identities.register', newcomer(email));
    expect({ status, isConfirmed: body.isEmailVerified }).toEqual({ status: 200, isConfirmed: false });
    expect(body.id).not.toBe(owner.id);
  });

  it('confirms no address that a deleted account had', async () => {
    const email = newEmail();
    const gone = await createUser(test.ctx, { email });
    const leaving = openBrowser();
    await leaving.signIn(gone);
    const left = await leaving.call('accounts.deleteAccount', { confirmPassword: TEST_PASSWORD });
    expect(left.status).toBe(200);
    const browser = openBrowser();
    await browser.come({ email });
    expect((await browser.call('identities.register', newcomer(email))).body.isEmailVerified).toBe(false);
  });

  it('needs the terms, the age and a free name', async () => {
    const { username } = await createUser(test.ctx);
    const email = newEmail();
    const browser = openBrowser();
    await browser.come({ email });
    const person = newcomer(email);
    expect((await browser.call('identities.register', { ...person, isAdult: false })).status).toBe(400);
    expect((await browser.call('identities.register', { ...person, acceptTerms: false })).status).toBe(400);
    expect((await browser.call('identities.register', { ...person, username })).status).toBe(409);
    expect((await browser.call('identities.register', { ...person, username: 'Admin' })).status).toBe(400);
    // What was proved is left for a better try.
    expect((await browser.call('identities.register', person)).status).toBe(200);
  });

  it('makes one account, by two presses at once and in two tabs', async () => {
    const email = newEmail();
    const browser = openBrowser();
    await browser.come({ email });
    const statusesOf = async (answers: readonly Promise<{ status: number }>[]) =>
      (await Promise.all(answers)).map(({ status }) => status);
    const twice = await statusesOf(
      [newcomer(email), newcomer(newEmail())].map((person) => browser.call('identities.register', person)),
    );
    expect(twice.toSorted()).toEqual([200, 401]);

    const other = newEmail();
    const tabs = [openBrowser(), openBrowser()];
    for (const tab of tabs) await tab.come({ email: other });
    const both = await statusesOf(tabs.map((tab) => tab.call('identities.register', newcomer(newEmail()))));
    expect(both.toSorted()).toEqual([200, 409]);
  });
});
