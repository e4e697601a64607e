import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGzip, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { internet, type Network } from '#server/providers/guarded-network.ts';
import { HANGS_MS } from '#tests/support/patience.ts';
import { FETCH_LIMITS, type FetchLimits, guardedFetch } from './guarded-fetch.ts';

/** A public address that the tests route to their own servers. */
const PUBLIC = '93.184.216.34';

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** A local server that appears under a public address. @returns its port */
async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** The guard, except that it allows plain HTTP and routes a public address to this machine. */
function network(resolve: (hostname: string) => readonly string[] = () => [PUBLIC]) {
  const asked: string[] = [];
  const connected: string[] = [];
  const given: Network = {
    ...internet,
    protocols: ['http:', 'https:'],
    async resolve(hostname) {
      asked.push(hostname);
      return resolve(hostname);
    },
    route(address) {
      connected.push(address);
      return '127.0.0.1';
    },
  };
  return { given, asked, connected };
}

interface Wanted {
  readonly headers?: Record<string, string>;
  readonly method?: 'GET' | 'POST';
  readonly body?: unknown;
  readonly limits?: Partial<FetchLimits>;
  readonly through?: Network;
}

async function get(url: string, { headers = {}, method = 'GET', limits, through, body }: Wanted = {}) {
  const wanted = { url, method, headers, ...(body !== undefined && { body }) };
  const answer = await guardedFetch(wanted, { ...FETCH_LIMITS, ...limits }, through ?? network().given);
  if (answer.isUnchanged) return { isUnchanged: true as const, text: '' };
  const chunks: Uint8Array[] = [];
  for await (const chunk of answer.body) chunks.push(chunk);
  return { ...answer, text: Buffer.concat(chunks).toString() };
}

describe('fetching from public addresses only', () => {
  it.each([
    'https://127.0.0.1/',
    'https://127.1/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://2130706433/',
    'https://0.0.0.0/',
    'https://[::1]/',
    'https://[::]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[2002:7f00:1::]/',
    'https://[fd00::1]/',
    'https://[fe80::1]/',
    'https://10.0.0.1/',
    'https://172.16.0.1/',
    'https://192.168.1.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://100.64.0.1/',
    'https://224.0.0.1/',
    'https://255.255.255.255/',
  ])('refuses %s', async (url) => {
    await expect(get(url, { through: internet })).rejects.toThrow('Its address is not public.');
  });

  it.each([
    ['http://feeds.example/', 'https://'],
    ['file:///etc/passwd', 'https://'],
    ['https://me:secret@feeds.example/', 'user name'],
    ['https://', 'not one'],
  ])('refuses the address %s', async (url, reason) => {
    await expect(get(url, { through: internet })).rejects.toThrow(reason);
  });

  it.each([
    ['127.0.0.1'],
    ['10.1.2.3'],
    ['::1'],
    ['::ffff:10.0.0.1'],
    ['64:ff9b::a00:1'],
    ['fd12::1'],
    ['nonsense'],
  ])('refuses a name that resolves to %s, whatever its other addresses', async (address) => {
    const { given, connected } = network(() => [PUBLIC, address]);
    await expect(get('http://feeds.example/', { through: given })).rejects.toThrow('not public');
    expect(connected).toEqual([]);
  });

  it('connects to the address that it checked, and checks again for each connection', async () => {
    let isAsked = 0;
    const port = await serve((_request, response) => {
      isAsked += 1;
      // Another port is another connection, and by then the name resolves to a private address.
      response.writeHead(302, { location: `http://feeds.example:${port + 1}/` }).end();
    });
    const answers = [[PUBLIC], ['127.0.0.1']];
    const { given, asked, connected } = network(() => answers.shift() ?? []);
    await expect(get(`http://feeds.example:${port}/`, { through: given })).rejects.toThrow('not public');
    expect({ isAsked, asked, connected }).toEqual({
      isAsked: 1,
      asked: ['feeds.example', 'feeds.example'],
      connected: [PUBLIC],
    });
  });
});

describe('redirects', () => {
  it.each([
    'http://127.0.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[::1]/',
    'http://0x7f.1/',
    '//2130706433/',
  ])('are not followed to %s', async (location) => {
    const port = await serve((_request, response) => response.writeHead(302, { location }).end());
    await expect(get(`http://feeds.example:${port}/`)).rejects.toThrow('not public');
  });

  it('are not followed to another protocol', async () => {
    const port = await serve((_request, response) =>
      response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
    );
    await expect(get(`http://feeds.example:${port}/`)).rejects.toThrow('https://');
  });

  it('are followed at most three times', async () => {
    const port = await serve((request, response) => {
      const count = Number(request.url?.slice(1));
      if (count === 0) response.end('arrived');
      else response.writeHead(307, { location: `/${count - 1}` }).end();
    });
    expect((await get(`http://feeds.example:${port}/3`)).text).toBe('arrived');
    await expect(get(`http://feeds.example:${port}/4`)).rejects.toThrow('more than 3 times');
  });

  it('send the keys only to the first origin', async () => {
    const seen: (string | undefined)[] = [];
    const note = ({ headers }: IncomingMessage) =>
      seen.push(headers.authorization, headers['x-api-key'] as string);
    const other = await serve((request, response) => {
      note(request);
      response.end('there');
    });
    const first = await serve((request, response) => {
      note(request);
      response.writeHead(302, { location: `http://other.example:${other}/` }).end();
    });
    const headers = { authorization: 'Bearer key', 'x-api-key': 'key' };
    expect((await get(`http://feeds.example:${first}/`, { headers })).text).toBe('there');
    expect(seen).toEqual(['Bearer key', 'key', undefined, undefined]);
  });

  it('are refused after a POST', async () => {
    const port = await serve((_request, response) => response.writeHead(307, { location: '/there' }).end());
    await expect(get(`http://feeds.example:${port}/`, { method: 'POST', body: {} })).rejects.toThrow(
      'redirects',
    );
  });
});

