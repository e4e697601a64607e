import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { CONNECTIONS_MAX } from '#server/core/open-files.ts';
import { proxyTest, type TrustedProxies } from '#server/core/proxies.ts';
import { createShares } from '#server/core/shares.ts';

/** How long to wait before idle connections are closed again, in milliseconds. */
const REST_MS = 1_000;

/** The most connections of one address. A proxy that we trust has any number: it brings everybody. */
export const CONNECTIONS_OF_ADDRESS = 500;

/** How often a connection is looked at that has something to send, and how much of it has to arrive in that time. */
export const SWEEP_MS = 30_000;
const BYTES_A_SWEEP = 30_000;

/** How long the body of a request may take that is no file, in milliseconds. */
const BODY_MS = 10_000;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body is a file, which may take as long as a request may. */
    takesFile?: boolean;
  }
}

/**
 * Closes at once a connection too many, of an address or of all. When all are too many, it closes idle ones, too, so that
 * the next finds room. Closes connections whose clients send or read too slowly.
 */
export function limitConnections(app: FastifyInstance, { trustProxy }: { trustProxy: TrustedProxies }): void {
  const { server, log } = app;
  const shares = createShares(CONNECTIONS_MAX, CONNECTIONS_OF_ADDRESS);
  const isProxy = proxyTest(trustProxy);
  let open = 0;
  let isResting = false;
  // Not `maxConnections`: of several processes, each would pass the connection on to the next, again and again.
  server.on('connection', (socket) => {
    const ip = socket.remoteAddress ?? '';
    const isLimited = !isProxy(ip);
    if (isLimited && !shares.take(ip)) return void socket.destroy();
    open += 1;
    socket.once('close', () => {
      open -= 1;
      if (isLimited) shares.leave(ip);
    });
    if (open <= CONNECTIONS_MAX) return;
    socket.destroy();
    if (isResting) return;
    isResting = true;
    setTimeout(() => (isResting = false), REST_MS).unref();
    server.closeIdleConnections();
    log.warn({ connections: open, most: CONNECTIONS_MAX }, 'too many connections: idle ones were closed');
  });
  closeUnread(app);
  app.addHook('preParsing', async ({ raw, routeOptions }) => {
    const { 'content-length': length, 'transfer-encoding': encoding } = raw.headers;
    const hasBody = Number(length) > 0 || encoding !== undefined;
    if (!hasBody || routeOptions.config.takesFile) return;
    const timer = setTimeout(() => raw.complete || raw.destroy(), BODY_MS).unref();
    raw.once('end', () => clearTimeout(timer));
  });
}

/** Closes connections on which an answer has waited all the time since the last look, and hardly any of it was read. */
function closeUnread(app: FastifyInstance): void {
  const sockets = new Set<Socket>();
  let before = new Map<Socket, number>();
  app.server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const sweep = () => {
    const now = new Map<Socket, number>();
    for (const socket of sockets) {
      if (socket.writableLength === 0) continue;
      const sent = socket.bytesWritten - socket.writableLength;
      const last = before.get(socket);
      if (last !== undefined && sent - last < BYTES_A_SWEEP) socket.destroy();
      else now.set(socket, sent);
    }
    before = now;
  };
  const timer = setInterval(sweep, SWEEP_MS).unref();
  app.addHook('onClose', async () => clearInterval(timer));
}
