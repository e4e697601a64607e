import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../browser/site.ts';
import { bundleOf } from '../processes.ts';

/** The real engine, compiled to WebAssembly, in a process of its own: it can be killed, and made to hang. */
export interface Valkey {
  readonly port: number;
  readonly url: string;
  /** Starts it, empty. */
  start(): Promise<void>;
  kill(): Promise<void>;
  hang(): void;
  goOn(): void;
}

/** Prepares an engine, which `start` starts. */
export async function prepareValkey(): Promise<Valkey> {
  const program = await bundleOf(path.join(import.meta.dirname, 'valkey-app.ts'));
  const port = await freePort();
  let running: ChildProcess | undefined;
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    async start() {
      running = fork(program, { env: { PORT: String(port) }, stdio: 'ignore' });
      while (!(await answers(port))) await sleep(20);
    },
    async kill() {
      if (!running || running.signalCode !== null) return;
      const ended = once(running, 'exit');
      running.kill('SIGKILL');
      await ended;
    },
    hang: () => void running?.kill('SIGSTOP'),
    goOn: () => void running?.kill('SIGCONT'),
  };
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