describe('the answer is limited', () => {
  it('in size, with or without a content length', async () => {
    const port = await serve((request, response) => {
      if (request.url === '/said') response.writeHead(200, { 'content-length': 5_000_000 });
      response.write(Buffer.alloc(1_000_000, 'x'));
      for (let piece = 0; piece < 4; piece += 1) response.write(Buffer.alloc(1_000_000, 'x'));
      response.end();
    });
    const limits = { maxBytes: 2_000_000 };
    await expect(get(`http://feeds.example:${port}/said`, { limits })).rejects.toThrow(/larger than/);
    await expect(get(`http://feeds.example:${port}/unsaid`, { limits })).rejects.toThrow(/larger than/);
  });

  it('in its decompressed size', async () => {
    const port = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      const bomb = createGzip({ level: 9 });
      bomb.pipe(response);
      const piece = Buffer.alloc(1 << 20);
      const write = (left: number): void => {
        if (left === 0) bomb.end();
        else bomb.write(piece, () => write(left - 1));
      };
      write(200);
    });
    const before = process.memoryUsage().rss;
    const answer = await guardedFetch(
      { url: `http://feeds.example:${port}/`, method: 'GET', headers: {} },
      { ...FETCH_LIMITS, maxBytes: 20_000_000 },
      network().given,
    );
    if (answer.isUnchanged) throw new Error('unchanged');
    let size = 0;
    const read = async () => {
      for await (const chunk of answer.body) size += chunk.byteLength;
    };
    await expect(read()).rejects.toThrow('larger than 20 MB');
    expect(size).toBeLessThanOrEqual(20_000_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000);
  });

  it('to one compression', async () => {
    const port = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip, gzip' }).end(gzipSync(gzipSync('text')));
    });
    await expect(get(`http://feeds.example:${port}/`)).rejects.toThrow('packed in a way');
  });

  it('in time: to the first byte, between chunks, and in total', async () => {
    const port = await serve(async (request, response) => {
      if (request.url === '/silent') return;
      response.write('first ');
      if (request.url === '/halting') return;
      while (!response.destroyed) {
        response.write('drop ');
        await sleep(20);
      }
    });
    const url = `http://feeds.example:${port}`;
    const idle = { limits: { idleMs: 300, totalMs: HANGS_MS } };
    const total = { limits: { idleMs: HANGS_MS, totalMs: 500 } };
    await Promise.all([
      expect(get(`${url}/silent`, idle)).rejects.toThrow('took too long to answer'),
      expect(get(`${url}/halting`, idle)).rejects.toThrow('took too long to answer'),
      expect(get(`${url}/dripping`, total)).rejects.toThrow('longer than 0.5 seconds'),
    ]);
  });
});

describe('an answer', () => {
  it('is decompressed and has a version; an unchanged one is not sent again', async () => {
    const port = await serve((request, response) => {
      if (request.headers['if-none-match'] === '"v1"') return response.writeHead(304).end();
      response.writeHead(200, {
        'content-encoding': 'gzip',
        etag: '"v1"',
        'last-modified': 'Sat, 01 Jan 2033 00:00:00 GMT',
      });
      return response.end(gzipSync('merchant,code'));
    });
    const url = `http://feeds.example:${port}/`;
    expect(await get(url)).toMatchObject({
      text: 'merchant,code',
      etag: '"v1"',
      lastModified: 'Sat, 01 Jan 2033 00:00:00 GMT',
    });
    expect(await get(url, { headers: { 'if-none-match': '"v1"' } })).toMatchObject({ isUnchanged: true });
  });

  it('is an error when it breaks off, compressed or not', async () => {
    const port = await serve((request, response) => {
      const isPacked = request.url === '/packed';
      response.writeHead(200, { 'content-length': 1_000, ...(isPacked && { 'content-encoding': 'gzip' }) });
      const text = isPacked ? gzipSync('x'.repeat(10_000)).subarray(0, 20) : 'x'.repeat(100);
      response.write(text, () => response.destroy());
    });
    await expect(get(`http://feeds.example:${port}/plain`)).rejects.toThrow('could not be fetched');
    await expect(get(`http://feeds.example:${port}/packed`)).rejects.toThrow('could not be fetched');
  });

  it('gives a reason when it fails, without the address, which may contain a key', async () => {
    const port = await serve((_request, response) => response.writeHead(403).end());
    const refused = await get(`http://feeds.example:${port}/?key=SECRET`).catch((error: Error) => error);
    expect(refused).toMatchObject({ name: 'FeedRefusal', message: 'Its server answered with status 403.' });
    const nobody = await get('http://feeds.example:1/?key=SECRET').catch((error: Error) => error);
    expect(nobody).toMatchObject({ name: 'FeedRefusal', message: 'It could not be fetched (ECONNREFUSED).' });
  });
});
