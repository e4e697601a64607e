import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** Linux counts a process's processor time in hundredths of a second. */
const TICKS_PER_SECOND = 100;

/** A program that answers at `url`. */
export interface Running {
  readonly url: string;
  readonly pid: number;
  /** Processor seconds until it was ready; null where the system does not tell. */
  readonly startSeconds: number | null;
  /** Resident memory in MB; null where the system does not tell. */
  memory(): number | null;
  stop(): Promise<void>;
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  return address && typeof address === 'object' ? address.port : 0;
}

/**
 * Runs a program of ours in a process of its own, and waits until `address` answers.
 * @throws Error with its output when it ends instead
 */
export async function run(
  port: number,
  args: readonly string[],
  address: string,
  env: Record<string, string> = {},
): Promise<Running> {
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const url = `http://127.0.0.1:${port}`;
  while (!(await fetch(url + address).catch(() => null))?.ok) {
    if (child.exitCode !== null) throw new Error(`${args.join(' ')} has ended:\n${output}`);
    await sleep(20);
  }
  return {
    url,
    pid: child.pid ?? 0,
    startSeconds: processorSeconds(child.pid ?? 0),
    memory: () =>
      read(`/proc/${child.pid}/status`, (status) => Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024),
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** The processor seconds of a process, with those of its ended children if asked for; null where the system does not tell. */
function processorSeconds(pid: number, withEnded = false): number | null {
  return read(`/proc/${pid}/stat`, (stat) => {
    const times = fieldsOf(stat).slice(11, withEnded ? 15 : 13);
    return times.reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND;
  });
}

/** The processor seconds of a process and of all below it, ended ones included; null where the system does not tell. */
function secondsOfTree(pid: number): number | null {
  const own = processorSeconds(pid, true);
  if (own === null) return null;
  const below = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => parentOf(Number(name)) === pid);
  return below.reduce((sum, name) => sum + (secondsOfTree(Number(name)) ?? 0), own);
}

/** Processor seconds until now; null where the system does not tell. */
export interface Spent {
  readonly app: number | null;
  readonly database: number | null;
}

/** @returns what a program has spent, of which the process is given, and its database */
export async function openProcessorClock(databaseUrl: string): Promise<(pid: number) => Spent> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  // All connections come from one process.
  const postmaster = parentOf(rows[0]?.pid ?? 0);
  await client.end();
  return (pid) => ({
    app: secondsOfTree(pid),
    database: postmaster === null ? null : secondsOfTree(postmaster),
  });
}

const parentOf = (pid: number) => read(`/proc/${pid}/stat`, (stat) => Number(fieldsOf(stat)[1]));

/** The fields of `/proc/PID/stat` after the name, which may have spaces. */
const fieldsOf = (stat: string) => stat.slice(stat.lastIndexOf(')') + 2).split(' ');

function read(file: string, parse: (text: string) => number): number | null {
  try {
    return parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}
