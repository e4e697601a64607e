import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import {
  chown,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { canEnter, type Place, placeOutside, run, spawnOptions } from './embedded-place.ts';

/** A running server, as its postmaster.pid describes it. */
export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  readonly isReady: boolean;
}

/** A cluster on disk. */
export interface Cluster {
  readonly place: Place;
  readonly data: string;
  readonly log: string;
  readonly password: string;
  /** Whether its data may be lost in a crash of the machine. */
  readonly isDisposable: boolean;
}

const STARTS_WITHIN_MS = 60_000;
const LOG_LIMIT_BYTES = 5_000_000;

const SETTINGS = [
  'listen_addresses=127.0.0.1',
  // Socket files would need a folder with a short path; TCP is enough.
  'unix_socket_directories=',
  'max_connections=200',
  'log_checkpoints=off',
  // Error details would quote rows and so personal data.
  'log_error_verbosity=terse',
];

/** Settings under which nothing waits for the disk. A crash of the machine may lose data. */
const DISPOSABLE_SETTINGS = ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off'];

/** Whether a folder holds a complete cluster: a cluster gets this name only when it is complete. */
export async function hasCluster(folder: string): Promise<boolean> {
  try {
    await stat(path.join(folder, 'data/PG_VERSION'));
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
    throw error;
  }
}

/**
 * Creates the cluster in `folder`: `data`, and next to it `password`, the file with the login password. The cluster is
 * created under another name and renamed when complete, so an interrupted or simultaneous first start does no harm.
 */
export async function createCluster(folder: string, place: Place): Promise<void> {
  await mkdir(path.dirname(folder), { recursive: true });
  const isReachable = await canEnter(place.account, path.dirname(folder));
  // The account that runs PostgreSQL cannot enter a clone in /root (0700). The program must not open root's folders to
  // everybody, so the cluster is placed outside and linked from here.
  const home = isReachable ? folder : await placeOutside(randomUUID());
  const half = `${home}.new-${process.pid}-${randomUUID()}`;
  await sweep(path.dirname(half));
  try {
    await fill(half, place);
    await rename(half, home);
    if (!isReachable) await symlink(home, folder);
  } catch (error) {
    await rm(half, { recursive: true, force: true });
    if (!isReachable) await rm(home, { recursive: true, force: true });
    // Another process was faster, so we use its cluster.
    if (!(await hasCluster(folder))) throw error;
  }
}

