import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createDatabase } from '#server/database/client.ts';
import { openVault } from '#server/database/vault.ts';
import { createTestContext, setUpContext } from '#tests/support/builders.ts';
import { checking, configOf, CHECKED_KEY as KEY } from '#tests/support/checks.ts';
import { clock, connections, database, liveEvents, replica } from './check-database.ts';
import {
  disk,
  judgeArrival,
  judgeSpace,
  publicUrl,
  secretKey,
  settings,
  strangeNames,
} from './check-machine.ts';
import { push } from './check-services.ts';
import { CHECKS, runChecks } from './checks.ts';
import { type CheckOf, runAll } from './findings.ts';
import { health } from './job-runs.ts';

const ctx = setUpContext();
const { examined, look, states } = checking(ctx);

describe('settings and the secret key', () => {
  it('names what looks like a setting and is none', async () => {
    expect(
      strangeNames([
        'SMTP_HOST',
        'PUBLIC_ULR',
        'TRUST_PROXIES',
        'PATH',
        'NODE_OPTIONS',
        'OTEL_TRACES_SAMPLER',
      ]),
    ).toEqual(['SMTP_HOST', 'PUBLIC_ULR', 'TRUST_PROXIES']);
    expect(
      strangeNames(['REDIS_PORT_6379_TCP', 'DATABASE_SERVICE_HOST', 'GOOGLE_APPLICATION_CREDENTIALS']),
    ).toEqual([]);
    expect(await states(settings, {}, { environment: { SMTP_HOST: 'mail' } })).toEqual(['good', 'attention']);
  });

  it('breaks for development that everybody can reach', async () => {
    expect(await look(settings, { environment: { PUBLIC_URL: 'https://clipswap.example' } })).toMatchObject({
      state: 'broken',
      advice: expect.stringContaining('NODE_ENV=production'),
    });
  });

  it('breaks for a key that can be guessed or does not fit, and asks to end a change of keys', async () => {
    const weak = Buffer.alloc(32, 'changeme').toString('base64');
    const other = Buffer.from(KEY).reverse().toString('base64');
    const set = (SECRET_KEY: string) => ({ environment: { SECRET_KEY } });
    await openVault(ctx.db, [KEY]);
    expect(
      await states(
        secretKey,
        set(KEY.toString('base64')),
        set(weak),
        set(other),
        set(`${other},${KEY.toString('base64')}`),
      ),
    ).toEqual(['good', 'broken', 'broken', 'attention']);
    expect(await states(push, set(KEY.toString('base64')))).toEqual(['attention']);
  });
});

