import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { HANGS_MS } from '#tests/support/patience.ts';
import { bundlePrograms } from '../scripts/build/build-server.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const PROGRAM = path.join(ROOT, 'scripts/programs/start.ts');

const bundles = new Map<string, Promise<void>>();

/**
 * Bundles a program, once a process; several may do so at once.
 * @param entry the path of a program, which runs when it is imported
 * @returns its bundle: loading it is much faster than its modules one by one
 */
export async function bundleOf(entry: string): Promise<string> {
  const folder = path.join(ROOT, 'dist/tests', path.relative(ROOT, entry).replace(/\.ts$/, ''));
  const made = bundles.get(entry) ?? bundlePrograms({ program: entry }, folder);
  bundles.set(entry, made);
  await made;
  return path.join(folder, 'program.js');
}

export interface ServerProcess {
  readonly url: string;
  /** Whether it has not ended. */
  isAlive(): boolean;
  /** What it has written. */
  output(): string;
  stop(): Promise<void>;
  signal(name: NodeJS.Signals): void;
  /** kill -9 */
  kill(): Promise<void>;
}

/** What the program limits to a few seconds, which a busy machine may exceed. The address of the database decides. */
const DATABASE_LIMITS = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];

export function withoutLimits(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  for (const name of DATABASE_LIMITS) url.searchParams.set(name, String(HANGS_MS));
  return url.href;
}

interface ProgramOptions {
  /** A module that runs the program when it is imported; without it, the marketplace. */
  readonly entry?: string;
  /** How large a file may get that the program writes, in blocks of the shell (512 or 1,024 bytes). */
  readonly fileBlocks?: number;
  /** How many files and connections the program may have open. */
  readonly openFiles?: number;
}

/**
 * Starts a program in a process of its own. Nothing of our environment reaches it.
 */
export async function spawnProgram(
  settings: Record<string, string>,
  { entry = PROGRAM, fileBlocks, openFiles }: ProgramOptions = {},
): Promise<ServerProcess> {
  const bundle = await bundleOf(entry);
  const files = fileBlocks === undefined ? '' : `ulimit -f ${fileBlocks};`;
  const limits = openFiles === undefined ? files : `${files} ulimit -n ${openFiles};`;
  const child = spawn('/bin/sh', ['-c', `${limits} exec "$0" "$1"`, process.execPath, bundle], {
    env: { PATH: process.env.PATH, NODE_ENV: 'test', SEED_DEMO: 'false', LOG_LEVEL: 'warn', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  const isAlive = () => child.exitCode === null && child.signalCode === null;
  return {
    url: `http://127.0.0.1:${settings.PORT}`,
    isAlive,
    output: () => output,
    signal: (name) => void child.kill(name),
    stop: () => end(child, isAlive, 'SIGTERM'),
    kill: () => end(child, isAlive, 'SIGKILL'),
  };
}

/** Runs a program of `scripts/programs` in a process of its own until it ends. Nothing of our environment reaches it. */
export async function runScript(
  name: string,
  args: readonly string[],
  env: Record<string, string>,
): Promise<{ code: number; said: string }> {
  const program = await bundleOf(path.join(ROOT, `scripts/programs/${name}.ts`));
  return promisify(execFile)(process.execPath, [program, ...args], {
    env: { PATH: process.env.PATH, ...env },
    maxBuffer: 100_000_000,
  }).then(
    ({ stdout, stderr }) => ({ code: 0, said: stdout + stderr }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      code: error.code,
      said: error.stdout + error.stderr,
    }),
  );
}

/** Runs the marketplace in a process of its own, and waits until it is ready. */
export async function startServer(
  settings: Record<string, string> & { PORT: string },
  options?: ProgramOptions,
): Promise<ServerProcess> {
  const server = await spawnProgram(settings, options);
  await untilReady(server);
  return server;
}

/** @throws Error with its output when it has ended instead */
export async function untilReady(server: Pick<ServerProcess, 'url' | 'isAlive' | 'output'>): Promise<void> {
  while (!(await answers(`${server.url}/readyz`))) {
    if (!server.isAlive()) throw new Error(`The server has ended:\n${server.output()}`);
    await sleep(50);
  }
}

async function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function end(child: ChildProcess, isAlive: () => boolean, signal: NodeJS.Signals): Promise<void> {
  if (!isAlive()) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

/** The cookies that an answer sets, as a browser sends them back. */
export function cookiesOf({ headers }: Pick<Response, 'headers'>): string {
  return headers
    .getSetCookie()
    .map((text) => text.split(';')[0])
    .join('; ');
}
