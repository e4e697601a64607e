import { beforeEach, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { forgetOldCalls } from '#server/people/idempotency/service.ts';
import { createApiKey } from '#tests/support/api-keys.ts';
import { keptLog, setUpApp, type TestCall } from '#tests/support/app.ts';
import { createUser, TEST_PASSWORD } from '#tests/support/builders.ts';
import { plainPicture } from '#tests/support/pictures.ts';
import { type UploadForm, uploadFile } from './upload-forms.ts';

/** Calls with a key of their own are done once, however often they are made. */

const { log, lines } = keptLog('info');
const test = setUpApp({ log, config: { logLevel: 'info' } });
let me: Actor;
beforeEach(async () => {
  me = await createUser(test.ctx);
});

const want = (search: string) =>
  ({ method: 'POST', url: '/api/wants', body: { search, gives: 'any' } }) as const;
const under = (key: string, call: TestCall, who: Actor | null = me) =>
  test.call(who, { ...call, headers: { 'idempotency-key': key, ...call.headers } });
const wantsOf = async (who = me) =>
  (await test.ctx.db.selectFrom('wants').select('id').where('userId', '=', who.id).execute()).length;

it('the same call with the same key is done once, and answered alike', async () => {
  const first = await under('one', want('tea'));
  expect(first.statusCode).toBe(201);
  const again = await under('one', want('tea'));
  expect([again.statusCode, again.json()]).toEqual([201, first.json()]);
  expect(await wantsOf()).toBe(1);
  expect((await under('two', want('tea and cake'))).statusCode).toBe(201);
  expect(await wantsOf()).toBe(2);
  expect(lines.filter((line) => JSON.parse(line).level >= 40)).toEqual([]);
});

it('of two calls at once, one is done', async () => {
  const both = await Promise.all([under('one', want('tea')), under('one', want('tea'))]);
  const [first, other] = both.toSorted((one, two) => one.statusCode - two.statusCode);
  expect(first?.statusCode).toBe(201);
  if (other?.statusCode === 201) expect(other.json()).toEqual(first?.json());
  else
    expect([other?.statusCode, other?.json().error, other?.headers['retry-after']]).toEqual([
      ...[409, 'A call with this key is running. Repeat it in a moment.', '1'],
    ]);
  expect(await wantsOf()).toBe(1);
});

it.each([
  ['another call', 'one', 'This key was used for another call. Use a new key for each call.'],
  ['no key', ' ', 'Use 1 to 255 visible characters'],
  ['a key that is too long', 'k'.repeat(256), 'Use 1 to 255 visible characters'],
])('a key for %s is refused by name', async (_what, key, error) => {
  await under('one', want('tea'));
  const answer = await under(key, want('cake'));
  expect([answer.statusCode, answer.json()]).toMatchObject([
    ...[400, { error, issues: [{ path: 'Idempotency-Key', message: error }] }],
  ]);
  expect(await wantsOf()).toBe(1);
});

it('is each caller’s own: another person and another program have the same key for themselves', async () => {
  const [other, token] = [await createUser(test.ctx), (await createApiKey(test.ctx, me)).token];
  await under('one', want('tea'));
  expect((await under('one', want('tea'), other)).statusCode).toBe(201);
  const headers = { authorization: `Bearer ${token}` };
  expect((await under('one', { ...want('tea two'), headers }, null)).statusCode).toBe(201);
  expect([await wantsOf(), await wantsOf(other)]).toEqual([2, 1]);
});

it('asks each time whether the caller may, and gives nobody else the answer', async () => {
  await under('one', want('tea'));
  expect((await under('one', want('tea'), null)).statusCode).toBe(401);
  await test.ctx.db.updateTable('users').set({ status: 'suspended' }).where('id', '=', me.id).execute();
  expect((await under('one', want('tea'))).statusCode).toBe(403);
});

it('a call that was refused frees its key, one of which nobody knows what came of it keeps it', async () => {
  expect((await under('one', want(''))).statusCode).toBe(400);
  expect((await under('one', want('tea'))).statusCode).toBe(201);
  await test.ctx.db.updateTable('idempotencyKeys').set({ answer: null }).execute();
  test.ctx.clock.advanceDays(1 / 24);
  const answer = await under('one', want('tea'));
  expect([answer.statusCode, answer.json().error]).toEqual([
    ...[
      409,
      'We do not know what came of the call with this key. Look whether it was done before you make it again with a new key.',
    ],
  ]);
});

it('the same upload with the same key stores one picture; another file is another call', async () => {
  const file = await plainPicture();
  const upload = (form: UploadForm = {}) =>
    uploadFile(test, me, {
      ...{ path: 'picture', field: 'image', file, headers: { 'idempotency-key': 'one' } },
      ...form,
    });
  const stored = async () => (await test.ctx.db.selectFrom('pictures').select('id').execute()).length;
  const before = await stored();
  const first = await upload();
  expect(first.statusCode).toBe(201);
  const again = await upload();
  expect([again.statusCode, again.json()]).toEqual([201, first.json()]);
  expect(await stored()).toBe(before + 1);
  const other = await upload({ file: await plainPicture(9) });
  expect([other.statusCode, other.json().issues]).toMatchObject([400, [{ path: 'Idempotency-Key' }]]);
  expect((await upload({ path: 'profile-picture' })).statusCode).toBe(400);
  expect(await stored()).toBe(before + 1);
});

it('a registration is done once by its username, and its key keeps nothing', async () => {
  const body = {
    ...{ username: 'once.only', email: 'once.only@example.com', password: TEST_PASSWORD },
    ...{ acceptTerms: true, isAdult: true },
  };
  const call = { method: 'POST', url: '/api/register', body } as const;
  expect((await under('one', call, null)).statusCode).toBe(201);
  expect((await under('one', call, null)).statusCode).toBe(409);
  const enter = { username: body.username, password: body.password };
  expect((await under('one', { method: 'POST', url: '/api/login', body: enter }, null)).statusCode).toBe(200);
});

it('an answer is kept for a day, and a secret in it is sealed', async () => {
  const make = { method: 'POST', url: '/api/calendar-address' } as const;
  const first = await under('one', make);
  expect(first.statusCode).toBe(201);
  const rows = await test.ctx.db.selectFrom('idempotencyKeys').select('answer').execute();
  const address = String(Object.values(first.json())[0]);
  expect(rows.some(({ answer }) => answer?.includes(address))).toBe(false);
  expect((await under('one', make)).json()).toEqual(first.json());
  test.ctx.clock.advanceDays(1);
  expect((await under('one', make)).json()).not.toEqual(first.json());
  test.ctx.clock.advanceDays(1);
  await forgetOldCalls(test.ctx);
  expect(await test.ctx.db.selectFrom('idempotencyKeys').selectAll().execute()).toEqual([]);
});
