import { createServer } from 'node:http';
import type { WireError } from '#contract/errors.ts';
import type { Config } from '#server/core/config.ts';

export interface StartupServer {
  /** Frees the address for the application. */
  close(): Promise<void>;
}

const BUSY: WireError = { error: 'ClipSwap is starting. Please try again in a moment.', code: 'unavailable' };

/** Listens in place of the application while it cannot start: `/healthz` answers, all else is 503. */
export async function openStartupServer({
  host,
  port,
}: Pick<Config, 'host' | 'port'>): Promise<StartupServer> {
  const server = createServer((request, response) => {
    const isHealth = request.url === '/healthz';
    response.writeHead(isHealth ? 200 : 503, {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      connection: 'close',
      ...(!isHealth && { 'retry-after': '2' }),
    });
    response.end(JSON.stringify(isHealth ? { status: 'ok' } : BUSY));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