describe('the database', () => {
  it('is good when it is migrated, and says what to do when it is away, newer, or behind', async () => {
    expect(await look(database)).toMatchObject({ state: 'good' });
    const away = createDatabase({ url: 'postgres://nobody@127.0.0.1:1/none', poolSize: 1 });
    onTestFinished(() => away.close());
    expect(await look(database, { db: away.db })).toMatchObject({
      state: 'broken',
      found: expect.stringContaining('ECONNREFUSED'),
      advice: expect.stringContaining('DATABASE_URL'),
    });

    const rename = (from: string, to: string) =>
      sql`update kysely_migration set name = ${to} where name = ${from}`.execute(ctx.db);
    await rename('2026-11-27T0240-market-days', '2099-01-01-later');
    expect(await look(database)).toMatchObject({
      state: 'broken',
      found: expect.stringContaining('2099-01-01-later'),
    });
    await sql`delete from kysely_migration where name = '2099-01-01-later'`.execute(ctx.db);
    expect(await look(database)).toMatchObject({ state: 'attention', found: '1 migration is pending.' });
    await sql`insert into kysely_migration values ('2026-11-27T0240-market-days', now()::text)`.execute(
      ctx.db,
    );
  });

  it('counts the connections of all processes', async () => {
    const many = { WEB_CONCURRENCY: '100', DATABASE_POOL_SIZE: '100' };
    expect(await states(connections, {}, { environment: many })).toEqual(['good', 'broken']);
  });

  it('tells of live events that are not heard, and of a replica that is left out', async () => {
    expect(await states(liveEvents, {}, { live: { transport: () => 'polling' } })).toEqual([
      'good',
      'attention',
    ]);
    const stateOf = (isUsed: boolean) => ({
      replica: { state: () => ({ isUsed, lagSeconds: 1, failedReads: 0 }) },
    });
    expect(await states(replica, {}, stateOf(true), stateOf(false))).toEqual([
      'not_set_up',
      'good',
      'attention',
    ]);
  });

  it('compares the clocks with a provider’s', async () => {
    const serve = async (date: Date) => {
      const server = createServer((_request, response) => {
        response.sendDate = false;
        response.writeHead(404, { date: date.toUTCString() }).end();
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      onTestFinished(() => void server.close());
      return configOf({
        STRIPE_SECRET_KEY: 'sk_test_1',
        STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
        STRIPE_WEBHOOK_SECRETS: 'whsec_1',
        STRIPE_API_BASE: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      });
    };
    const at = async (seconds: number) => ({ config: await serve(new Date(Date.now() + seconds * 1_000)) });
    expect(await states(clock, {}, await at(0), await at(20), await at(-300))).toEqual([
      'good',
      'good',
      'attention',
      'broken',
    ]);
  });
});

describe('the machine and the proxy', () => {
  it('breaks for a folder that cannot be written to, and for a full disk', async () => {
    expect(
      await states(disk, {}, { environment: { FILES_DIR: path.join(import.meta.filename, 'files') } }),
    ).toEqual(['good', 'broken']);
    expect([5e9, 5e8, 5e7].map((free) => judgeSpace('/data', free).state)).toEqual([
      'good',
      'attention',
      'broken',
    ]);
  });

  it.each([
    ['no proxy', { forwardedFor: [], ip: '198.51.100.7' }, false, 'good'],
    ['one that we trust', { forwardedFor: ['198.51.100.7'], ip: '198.51.100.7' }, 1, 'good'],
    ['one that we do not trust', { forwardedFor: ['198.51.100.7'], ip: '10.0.0.2' }, false, 'broken'],
    ['fewer than we trust', { forwardedFor: ['198.51.100.7'], ip: '198.51.100.7' }, 2, 'broken'],
    ['none, though we trust one', { forwardedFor: [], ip: '198.51.100.7' }, 1, 'attention'],
    ['more than we trust', { forwardedFor: ['198.51.100.7', '10.0.0.3'], ip: '10.0.0.3' }, 1, 'attention'],
    [
      'one that came by http',
      { forwardedFor: ['198.51.100.7'], ip: '198.51.100.7', forwardedProto: 'http' },
      1,
      'attention',
    ],
  ] as const)('judges %s', (_name, arrival, trusted, state) => {
    const found = judgeArrival(
      { peer: '10.0.0.2', forwardedProto: 'https', ...arrival },
      trusted,
      'https://clipswap.example',
    );
    expect(found).toMatchObject({ state });
  });

  it('finds nobody, somebody else, or itself at the public address', async () => {
    const answers: Record<string, [number, unknown]> = { '/healthz': [200, { status: 'ok' }] };
    const server = createServer((request, response) => {
      const [status, body] = answers[request.url ?? ''] ?? [404, {}];
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const PUBLIC_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const ask = async () => (await look(publicUrl, { environment: { PUBLIC_URL } }))?.state;
    expect(await ask()).toBe('good');
    await sql`
      insert into proof_keys (id, public_key, sealed, created_at)
      values ('own', '{"kty":"EC","crv":"P-256","x":"x","y":"y"}', '\\x00', now())`.execute(ctx.db);
    answers['/.well-known/jwks.json'] = [200, { keys: [{ kid: 'other' }] }];
    expect(await ask()).toBe('broken');
    answers['/.well-known/jwks.json'] = [200, { keys: [{ kid: 'own' }] }];
    expect(await ask()).toBe('good');
    answers['/healthz'] = [200, 'Welcome to nginx!'];
    expect(await ask()).toBe('broken');
    server.close();
    expect(await look(publicUrl, { environment: { PUBLIC_URL } })).toMatchObject({
      state: 'broken',
      found: expect.stringContaining('cannot reach'),
    });
  });
});

describe('a run', () => {
  it('lists each check once, in the order of the list, and notes its time', async () => {
    const { checks, ranAt } = await runChecks(examined());
    // Nobody's request has come.
    expect(checks.map(({ id }) => id)).toEqual(CHECKS.map(({ id }) => id).filter((id) => id !== 'proxy'));
    const count = (state: string) => checks.filter((check) => check.state === state).length;
    expect((await health(createTestContext(ctx))).lastChecks).toEqual({
      ranAt,
      broken: count('broken'),
      attention: count('attention'),
    });
  });

  it('says of a check that it hangs or fails, and shows no secret', async () => {
    const checkOf = (id: string, act: CheckOf['look']): CheckOf => ({ id, name: () => id, look: act });
    const all = await runAll(
      [
        checkOf('hangs', () => new Promise(() => {})),
        checkOf('fails', () => Promise.reject(new Error('connect to redis://user:hunter2@cache failed'))),
        checkOf('nothing', async () => null),
      ],
      examined(),
      50,
    );
    expect(all).toEqual([
      expect.objectContaining({ id: 'hangs', state: 'broken', found: expect.stringContaining('0.05') }),
      expect.objectContaining({
        id: 'fails',
        state: 'broken',
        found: expect.not.stringContaining('hunter2'),
      }),
    ]);
  });

  it('goes on without a database', async () => {
    const away = createDatabase({ url: 'postgres://nobody@127.0.0.1:1/none', poolSize: 1 });
    onTestFinished(() => away.close());
    const { checks } = await runChecks(examined({ db: away.db }));
    expect(checks.filter(({ state }) => state === 'broken').map(({ id }) => id)).toEqual([
      'public-url',
      'database',
    ]);
    expect(checks.find(({ id }) => id === 'jobs')).toMatchObject({
      state: 'attention',
      found: expect.stringContaining('the database does not answer'),
    });
  });
});
