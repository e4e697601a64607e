import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { internet, type Network } from '../guarded-network.ts';
import { openWebhooks } from './open-webhooks.ts';

/** A public address that the tests route to their own servers. */
const PUBLIC = '93.184.216.34';

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://shop.example:${(server.address() as AddressInfo).port}/hook?key=1`;
}

/** The guard, except that it allows plain HTTP, and that names lead to these addresses, one list a question. */
function network(...answers: (readonly string[])[]): Network & { connected: string[] } {
  const connected: string[] = [];
  return {
    ...internet,
    protocols: ['http:', 'https:'],
    resolve: async () => answers.shift() ?? [PUBLIC],
    route(address) {
      connected.push(address);
      return '127.0.0.1';
    },
    connected,
  };
}

it.each([
  ['https://127.0.0.1/', 'not_public'],
  ['https://10.0.0.1/', 'not_public'],
  ['http://93.184.216.34/', 'protocol'],
  ['ftp://93.184.216.34/', 'protocol'],
  ['https://me:secret@93.184.216.34/', 'credentials'],
  ['nonsense', 'malformed'],
  ['https://93.184.216.34/hook', null],
])('of the address %s says %s, and sends nothing where it must not', async (url, problem) => {
  const webhooks = openWebhooks();
  expect(await webhooks.problemOf(url)).toBe(problem);
  if (problem === null) return;
  const answer = await webhooks.send(url, {}, '{}');
  expect(answer).toMatchObject({ status: null });
  expect(answer.problem).not.toBeNull();
});

it.each([['127.0.0.1'], ['10.1.2.3'], ['::1'], ['::ffff:10.0.0.1'], ['169.254.169.254'], ['fd12::1']])(
  'refuses a name that leads to %s, whatever its other addresses',
  async (address) => {
    const given = network([PUBLIC, address]);
    expect(await openWebhooks({ network: given }).problemOf('https://shop.example/')).toBe('not_public');
  },
);

it('refuses a name that leads nowhere', async () => {
  expect(await openWebhooks({ network: network([]) }).problemOf('https://shop.example/')).toBe(
    'unknown_host',
  );
});

it('connects to the address that it checked, and checks again for each attempt', async () => {
  const seen: string[] = [];
  const url = await serve((request, response) => {
    seen.push(
      `${request.method} ${request.url} ${request.headers['content-type']} ${request.headers['webhook-id']}`,
    );
    response.end('thanks');
  });
  const given = network([PUBLIC], [PUBLIC], ['127.0.0.1']);
  const webhooks = openWebhooks({ network: given });
  expect(await webhooks.problemOf(url)).toBeNull();
  expect(await webhooks.send(url, { 'webhook-id': 'msg_1' }, '{"a": 1}')).toEqual({
    status: 200,
    problem: null,
  });
  // By now the name leads to this machine.
  expect(await webhooks.send(url, { 'webhook-id': 'msg_1' }, '{}')).toEqual({
    status: null,
    problem: 'not_public',
  });
  expect(seen).toEqual(['POST /hook?key=1 application/json msg_1']);
  expect(given.connected).toEqual([PUBLIC]);
});

it('follows no redirect', async () => {
  let isAsked = 0;
  const url = await serve((_request, response) => {
    isAsked += 1;
    response.writeHead(307, { location: 'http://169.254.169.254/latest/meta-data/' }).end();
  });
  const answer = await openWebhooks({ network: network() }).send(url, {}, '{}');
  expect({ answer, isAsked }).toEqual({ answer: { status: 307, problem: 'redirect' }, isAsked: 1 });
});

it('waits neither for a slow answer nor for the end of a long one', async () => {
  const limits = { connectMs: 1_000, totalMs: 300 };
  const send = (url: string) => openWebhooks({ network: network(), limits }).send(url, {}, '{}');
  expect(await send(await serve(() => {}))).toEqual({ status: null, problem: 'too_slow' });
  const endless = await serve((_request, response) => {
    response.writeHead(200).write('x'.repeat(100_000));
  });
  expect(await send(endless)).toEqual({ status: 200, problem: null });
});

it('says how an attempt failed', async () => {
  const send = (url: string) => openWebhooks({ network: network() }).send(url, {}, '{}');
  expect(await send(await serve((_request, response) => response.writeHead(500).end()))).toEqual({
    status: 500,
    problem: 'refused',
  });
  const busy = await serve((_request, response) => response.writeHead(503, { 'retry-after': '90' }).end());
  expect(await send(busy)).toEqual({ status: 503, problem: 'refused', retryAfter: 90 });
  expect(await send(await serve((request) => request.socket.destroy()))).toEqual({
    status: null,
    problem: 'not_reached',
  });
});

it('reaches nothing of this machine but what the operator has named', async () => {
  const url = (await serve((_request, response) => response.end())).replace('shop.example', '127.0.0.1');
  const other = (await serve((_request, response) => response.end())).replace('shop.example', '127.0.0.1');
  const webhooks = openWebhooks({ own: [new URL(url).origin] });
  expect(await webhooks.problemOf(url)).toBeNull();
  expect(await webhooks.send(url, {}, '{}')).toEqual({ status: 200, problem: null });
  expect(await webhooks.problemOf(other)).toBe('protocol');
  expect(await webhooks.problemOf(other.replace('http:', 'https:'))).toBe('not_public');
  expect(await openWebhooks().problemOf(url)).toBe('protocol');
});
