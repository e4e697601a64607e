import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLogger } from '#server/core/log.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded.ts';

const log = createLogger({ logLevel: 'silent', isProduction: true });

let dataDir: string;
const opened: EmbeddedPostgres[] = [];
const children: ChildProcess[] = [];

async function makeFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'clipswap-embedded-')));
  // Root runs PostgreSQL under another account.
  await chmod(folder, 0o755);
  return folder;
}

beforeAll(async () => {
  dataDir = await makeFolder();
});

afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  for (const postgres of opened) await postgres.stop();
  await (await start()).stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function start(folder = dataDir): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ dataDir: folder, log });
  opened.push(postgres);
  return postgres;
}

async function ask<Row extends pg.QueryResultRow>(url: string, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
}

const pidFile = (folder = dataDir) => path.join(folder, 'postgres/data/postmaster.pid');
const postmasterPid = async () => Number.parseInt(await readFile(pidFile(), 'utf8'), 10);

/** Starts another program on the same folder, in its own process group. @returns the program and its URL */
async function startElsewhere(): Promise<{ child: ChildProcess; url: string }> {
  const program = `
    import { startEmbeddedPostgres } from ${JSON.stringify(import.meta.resolve('./embedded.ts'))};
    import { createLogger } from ${JSON.stringify(import.meta.resolve('../core/log.ts'))};
    const log = createLogger({ logLevel: 'silent', isProduction: true });
    const postgres = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, log });
    process.once('SIGTERM', () => postgres.stop().then(() => process.exit(0)));
    process.on('SIGINT', () => {});
    setInterval(() => {}, 1_000);
    process.stdout.write(postgres.url);`;
  const child = spawn(
    process.execPath,
    ['--import', './scripts/build/typescript.js', '--input-type=module', '--eval', program],
    {
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  children.push(child);
  const [url] = await once(child.stdout, 'data');
  return { child, url: String(url) };
}

describe('a new folder', () => {
  test('gets a database that accepts only its own role with its password, from this machine', async () => {
    const postgres = await start();
    const url = new URL(postgres.url);
    expect([url.hostname, url.pathname]).toEqual(['127.0.0.1', '/clipswap']);
    expect(url.password).toMatch(/^[0-9a-f]{48}$/);
    expect(
      await ask(
        postgres.url,
        `select rolsuper, current_setting('listen_addresses') as at, current_setting('fsync') as fsync,
           current_setting('server_encoding') as encoding, lower('ÉШ') as lower
         from pg_roles where rolname = current_user`,
      ),
    ).toEqual([{ rolsuper: false, at: '127.0.0.1', fsync: 'on', encoding: 'UTF8', lower: 'éш' }]);
    url.password = 'password';
    await expect(ask(url.href, 'select 1')).rejects.toMatchObject({ code: '28P01' });
    expect((await stat(path.join(dataDir, 'postgres/password'))).mode & 0o777).toBe(0o600);
    await ask(
      postgres.url,
      'create extension pg_trgm; create table kept (id int); insert into kept values (1)',
    );
    await postgres.stop();
    await expect(ask(postgres.url, 'select 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  test('keeps its data after a restart', async () => {
    const postgres = await start();
    expect(await ask(postgres.url, 'select * from kept')).toEqual([{ id: 1 }]);
    await postgres.stop();
  });

  test('is created again after an interrupted first start, and never replaces anything else', async () => {
    const folder = await makeFolder();
    const dead = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
    await once(dead, 'exit');
    await mkdir(path.join(folder, `postgres.new-${dead.pid}-x/data`), { recursive: true });
    await (await start(folder)).stop();
    expect(await readdir(folder)).toEqual(['postgres']);
    await rm(path.join(folder, 'postgres'), { recursive: true });

    await mkdir(path.join(folder, 'postgres/data'), { recursive: true });
    await writeFile(path.join(folder, 'postgres/data/precious'), 'mine');
    await expect(start(folder)).rejects.toThrow(/move it away/);
    expect(await readdir(folder)).toEqual(['postgres']);
    expect(await readFile(path.join(folder, 'postgres/data/precious'), 'utf8')).toBe('mine');
    await rm(folder, { recursive: true });
  });
});

describe('after a kill -9 of the program', () => {
  test('the next program takes over its server and stops it', async () => {
    const { child, url } = await startElsewhere();
    const pid = await postmasterPid();
    await ask(url, 'insert into kept values (2)');
    child.kill('SIGKILL');
    await once(child, 'exit');

    const postgres = await start();
    expect(postgres.url).toBe(url);
    expect(await postmasterPid()).toBe(pid);
    expect(await ask(postgres.url, 'select count(*)::int as n from kept')).toEqual([{ n: 2 }]);
    await postgres.stop();
    await expect(ask(url, 'select 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  test.each([
    ['of nobody', () => 2 ** 22 - 1],
    // Our own pid: a living process that is not PostgreSQL, as when a container counts from 1 again.
    ['of another program', () => process.pid],
  ])('a stale pid file with the pid %s does not prevent a start', async (_whose, pidOf) => {
    const home = path.join(dataDir, 'postgres/data');
    const lines = [pidOf(), home, 1, 5432, '', '127.0.0.1', '1 1', 'ready', ''];
    await writeFile(pidFile(), lines.join('\n'));
    const postgres = await start();
    expect(await ask(postgres.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await postgres.stop();
  });
});

describe('two programs on one folder', () => {
  test('share a server, which runs until the last one stops', async () => {
    const [here, elsewhere] = await Promise.all([start(), startElsewhere()]);
    expect(here.url).toBe(elsewhere.url);
    await here.stop();
    expect(await ask(elsewhere.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    elsewhere.child.kill('SIGTERM');
    await once(elsewhere.child, 'exit');
    await expect(ask(elsewhere.url, 'select 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});

describe('a running server', () => {
  test("survives Ctrl-C in the program's terminal", async () => {
    const { child, url } = await startElsewhere();
    process.kill(-(child.pid ?? 0), 'SIGINT');
    await sleep(300);
    expect(await ask(url, 'select 1 as one')).toEqual([{ one: 1 }]);
    child.kill('SIGTERM');
    await once(child, 'exit');
  });

  test('restarts at the same address after it dies', async () => {
    const postgres = await start();
    const killed = await postmasterPid();
    process.kill(killed, 'SIGKILL');
    await expect.poll(postmasterPid).not.toBe(killed);
    const isBack = () =>
      ask(postgres.url, 'select 1').then(
        () => true,
        () => false,
      );
    await expect.poll(isBack).toBe(true);
    expect(await ask(postgres.url, 'select count(*)::int as n from kept')).toEqual([{ n: 2 }]);
    await postgres.stop();
  });
});
