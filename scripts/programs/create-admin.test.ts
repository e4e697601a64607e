import { execFile } from 'node:child_process';
import { expect, it } from 'vitest';
import { setUpApp } from '#tests/support/app.ts';
import { createUser } from '#tests/support/builders.ts';
import { itLong } from '#tests/support/long-form.ts';
import { createAdmin, describeError } from './create-admin.ts';

const test = setUpApp();

/** Runs the program as an operator would; the password comes through a pipe. */
function runProgram(username: string, email: string, password: string) {
  return new Promise<{ code: number; output: string }>((resolve) => {
    const child = execFile(
      process.execPath,
      [
        '--import',
        './scripts/build/typescript.js',
        'scripts/programs/create-admin.ts',
        '--username',
        username,
        '--email',
        email,
      ],
      {
        env: {
          ...process.env,
          NODE_ENV: 'test',
          DATABASE_URL: test.database.url,
          SECRET_KEY: Buffer.alloc(32).toString('base64'),
          CLIPSWAP_PASSWORD: '',
        },
      },
      (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code) : 0, output: `${stdout}${stderr}`.trim() }),
    );
    child.stdin?.end(`${password}\n`);
  });
}

/** Calls the program's function in this process and returns what it prints. */
function create(username: string, email: string, password = ''): Promise<string> {
  return createAdmin(test.deps, { username, email }, async () => password).catch(describeError);
}

function roleOf(username: string) {
  return test.ctx.db
    .selectFrom('users')
    .select('role')
    .where('username', '=', username)
    .executeTakeFirst()
    .then((row) => row?.role);
}

it('registers an administrator once', async () => {
  expect(await runProgram('operator', 'operator@example.org', 'a meadow after rain')).toEqual({
    code: 0,
    output: 'Registered operator <operator@example.org> as an administrator.',
  });
  expect(await roleOf('operator')).toBe('admin');
  expect(await create('operator', 'operator@example.org')).toBe('operator is an administrator already.');
});

it('promotes a person whose user name and address both fit', async () => {
  await createUser(test.ctx, { username: 'present', email: 'present@example.org' });
  expect(await create('present', 'operator@example.com')).toBe(
    'present is registered with another e-mail address; nothing was changed',
  );
  expect(await create('PRESENT', 'Present@example.org')).toBe(
    'present was user and is now an administrator.',
  );
  expect(await roleOf('present')).toBe('admin');
});

it('promotes nobody who has not confirmed the address: it may be another person’s', async () => {
  await createUser(test.ctx, { username: 'claims', email: 'chief@example.org', emailVerifiedAt: null });
  expect(await create('claims', 'chief@example.org')).toBe(
    'claims has not confirmed this address; nothing was changed',
  );
  expect(await roleOf('claims')).toBe('user');
});

it('gives official names, but none that looks like another person’s', async () => {
  await create('support', 'support@example.org', 'a meadow after rain');
  expect(await roleOf('support')).toBe('admin');
  expect(await create('supp0rt', 'another@example.org', 'a meadow after rain')).toBe(
    'This username is already taken',
  );
});

it('refuses what registration refuses, with the reason', async () => {
  const refusal = 'This password is too common. Choose one that is harder to guess.';
  expect(await create('weak', 'weak@example.org', 'password1')).toBe(refusal);
  expect(await create('x', 'x@example.org', 'a meadow after rain')).toBe(
    'Username must have at least 3 characters',
  );
});

itLong('ends with 1 and the reason where it is refused', async () => {
  const output = 'This password is too common. Choose one that is harder to guess.';
  expect(await runProgram('weak', 'weak@example.org', 'password1')).toEqual({ code: 1, output });
});

it('signs nobody in: the new administrator has no session and no sign-in', async () => {
  await create('watchful', 'watchful@example.org', 'a meadow after rain');
  const { rows } = await test.database.pool.query(
    `select u.role, (select count(*)::int from sessions s where s.user_id = u.id) as sessions,
       (select count(*)::int from sign_ins s where s.user_id = u.id) as "signIns" from users u where username = $1`,
    ['watchful'],
  );
  expect(rows).toEqual([{ role: 'admin', sessions: 0, signIns: 0 }]);
});
