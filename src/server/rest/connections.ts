import type { FastifyInstance } from 'fastify';
import { CONNECTIONS_MAX } from '#server/core/open-files.ts';

/** How long to wait before idle connections are closed again, in milliseconds. */
const REST_MS = 1_000;

/** Closes a connection too many at once, and idle ones with it, so that the next finds room. */
export function limitConnections({ server, log }: FastifyInstance): void {
  let open = 0;
  let isResting = false;
  // Not `maxConnections`: of several processes, each would pass the connection on to the next, again and again.
  server.on('connection', (socket) => {
    open += 1;
    socket.once('close', () => (open -= 1));
    if (open <= CONNECTIONS_MAX) return;
    socket.destroy();
    if (isResting) return;
    isResting = true;
    setTimeout(() => (isResting = false), REST_MS).unref();
    server.closeIdleConnections();
    log.warn({ connections: open, most: CONNECTIONS_MAX }, 'too many connections: idle ones were closed');
  });
}
