import { once } from 'node:events';
import { connect } from 'node:net';
import pg from 'pg';

/** The modes of libpq in which the server decides whether to encrypt. node-postgres does not know them. */
const LEFT_TO_THE_SERVER = ['prefer', 'allow'];

const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);
const ANSWERS_WITHIN_MS = 5_000;

/**
 * Asks the server once whether it has TLS, where the `sslmode` of an address leaves that to it. As with libpq, no
 * certificate is checked then.
 * @returns the address with the mode that was found, or with TLS if the server does not answer
 */
export async function settleTlsMode(url: string): Promise<string> {
  const address = new URL(url);
  if (!LEFT_TO_THE_SERVER.includes(address.searchParams.get('sslmode') ?? '')) return url;
  address.searchParams.delete('sslmode');
  const { host, port } = new pg.Client({ connectionString: address.href });
  const hasTls = !host.startsWith('/') && (await isTlsOffered(host, port));
  address.searchParams.set('sslmode', hasTls ? 'no-verify' : 'disable');
  return address.href;
}

async function isTlsOffered(host: string, port: number): Promise<boolean> {
  const socket = connect(port, host);
  try {
    socket.write(SSL_REQUEST);
    const [answer] = await once(socket, 'data', { signal: AbortSignal.timeout(ANSWERS_WITHIN_MS) });
    return answer[0] === 'S'.charCodeAt(0);
  } catch {
    return true;
  } finally {
    socket.destroy();
  }
}
