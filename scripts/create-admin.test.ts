import { execFile } from 'node:child_process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestContext, createUser } from '#server/testing/builders.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

/** Runs the program as an operator would; the password comes through a pipe. */
function createAdmin(username: string, email: string, password: string) {
  return new Promise<{ code: number; output: string }>((resolve) => {
    const child = execFile(
      process.execPath,
      ['--import', 'tsx', 'scripts/create-admin.ts', '--username', username, '--email', email],
      {
        env: {
          ...process.env,
          NODE_ENV: 'test',
          DATABASE_URL: database.url,
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

function roleOf(username: string) {
  return database.db
    .selectFrom('users')
    .select('role')
    .where('username', '=', username)
    .executeTakeFirst()
    .then((row) => row?.role);
}

it('registers an administrator, who can be named again without harm', async () => {
  expect(await createAdmin('operator', 'operator@example.org', 'a meadow after rain')).toEqual({
    code: 0,
    output: 'Registered operator <operator@example.org> as an administrator.',
  });
  expect(await roleOf('operator')).toBe('admin');
  expect(await createAdmin('operator', 'operator@example.org', '')).toEqual({
    code: 0,
    output: 'operator is an administrator already.',
  });
});

it('promotes a person by user name and address, and nobody who only took the name', async () => {
  const ctx = createTestContext(database);
  await createUser(ctx, { username: 'present', email: 'present@example.org' });
  expect(await createAdmin('present', 'operator@example.com', '')).toEqual({
    code: 1,
    output: 'present is registered with another e-mail address; nothing was changed',
  });
  expect(await roleOf('present')).toBe('user');
  expect(await createAdmin('PRESENT', 'Present@example.org', '')).toEqual({
    code: 0,
    output: 'present was user and is now an administrator.',
  });
  expect(await roleOf('present')).toBe('admin');
});

it('refuses as registration does, and says why', async () => {
  expect(await createAdmin('weak', 'weak@example.org', 'password1')).toEqual({
    code: 1,
    output: 'This password is too common. Choose one that is harder to guess.',
  });
  expect(await createAdmin('x', 'x@example.org', 'a meadow after rain')).toMatchObject({
    code: 1,
    output: 'Username must have at least 3 characters',
  });
});
