import { connect, createServer, type Server, type Socket } from 'node:net';

/**
 * What a faulty network does:
 * - `refuse`: nothing listens there, and open connections are reset.
 * - `cut`: open connections are reset, and new ones as soon as they are made.
 * - `delay`: every answer takes `delayMs` longer.
 * - `swallow`: requests arrive, answers do not. Connections look open.
 * - `half-open`: nothing arrives in either direction. Connections look open.
 * - `lose-commit`: the next commit is carried out, and the connection is reset in place of its answer.
 * - `lose-answer`: connections are reset in place of any answer.
 */
export type Fault =
  | 'none'
  | 'refuse'
  | 'cut'
  | 'delay'
  | 'swallow'
  | 'half-open'
  | 'lose-commit'
  | 'lose-answer';

export interface FaultProxy {
  readonly port: number;
  /** Connections made since the start. */
  readonly connections: number;
  /** Writes that have reached the server since the start; a client sends one for each statement. */
  readonly requests: number;
  set(fault: Fault, delayMs?: number): Promise<void>;
  close(): Promise<void>;
}

/** node-postgres sends a commit as a simple query. */
const COMMIT = Buffer.from('commit\0');

/**
 * A TCP proxy before `target` that can fail. A connection that has lost bytes stays dead after the fault is over, as
 * behind a router that has forgotten it.
 */
export async function openFaultProxy(target: { port: number; host?: string }): Promise<FaultProxy> {
  let fault: Fault = 'none';
  let delay = 0;
  const count = { connections: 0, requests: 0 };
  const pairs = new Set<() => void>();

  function join(near: Socket): void {
    count.connections += 1;
    if (fault === 'cut') {
      near.resetAndDestroy();
      return;
    }
    const far = connect(target.port, target.host ?? '127.0.0.1');
    let isDead = false;
    let isCommitting = false;
    const reset = () => {
      near.resetAndDestroy();
      far.destroy();
    };
    pairs.add(reset);
    for (const socket of [near, far]) {
      socket.setNoDelay(true);
      socket.on('error', () => socket.destroy());
      // Whoever hangs up is told of on the other side, unless nothing gets through.
      socket.on('end', () => !isDead && (socket === near ? far : near).end());
    }
    near.on('close', () => {
      if (isDead) return;
      pairs.delete(reset);
      far.destroy();
    });
    far.on('close', () => !isDead && near.destroy());
    near.on('data', (chunk: Buffer) => {
      if (fault === 'half-open') isDead = true;
      if (isDead) return;
      count.requests += 1;
      isCommitting = fault === 'lose-commit' && chunk.includes(COMMIT);
      far.write(chunk);
    });
    far.on('data', (chunk: Buffer) => {
      if (fault === 'half-open' || fault === 'swallow') isDead = true;
      if (isDead) return;
      if (fault === 'lose-answer' || isCommitting) {
        if (isCommitting) fault = 'none';
        reset();
      } else if (delay > 0) {
        setTimeout(() => near.write(chunk), delay);
      } else {
        near.write(chunk);
      }
    });
  }

  let server = await listen(join, 0);
  const address = server.address();
  const port = address && typeof address === 'object' ? address.port : 0;

  return {
    port,
    get connections() {
      return count.connections;
    },
    get requests() {
      return count.requests;
    },
    async set(next, delayMs = 0) {
      fault = next;
      delay = next === 'delay' ? delayMs : 0;
      if (next === 'refuse' || next === 'cut') for (const reset of pairs) reset();
      if (next === 'refuse') await stopListening(server);
      else if (!server.listening) server = await listen(join, port);
    },
    async close() {
      for (const reset of pairs) reset();
      if (server.listening) await stopListening(server);
    },
  };
}

function listen(onConnection: (socket: Socket) => void, port: number): Promise<Server> {
  const server = createServer({ allowHalfOpen: true }, onConnection);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}

function stopListening(server: Server): Promise<void> {
  return new Promise((resolve) => void server.close(() => resolve()));
}

/** The same address through a proxy. */
export function through({ port }: FaultProxy, databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  return url.href;
}
