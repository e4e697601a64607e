import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SIGN_INS_KEPT_DAYS, signInSchema } from '#contract/people/accounts.ts';
import type { Actor } from '#server/context/context.ts';
import { inTransaction } from '#server/database/client.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { actingAs, createUser, TEST_PASSWORD } from '#tests/support/builders.ts';
import { resolveSession } from './sessions.ts';
import * as signIns from './sign-ins.ts';
import { forgetSignInsOf, listSignIns, removeOldSignIns } from './sign-ins.ts';

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** Signs in with these cookies; resolves with those that the browser has afterwards. */
async function signIn({ username }: { username: string }, cookies: Record<string, string> = {}) {
  const answer = await test.app.inject({
    method: 'POST',
    url: '/api/login',
    cookies,
    headers: { 'user-agent': FIREFOX },
    payload: { username, password: TEST_PASSWORD },
  });
  expect(answer.statusCode).toBe(200);
  return Object.fromEntries(answer.cookies.map(({ name, value }) => [name, value]));
}

function mailsTo({ id }: Actor) {
  return test.ctx.db
    .selectFrom('mailOutbox')
    .select(['kind', 'subject', 'body'])
    .where('userId', '=', id)
    .where('kind', '=', 'new_browser')
    .execute();
}

describe('a sign-in', () => {
  it('in a browser that the account does not know is told by mail, and stands in the history', async () => {
    const person = await createUser(test.ctx);
    const browser = await signIn(person);
    expect(await mailsTo(person)).toEqual([
      {
        kind: 'new_browser',
        subject: 'Signed in from a new browser',
        body: 'Firefox on Linux, on Jun 15, 2035 at 12:00 UTC',
      },
    ]);
    await signIn(person, browser);
    expect(await mailsTo(person)).toHaveLength(1);
    const answer = await test.call(person, { method: 'GET', url: '/api/user/sign-ins' });
    const listed = signInSchema.strict().array().parse(answer.json());
    expect(listed.map(({ device, isNewBrowser }) => ({ device, isNewBrowser }))).toEqual([
      { device: 'Firefox on Linux', isNewBrowser: false },
      { device: 'Firefox on Linux', isNewBrowser: true },
    ]);
  });

  it('in a browser that only another account knows is one in a new browser', async () => {
    const [person, other] = [await createUser(test.ctx), await createUser(test.ctx)];
    await signIn(person, await signIn(other));
    expect(await mailsTo(person)).toHaveLength(1);
  });

  it('is shown to its owner alone, and for so many days', async () => {
    const person = await createUser(test.ctx);
    await signIn(person);
    expect(await listSignIns(actingAs(test.ctx, await createUser(test.ctx)))).toEqual([]);
    const mine = actingAs(test.ctx, person);
    test.ctx.clock.advanceDays(SIGN_INS_KEPT_DAYS);
    await removeOldSignIns(test.ctx);
    expect(await listSignIns(mine)).toHaveLength(1);
    test.ctx.clock.advanceDays(1);
    await removeOldSignIns(test.ctx);
    expect(await listSignIns(mine)).toEqual([]);
  });
});

describe('what a sign-in leaves behind', () => {
  const signInAs = (
    userId: number,
    { ip = '203.0.113.7', previousToken = null as string | null, peopleInBrowser = [] as number[] } = {},
  ) =>
    inTransaction(test.ctx.db, (trx) =>
      signIns.signIn(
        trx,
        { ...test.ctx, ip },
        { userId, isNewBrowser: false, previousToken, peopleInBrowser },
      ),
    );

  it('the session that the browser came with is over, others are not', async () => {
    const { id } = await createUser(test.ctx);
    const [before, elsewhere] = [await signInAs(id), await signInAs(id)];
    const { token } = await signInAs(id, { previousToken: before.token });
    const found = [before.token, elsewhere.token, token].map((one) => resolveSession(test.ctx, one));
    expect((await Promise.all(found)).map((session) => session !== null)).toEqual([false, true, true]);
  });

  it('deals between the people of one browser count for nothing', async () => {
    const [one, other, alone] = [
      await createUser(test.ctx),
      await createUser(test.ctx),
      await createUser(test.ctx),
    ];
    await signInAs(one.id, { peopleInBrowser: [other.id, one.id] });
    await signInAs(alone.id, { peopleInBrowser: [alone.id] });
    const pairs = await test.ctx.db
      .selectFrom('uncountedPairs')
      .selectAll()
      .where('higherId', 'in', [one.id, other.id, alone.id])
      .execute();
    expect(pairs).toEqual([{ lowerId: one.id, higherId: other.id }]);
  });

  it('a network, which says nothing of the address, and none where everybody would have the same', async () => {
    const { id } = await createUser(test.ctx);
    const given = [
      '203.0.113.7',
      '2001:db8::1',
      '2001:db8::2',
      '10::1',
      '10.127.0.1',
      '127.0.0.1',
      '::1',
      'unix',
    ];
    for (const ip of given) await signInAs(id, { ip });
    const rows = await test.ctx.db
      .selectFrom('signIns')
      .select('networkHash')
      .where('userId', '=', id)
      .orderBy('id')
      .execute();
    const [v4, v6, sameNetwork, short, ten, ...unknown] = rows.map(({ networkHash }) => networkHash);
    expect(sameNetwork).toBe(v6);
    expect(new Set([v4, v6, short, ten]).size).toBe(4);
    for (const hash of [v4, v6, short, ten]) expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(unknown).toEqual([null, null, null]);
  });

  it('nothing of it, once the person is gone', async () => {
    const person = await createUser(test.ctx);
    await signInAs(person.id);
    await inTransaction(test.ctx.db, (trx) => forgetSignInsOf(trx, person.id));
    expect(await listSignIns(actingAs(test.ctx, person))).toEqual([]);
  });
});