async function fill(half: string, place: Place): Promise<void> {
  const data = path.join(half, 'data');
  const passwordFile = path.join(half, 'password');
  const password = randomBytes(24).toString('hex');
  await mkdir(half, { recursive: true, mode: 0o711 });
  await mkdir(data, { mode: 0o700 });
  await writeFile(passwordFile, password, { mode: 0o600 });
  const { account } = place;
  if (account)
    await Promise.all([half, data, passwordFile].map((file) => chown(file, account.uid, account.gid)));
  // Character classes and sort order by Unicode, the same on every machine; the libc locale only classifies characters.
  const locale = process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8';
  await run(account, place.initdb, [
    ...['-D', data, '--username=postgres', `--pwfile=${passwordFile}`, '--auth=scram-sha-256'],
    ...['--encoding=UTF8', `--locale=${locale}`, '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
    ...['--lc-messages=C', '--set=timezone=UTC', '--set=log_timezone=UTC', '--no-instructions'],
    // Stretching makes guessing slow. Nobody guesses 192 random bits, so it would only make connecting slow.
    '--set=scram_iterations=1',
  ]);
  // The program's role owns its database and is not a superuser, so its SQL cannot reach the file system.
  const statements = `create role clipswap login createdb password '${password}'\ncreate database clipswap owner clipswap\n`;
  const answer = await run(account, place.postgres, ['--single', '-D', data, 'postgres'], statements);
  const failure = /(?:ERROR|FATAL|PANIC):.*/.exec(answer)?.[0];
  if (failure) throw new Error(failure);
}

/** Removes the folders of interrupted starts, which never became a cluster. */
async function sweep(parent: string): Promise<void> {
  for (const name of await readdir(parent).catch(() => [])) {
    const pid = Number(/\.new-(\d+)-/.exec(name)?.[1]);
    if (pid && !isAlive(pid)) await rm(path.join(parent, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

async function commandLine(pid: number): Promise<string> {
  if (process.platform === 'darwin') {
    return run(undefined, 'ps', ['-ww', '-o', 'command=', '-p', String(pid)]).catch(() => '');
  }
  return (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).replaceAll('\0', ' ');
}

async function readPostmaster(data: string): Promise<Postmaster | null> {
  const text = await readFile(path.join(data, 'postmaster.pid'), 'utf8').catch(() => '');
  const [pid, , , port, , , , status] = text.split('\n');
  if (!Number(pid)) return null;
  return { pid: Number(pid), port: Number(port), isReady: status?.trim() === 'ready' };
}

/**
 * The server that runs on `data`, if any, including one that a killed process has left running. A pid in postmaster.pid
 * that now belongs to another program does not count (containers count from 1 again).
 */
export async function findPostmaster(data: string): Promise<Postmaster | null> {
  const postmaster = await readPostmaster(data);
  if (!postmaster) return null;
  if ((await commandLine(postmaster.pid)).includes(data)) return postmaster;
  // PostgreSQL replaces the pid of a dead process itself, but refuses to start if another program has that pid. If a
  // server does run after all, its shared memory, found by the folder's inode, still keeps a second one out.
  if (isAlive(postmaster.pid)) await rm(path.join(data, 'postmaster.pid'), { force: true });
  return null;
}

/**
 * Starts a server in its own session: Ctrl-C in the terminal reaches every process of the foreground group, and the
 * database must outlive the draining of requests. Its output goes to `log`.
 * @returns null if another process is starting it or the port was taken meanwhile: look again
 * @throws Error with PostgreSQL's own reason
 */
export async function launch(
  { place, data, log, isDisposable }: Cluster,
  port: number,
): Promise<Postmaster | null> {
  const settings = isDisposable ? [...SETTINGS, ...DISPOSABLE_SETTINGS] : SETTINGS;
  const size = (await stat(log).catch(() => null))?.size ?? 0;
  const file = await open(log, size > LOG_LIMIT_BYTES ? 'w' : 'a', 0o600);
  const from = (await file.stat()).size;
  const child = spawn(
    place.postgres,
    ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
    { ...spawnOptions(place.account), detached: true, stdio: ['ignore', file.fd, file.fd] },
  );
  child.unref();
  let failure = '';
  child.once('error', (error) => {
    failure = error.message;
  });
  const deadline = Date.now() + STARTS_WITHIN_MS;
  while (child.exitCode === null && child.signalCode === null && !failure && Date.now() < deadline) {
    const postmaster = await readPostmaster(data);
    if (postmaster?.isReady && postmaster.pid === child.pid) {
      await file.close();
      return postmaster;
    }
    await sleep(20);
  }
  await file.close();
  const output = (await readFile(log)).subarray(from).toString();
  if (/already exists|in use/.test(output)) return null;
  const reason = failure || /(?:FATAL|PANIC):.*/.exec(output)?.[0] || 'it was not ready in time';
  throw new Error(`PostgreSQL could not start: ${reason}. Its log: ${log}`);
}

/**
 * Stops a server: ends sessions, rolls back open transactions and writes everything to disk. `hard` is for a server
 * that no longer answers; recovery at the next start does the rest.
 */
export async function halt(data: string, { pid }: Postmaster, hard = false): Promise<void> {
  const signals = ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const;
  for (const signal of signals.slice(hard ? 1 : 0)) {
    if (isAlive(pid)) process.kill(pid, signal);
    // It removes its pid file last. The pid itself may remain where nobody reaps dead processes, as in a container.
    for (const deadline = Date.now() + 10_000; Date.now() < deadline; await sleep(20)) {
      if ((await findPostmaster(data))?.pid !== pid) return;
    }
  }
  throw new Error(`The embedded PostgreSQL (process ${pid}) does not stop`);
}
