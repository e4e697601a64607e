import { generateSync } from 'otplib';
import { expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createIdentity, createPasskey, createUser, TEST_PASSWORD } from '#tests/support/builders.ts';

const test = setUpApp();

/** Turns the second factor of a person on. @returns a function that gives the code of now */
async function turnOn(person: Actor): Promise<() => string> {
  const begun = await test.call(person, {
    method: 'POST',
    url: '/api/user/second-factor',
    body: { password: TEST_PASSWORD },
  });
  const { secret } = begun.json();
  const code = () => {
    test.ctx.clock.advanceDays(30 / 86_400);
    return generateSync({ secret, epoch: test.ctx.clock().getTime() / 1_000 });
  };
  const enabled = await test.call(person, {
    method: 'POST',
    url: '/api/user/second-factor/enable',
    body: { code: code() },
  });
  expect(enabled.statusCode).toBe(200);
  return code;
}

function reset(admin: Actor, { id }: Actor, change: object = {}) {
  return test.call(admin, {
    method: 'POST',
    url: `/api/admin/users/${id}/second-factor/reset`,
    body: {
      reason: 'Answered from their address and named three deals.',
      password: TEST_PASSWORD,
      ...change,
    },
  });
}

async function login({ username }: Actor) {
  const answer = await test.app.inject({
    method: 'POST',
    url: '/api/login',
    payload: { username, password: TEST_PASSWORD },
  });
  return answer.json();
}

it('an admin turns a lost second factor off: the password signs in, sessions and passkeys end, and it is told and audited', async () => {
  const [admin, person] = [await createUser(test.ctx, { role: 'admin' }), await createUser(test.ctx)];
  await turnOn(person);
  // The lost phone may hold it, and whoever has a passkey at hand needs no help.
  await createPasskey(test.ctx, person);
  await createIdentity(test.ctx, person);
  expect(await login(person)).toMatchObject({ code: 'second_factor_required' });
  const found = async () => {
    const url = `/api/admin/users?search=${person.username}`;
    return (await test.call(admin, { method: 'GET', url })).json();
  };
  expect(await found()).toMatchObject([{ hasSecondFactor: true }]);

  expect((await reset(admin, person)).statusCode).toBe(200);
  const { rows } = await test.database.pool.query(
    `select (select count(*)::int from sessions where user_id = $1) as sessions,
       (select count(*)::int from recovery_codes where user_id = $1) as "recoveryCodes",
       (select count(*)::int from passkeys where user_id = $1) as passkeys,
       (select details from audit_log where target_user_id = $1 and actor_id = $2 and action = 'second_factor_reset')
         as audited,
       (select string_agg(body, '|' order by id) from mail_outbox where user_id = $1 and kind = 'second_factor') as mails`,
    [person.id, admin.id],
  );
  expect(rows).toEqual([
    {
      sessions: 0,
      recoveryCodes: 0,
      passkeys: 0,
      audited: `${person.username}: Answered from their address and named three deals.`,
      mails: expect.stringMatching(
        /turned on\.\|An admin turned off the second factor of your account because it was reported as lost, and ended what else opens it\.\nEnded: passkey “[^”]+” \(added [^)]+\) and sign-in with “[^”]+” \(linked [^)]+\)\.$/,
      ),
    },
  ]);
  expect(await login(person)).toMatchObject({ username: person.username });
  expect(await found()).toMatchObject([{ hasSecondFactor: false }]);
});

it('the admin proves who they are with their own password and their own second factor', async () => {
  const [admin, person] = [await createUser(test.ctx, { role: 'admin' }), await createUser(test.ctx)];
  await turnOn(person);
  const wrong = await reset(admin, person, { password: 'not mine at all' });
  expect(wrong.json()).toMatchObject({ code: 'bad_input', issues: [{ path: 'password' }] });
  await turnOn(admin);
  expect((await reset(admin, person)).json()).toMatchObject({ code: 'second_factor_required' });
  expect(await login(person)).toMatchObject({ code: 'second_factor_required' });
});
