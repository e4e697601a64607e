import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import type { Identity } from './certificates.ts';

interface TlsFront {
  readonly port: number;
  /** Shows another certificate from now on, and breaks open connections. */
  present(identity: Identity): void;
  close(): Promise<void>;
}

/**
 * TLS before a server that has none.
 * @param given.isPostgres whether the client asks for TLS first
 */
export async function openTlsFront(given: {
  port: number;
  identity: Identity;
  isPostgres: boolean;
}): Promise<TlsFront> {
  let context = createSecureContext(given.identity);
  const open = new Set<Socket>();
  async function join(socket: Socket): Promise<void> {
    open.add(socket);
    socket.on('error', () => socket.destroy()).on('close', () => open.delete(socket));
    if (given.isPostgres) {
      await once(socket, 'data');
      socket.write('S');
    }
    const near = new TLSSocket(socket, { isServer: true, secureContext: context });
    const far = connect(given.port, '127.0.0.1');
    near.on('error', () => far.destroy()).on('close', () => far.destroy());
    far.on('error', () => socket.destroy()).on('close', () => socket.destroy());
    near.pipe(far).pipe(near);
  }
  const server = createServer((socket) => void join(socket).catch(() => socket.destroy()));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const cut = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    port: address && typeof address === 'object' ? address.port : 0,
    present(identity) {
      context = createSecureContext(identity);
      cut();
    },
    async close() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
