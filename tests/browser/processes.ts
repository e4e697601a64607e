import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { HANGS_MS } from '#server/testing/patience.ts';

const PROGRAM = path.resolve(import.meta.dirname, '../../src/server/main.ts');

export interface ServerProcess {
  stop(): Promise<void>;
}

/** Limits of a few seconds, which a busy machine may exceed; the database's address overrides them. */
const DATABASE_LIMITS = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];

function withoutLimits(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  for (const name of DATABASE_LIMITS) url.searchParams.set(name, String(HANGS_MS));
  return url.href;
}

/**
 * Runs the marketplace in a process of its own, over the given database.
 * @param given.publicUrl the address that people use, which may be another than its own port
 */
export async function startServer(given: {
  databaseUrl: string;
  port: number;
  publicUrl: string;
  secretKey: Buffer;
}): Promise<ServerProcess> {
  const start = `const { main } = await import(${JSON.stringify(PROGRAM)}); await main();`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', start], {
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'test',
      DATABASE_URL: withoutLimits(given.databaseUrl),
      DATABASE_POOL_SIZE: '10',
      PORT: String(given.port),
      PUBLIC_URL: given.publicUrl,
      SECRET_KEY: given.secretKey.toString('base64'),
      SEED_DEMO: 'false',
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  while (!(await answers(`http://127.0.0.1:${given.port}/readyz`))) {
    if (child.exitCode !== null) throw new Error(`The server has ended:\n${output}`);
    await sleep(50);
  }
  return { stop: () => stop(child) };
}

async function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

export interface NetworkProxy {
  readonly port: number;
  /** Cuts every connection, and refuses new ones until `mend`. */
  cut(): void;
  /** Lets requests through to the server, and cuts the connection before the answer is back. */
  loseAnswers(): void;
  mend(): void;
  close(): Promise<void>;
}

/** Starts a TCP proxy between a browser and a server; a test can cut its connections. */
export async function startProxy(targetPort: number): Promise<NetworkProxy> {
  let state: 'whole' | 'cut' | 'losing' = 'whole';
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
  };
  const server = createServer((near) => {
    keep(near);
    if (state === 'cut') return near.destroy();
    const far = connect(targetPort, '127.0.0.1');
    keep(far);
    near.pipe(far);
    far.on('data', (chunk) => {
      if (state === 'losing') near.destroy();
      else near.write(chunk);
    });
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: address && typeof address === 'object' ? address.port : 0,
    cut() {
      state = 'cut';
      for (const socket of sockets) socket.destroy();
    },
    loseAnswers() {
      state = 'losing';
    },
    mend() {
      state = 'whole';
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
