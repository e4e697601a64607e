import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createDatabase } from '#server/database/client.ts';
import { isAway } from '#server/database/connections.ts';
import { settleTlsMode } from '#server/database/tls-mode.ts';
import { createAuthority } from './certificates.ts';
import { setUpRedis, watchedLog } from './redis-world.ts';
import { openTlsFront } from './tls-front.ts';

const world = setUpRedis();
const authority = createAuthority();
const good = authority.issue({ host: 'localhost' });
const expired = authority.issue({ host: 'localhost', until: new Date(Date.now() - 60_000) });
afterEach(() => void vi.unstubAllEnvs());

async function front(port: number, isPostgres: boolean) {
  const opened = await openTlsFront({ port, isPostgres, identity: good });
  onTestFinished(() => opened.close());
  return opened;
}

describe('TLS to the database', () => {
  it('fails as an outage while its certificate proves nothing, and comes back with a good one', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'clipswap-tls-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(path.join(folder, 'ca.pem'), authority.cert);
    const server = new URL(world.database.url);
    const tls = await front(Number(server.port), true);
    const url = new URL(server);
    url.hostname = 'localhost';
    url.port = String(tls.port);
    url.searchParams.set('sslmode', 'verify-full');
    url.searchParams.set('sslrootcert', path.join(folder, 'ca.pem'));
    const { pool, close } = createDatabase({ url: url.href, poolSize: 1 });
    onTestFinished(close);
    const ask = (at = pool) =>
      at.query('select 1').then(
        () => null,
        (error: Error) => error,
      );
    expect(await ask()).toBeNull();
    const faults = [
      [expired, 'CERT_HAS_EXPIRED'],
      [authority.issue({ host: 'elsewhere.example' }), 'ERR_TLS_CERT_ALTNAME_INVALID'],
      [createAuthority('Somebody else').issue({ host: 'localhost' }), 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
    ] as const;
    for (const [identity, code] of faults) {
      tls.present(identity);
      await expect.poll(ask).toMatchObject({ code: 'unavailable', cause: { code } });
      // A process that starts does not wait for it: it ends and says why.
      expect(isAway(await ask())).toBe(false);
    }
    tls.present(good);
    await expect.poll(ask).toBeNull();

    server.searchParams.set('sslmode', 'verify-full');
    const plain = createDatabase({ url: server.href, poolSize: 1 });
    onTestFinished(plain.close);
    const refused = await ask(plain.pool);
    expect(refused).toMatchObject({ code: 'unavailable', cause: { message: /does not support SSL/ } });
    expect(isAway(refused)).toBe(false);
  });

  it.each(['prefer', 'allow'])('is what the server has with sslmode=%s', async (mode) => {
    const plain = new URL(world.database.url);
    const tls = new URL(plain);
    // Its certificate is of an authority that nobody knows.
    tls.port = String((await front(Number(plain.port), true)).port);
    for (const [url, found] of [
      [plain, 'disable'],
      [tls, 'no-verify'],
    ] as const) {
      url.searchParams.set('sslmode', mode);
      const settled = await settleTlsMode(url.href);
      expect(new URL(settled).searchParams.get('sslmode')).toBe(found);
      const { pool, close } = createDatabase({ url: settled, poolSize: 1 });
      onTestFinished(close);
      expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    }
  });
});

describe('TLS to Redis', () => {
  it('is given up while its certificate proves nothing: the log says why, and it comes back', async () => {
    const tls = await front(world.valkey.port, false);
    // Authorities are read when the process starts, so here nobody is asked.
    const trustAnybody = () => void vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    trustAnybody();
    const { log, said } = watchedLog();
    const process = await world.start({ url: `rediss://localhost:${tls.port}`, log });
    expect(process.limiter.store()).toBe('redis');
    vi.unstubAllEnvs();
    for (const identity of [good, expired]) tls.present(identity);
    await expect.poll(() => process.limiter.store()).toBe('database');
    await expect
      .poll(said)
      .toContainEqual(
        expect.stringMatching(/^Redis cannot be used: the database does its work: .*certificate/),
      );
    trustAnybody();
    await expect.poll(process.redis.isUp).toBe(true);
  });
});
