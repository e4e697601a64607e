import { describe, expect, it } from 'vitest';
import { TEXTS } from '#contract/base/texts.ts';
import { changePasswordInputSchema } from '#contract/people/accounts.ts';
import type { Actor } from '#server/context/context.ts';
import { unlimited } from '#server/core/rate-limit.ts';
import { resolveSession, startSession } from '#server/people/sessions/sessions.ts';
import { setUpApp } from '#tests/support/app.ts';
import { actingAs, createUser, TEST_PASSWORD } from '#tests/support/builders.ts';
import { changePassword } from './passwords.ts';
import { login } from './signing-in.ts';

const test = setUpApp({ withLimits: true });

const NEW_PASSWORD = 'Quiet-river-9';

const form = (fields: Record<string, unknown> = {}) => ({
  currentPassword: TEST_PASSWORD,
  newPassword: NEW_PASSWORD,
  confirmPassword: NEW_PASSWORD,
  ...fields,
});

const put = (who: Actor, body: unknown, headers = {}) =>
  test.call(who, { method: 'PUT', url: '/api/user/password', body, headers });

const NO_TOKENS = { token: null, device: null, challenge: null };

describe('changing the password', () => {
  it('keeps this browser signed in under a new token, ends all other sessions and sends a mail [spec/3 2.67]', async () => {
    const { ctx } = test;
    const person = await createUser(ctx);
    const here = await startSession(ctx.db, ctx.clock, person.id);
    const elsewhere = await startSession(ctx.db, ctx.clock, person.id);
    const answer = await test.app.inject({
      method: 'PUT',
      url: '/api/user/password',
      headers: { cookie: `clipswap=${here.token}`, 'user-agent': 'The one that asks' },
      payload: form(),
    });
    expect(answer.json()).toEqual({ ok: true });
    const [cookie] = answer.cookies;
    expect(cookie).toMatchObject({ name: 'clipswap', httpOnly: true, path: '/' });
    expect(cookie?.value).not.toBe(here.token);
    expect((await resolveSession(ctx, cookie?.value ?? ''))?.actor.id).toBe(person.id);
    for (const session of [here, elsewhere]) expect(await resolveSession(ctx, session.token)).toBeNull();

    const { username } = person;
    await expect(login(ctx, { username, password: TEST_PASSWORD }, null)).rejects.toMatchObject({
      code: 'unauthorized',
    });
    expect((await login(ctx, { username, password: NEW_PASSWORD }, null)).user.id).toBe(person.id);
    const mails = await ctx.db
      .selectFrom('mailOutbox')
      .select(['kind', 'address'])
      .where('userId', '=', person.id)
      .orderBy('id')
      .execute();
    expect(mails).toEqual([
      { kind: 'password_changed', address: null },
      { kind: 'new_browser', address: null },
    ]);
    const history = await ctx.db
      .selectFrom('transactionLogs')
      .select(['action', 'details'])
      .where('userId', '=', person.id)
      .orderBy('id')
      .executeTakeFirst();
    expect(history).toEqual({ action: 'profile', details: 'Password changed' });
  });

  it.each([
    [
      { newPassword: 'Aa1', confirmPassword: 'Aa1' },
      { path: 'newPassword', message: 'Password too short' },
    ],
    [
      { newPassword: 'only lower', confirmPassword: 'only lower' },
      { path: 'newPassword', message: 'Password too weak' },
    ],
    [{ confirmPassword: 'Other-river-9' }, { path: 'confirmPassword', message: "Passwords don't match" }],
    [{ currentPassword: '' }, { path: 'currentPassword', message: 'Password required' }],
    [
      { currentPassword: 'wrong password' },
      { path: 'currentPassword', message: 'This is not your current password' },
    ],
    [
      { newPassword: 'Password1', confirmPassword: 'Password1' },
      { path: 'newPassword', message: TEXTS.accounts.commonPassword() },
    ],
  ])('refuses %o and changes nothing', async (fields, issue) => {
    const { ctx } = test;
    const person = await createUser(ctx);
    const elsewhere = await startSession(ctx.db, ctx.clock, person.id);
    const answer = await put(person, form(fields));
    expect(answer.statusCode).toBe(400);
    expect(answer.json().issues).toEqual([issue]);
    expect(answer.cookies).toEqual([]);
    expect(await resolveSession(ctx, elsewhere.token)).not.toBeNull();
  });

  it('refuses the old password as the new one', async () => {
    const { ctx } = test;
    const person = await createUser(ctx);
    await put(person, form());
    const answer = await put(person, form({ currentPassword: NEW_PASSWORD }));
    expect(answer.json().issues).toEqual([
      { path: 'newPassword', message: 'Your new password must differ from your current one.' },
    ]);
  });

  it('when two changes run at once, one succeeds and the other gets "not your current password"', async () => {
    const ctx = actingAs({ ...test.ctx, limiter: unlimited }, await createUser(test.ctx));
    const change = (newPassword: string) =>
      changePassword(
        ctx,
        changePasswordInputSchema.parse(form({ newPassword, confirmPassword: newPassword })),
        NO_TOKENS,
      );
    const results = await Promise.allSettled([change('First-river-1'), change('Second-river-2')]);
    const lost = results.filter((result) => result.status === 'rejected');
    expect(lost.map(({ reason }) => reason.issues)).toEqual([
      [{ path: 'currentPassword', message: 'This is not your current password' }],
    ]);
  });

  it('refuses a sign-in that checked the old password before the change', async () => {
    const person = await createUser(test.ctx);
    let isChanged = false;
    const limiter = {
      ...unlimited,
      // Called after the password has been verified, before the session is created.
      async reset() {
        if (isChanged) return;
        isChanged = true;
        await changePassword(actingAs(test.ctx, person), changePasswordInputSchema.parse(form()), NO_TOKENS);
      },
    };
    const late = login(
      { ...test.ctx, limiter },
      { username: person.username, password: TEST_PASSWORD },
      null,
    );
    await expect(late).rejects.toMatchObject({ code: 'unauthorized' });
    const sessions = await test.ctx.db
      .selectFrom('sessions')
      .select('id')
      .where('userId', '=', person.id)
      .execute();
    expect(sessions).toHaveLength(1);
  });
});
