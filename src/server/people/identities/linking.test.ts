import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { addDays } from '#server/core/clock.ts';
import { sha256 } from '#server/core/crypto.ts';
import { inTransaction } from '#server/database/client.ts';
import { removeWayIn } from '#server/people/accounts/ways-in.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createPasskey, createUser, TEST_PASSWORD } from '#tests/support/builders.ts';
import { AGREED, openIdentities } from '#tests/support/identities.ts';

const test = setUpApp({ standIns: ['openid'] });
const { openBrowser, answerAt, linked, identitiesOf, mailsTo } = openIdentities(test);

let counter = 0;
const newEmail = () => `linked.${++counter}@example.org`;

describe('a link', () => {
  it('needs the password, is told by mail, and stands in the settings', async () => {
    const person = await createUser(test.ctx);
    const browser = openBrowser();
    await browser.signIn(person);
    expect(await browser.call('identities.startLink', { password: 'wrong' })).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'password' }] },
    });
    const { body } = await browser.call('identities.startLink', { password: TEST_PASSWORD });
    await browser.follow(await answerAt(body.url, { email: newEmail() }));
    expect(await browser.read('identities.pending')).toMatchObject({ next: 'link', needsProof: false });
    expect((await browser.call('identities.link')).status).toBe(200);
    expect(await mailsTo(person, 'identity')).toEqual([
      { body: 'Your account can now be opened with “Sandbox ID”.' },
    ]);
    expect(await browser.read('identities.list')).toMatchObject([
      { name: 'Sandbox ID', isInUse: true, lastUsedAt: null },
    ]);
    expect((await browser.call('identities.link')).status).toBe(401);
  });

  it('needs no more from who signs in after the provider has named them', async () => {
    const person = await createUser(test.ctx);
    const email = newEmail();
    const browser = openBrowser();
    await browser.come({ email });
    await browser.signIn(person);
    expect(await browser.read('identities.pending')).toMatchObject({ next: 'link', needsProof: false });
    expect((await browser.call('identities.link')).status).toBe(200);
    expect(await identitiesOf(person)).toHaveLength(1);
  });

  it('needs the password from who was signed in before', async () => {
    const person = await createUser(test.ctx);
    const browser = openBrowser();
    await browser.signIn(person);
    test.ctx.clock.advanceDays(1 / 1_440);
    await browser.come({ email: newEmail() });
    expect(await browser.read('identities.pending')).toMatchObject({ next: 'link', needsProof: true });
    expect((await browser.call('identities.link')).status).toBe(400);
    expect((await browser.call('identities.link', { password: 'wrong' })).status).toBe(400);
    expect(await identitiesOf(person)).toEqual([]);
    expect((await browser.call('identities.link', { password: TEST_PASSWORD })).status).toBe(200);
  });

  it('is for the person who has begun it, in whatever browser somebody else signs in', async () => {
    const [person, other] = [await createUser(test.ctx), await createUser(test.ctx)];
    const browser = openBrowser();
    await browser.signIn(person);
    const { body } = await browser.call('identities.startLink', { password: TEST_PASSWORD });
    await browser.signIn(other);
    await browser.follow(await answerAt(body.url, { email: newEmail() }));
    expect(await browser.read('identities.pending')).toBeNull();
    expect((await browser.call('identities.link')).status).toBe(401);
    expect(await identitiesOf(other)).toEqual([]);
  });

  it('is one for each person, and an identity opens one account', async () => {
    const [person, other] = [await createUser(test.ctx), await createUser(test.ctx)];
    const email = newEmail();
    const browser = await linked(person, email);
    const link = async (mail: string, who = browser) => {
      const { body } = await who.call('identities.startLink', { password: TEST_PASSWORD });
      await who.follow(await answerAt(body.url, { email: mail }));
      return who.call('identities.link');
    };
    expect((await link(newEmail())).status).toBe(409);
    const others = openBrowser();
    await others.signIn(other);
    expect((await link(email, others)).status).toBe(409);
    expect(await identitiesOf(other)).toEqual([]);
  });

  it('is removed after the password alone, and told by mail', async () => {
    const person = await createUser(test.ctx);
    const email = newEmail();
    const browser = await linked(person, email);
    const [{ id }] = await browser.read('identities.list');
    expect((await browser.call('identities.remove', { id, password: 'wrong' })).status).toBe(400);
    const stranger = openBrowser();
    await stranger.signIn(await createUser(test.ctx));
    expect((await stranger.call('identities.remove', { id, password: TEST_PASSWORD })).status).toBe(404);
    expect((await browser.call('identities.remove', { id, password: TEST_PASSWORD })).status).toBe(200);
    expect(await mailsTo(person, 'identity')).toHaveLength(2);
    await browser.come({ email });
    expect((await browser.call('identities.enter')).status).toBe(401);
  });

  it.each(['reset_password', 'not_me'])('ends by the emailed link %s, as passkeys do', async (purpose) => {
    const person = await createUser(test.ctx);
    await linked(person, newEmail());
    await createPasskey(test.ctx, person);
    const token = randomBytes(32).toString('base64url');
    const values = {
      userId: person.id,
      purpose,
      tokenHash: sha256(token),
      email: `${person.username}@example.org`,
    };
    const at = test.ctx.clock();
    await test.ctx.db
      .insertInto('accountTokens')
      .values({ ...values, createdAt: at, expiresAt: addDays(at, 1) })
      .execute();
    const chosen = { newPassword: 'Aa1-meadow-brook', confirmPassword: 'Aa1-meadow-brook' };
    const { status } = await openBrowser().call('accounts.resetPassword', { token, ...chosen });
    expect(status).toBe(200);
    const passkeys = await test.ctx.db
      .selectFrom('passkeys')
      .select('id')
      .where('userId', '=', person.id)
      .execute();
    expect({ identities: (await identitiesOf(person)).length, passkeys: passkeys.length }).toEqual({
      identities: 0,
      passkeys: 0,
    });
    expect((await mailsTo(person, 'password_changed'))[0]?.body).toContain(
      'sign-in with “Sandbox ID” (linked',
    );
  });

  it('lets the last passkey go where there is no password, and stays then', async () => {
    const email = newEmail();
    const browser = openBrowser();
    await browser.come({ email });
    const { body: person } = await browser.call('identities.register', {
      username: `keyed.${++counter}`,
      email,
      ...AGREED,
    });
    await createPasskey(test.ctx, person);
    const remove = (table: 'passkeys' | 'identities') =>
      inTransaction(test.ctx.db, (trx) =>
        removeWayIn(trx, test.ctx, person.id, () =>
          trx.deleteFrom(table).where('userId', '=', person.id).execute(),
        ),
      );
    await remove('passkeys');
    await expect(remove('identities')).rejects.toMatchObject({ code: 'conflict' });
    expect(await identitiesOf(person)).toHaveLength(1);
  });
});
