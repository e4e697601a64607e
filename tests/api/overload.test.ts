import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { REQUESTS_PER_CONNECTION } from '#server/rest/shedding.ts';
import { setUpApp, WEB_SOURCES } from '#tests/support/app.ts';

const POOL = 2;
const MOST = POOL * REQUESTS_PER_CONNECTION;

const test = setUpApp({ webRoot: WEB_SOURCES, config: { databasePoolSize: POOL }, connections: POOL });
beforeAll(() => test.app.listen({ port: 0, host: '127.0.0.1' }));

const read = (url = '/api/coupons', ip = '127.0.0.1') => test.call(null, { method: 'GET', url, ip });
/** Requests of so many addresses that all places are taken. */
const readAll = () => Array.from({ length: MOST }, (_, at) => read('/api/coupons', `203.0.113.${at}`));
const port = () => (test.app.server.address() as AddressInfo).port;
/** Until it ends, nobody can read coupons. */
const whileNobodyCanRead = (act: () => Promise<void>) =>
  test.database.db.transaction().execute(async (trx) => {
    await sql`lock table coupons in access exclusive mode`.execute(trx);
    await act();
  });

it('gives the place of a request for nothing back', async () => {
  for (let i = 0; i < MOST; i += 1) expect((await read('/api/nothing')).statusCode).toBe(404);
  expect((await read()).statusCode).toBe(200);
});

it('answers so many requests at a time, refuses more at once, and serves everybody again afterwards', async () => {
  const status = async (url: string) => (await read(url)).statusCode;
  let waiting: ReturnType<typeof read>[] = [];
  await whileNobodyCanRead(async () => {
    waiting = readAll();
    const refused = await Promise.race([read(), ...waiting]);
    expect([refused.statusCode, refused.headers['retry-after'], refused.json()]).toEqual([
      503,
      '2',
      {
        error: 'ClipSwap is very busy right now. Please try again in a moment.',
        code: 'unavailable',
        requestId: expect.any(String),
      },
    ]);
    expect(refused.headers['x-content-type-options']).toBe('nosniff');
    for (const url of ['/sitemap.xml', '/sitemaps/coupons-1.xml']) expect(await status(url)).toBe(503);
    expect(await status('/healthz')).toBe(200);
    expect(await status('/readyz')).toBe(200);
    const page = await read('/coupons/1');
    expect([page.statusCode, page.headers['retry-after'], page.headers['content-type']]).toEqual([
      503,
      '2',
      'text/html; charset=utf-8',
    ]);
    expect(await status('/')).toBe(200);
  });
  const answers = await Promise.all(waiting);
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(MOST).fill(200));
  expect(await status('/api/coupons')).toBe(200);
});

it('refuses an address that has its share, and answers others', async () => {
  let crowd: ReturnType<typeof read>[] = [];
  const others: ReturnType<typeof read>[] = [];
  await whileNobodyCanRead(async () => {
    crowd = Array.from({ length: MOST }, () => read());
    expect((await Promise.race(crowd)).statusCode).toBe(503);
    others.push(read('/api/coupons', '203.0.113.1'));
  });
  expect((await others[0])?.statusCode).toBe(200);
  const answers = await Promise.all(crowd);
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(MOST / 5);
});

it('has room again once what visitors asked for is done who have left meanwhile', async () => {
  const asked: IncomingMessage[] = [];
  const listen = (request: IncomingMessage) => void asked.push(request);
  test.app.server.on('request', listen);
  await whileNobodyCanRead(async () => {
    const visitors = Array.from({ length: MOST }, (_, at) =>
      http
        .get({ port: port(), path: '/api/coupons', localAddress: `127.0.1.${at + 1}` })
        .on('error', () => {}),
    );
    await expect.poll(() => asked.length).toBe(MOST);
    for (const visitor of visitors) visitor.destroy();
    await expect.poll(() => asked.every(({ socket }) => socket.destroyed)).toBe(true);
    expect((await read()).statusCode).toBe(503);
  });
  test.app.server.off('request', listen);
  const answers = async () => {
    const all = await Promise.all(readAll());
    return all.filter(({ statusCode }) => statusCode === 200).length;
  };
  await expect.poll(answers).toBe(MOST);
});

it('closes an idle connection long after its client, or a proxy, is to have left it', async () => {
  const accepted = once(test.app.server, 'connection') as Promise<[Socket]>;
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const ask = async (options: http.RequestOptions, body?: Buffer) => {
    const request = http.request({ port: port(), agent, ...options }).end(body);
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    await once(answer.resume(), 'end');
    return answer;
  };
  const { headers } = await ask({ path: '/healthz' });
  expect(headers).toMatchObject({ connection: 'keep-alive', 'keep-alive': 'timeout=10' });
  const [connection] = await accepted;
  // Caddy, our proxy, leaves an idle connection after 2 minutes, whatever it is told.
  expect(connection.timeout).toBeGreaterThan(120_000);

  // Nor does a refusal close it before the whole body was sent, and it serves the next request.
  const post = { method: 'POST', path: '/api/coupons', headers: { 'content-type': 'application/json' } };
  const refused = await ask(
    { ...post, headers: { ...post.headers, origin: 'https://elsewhere.example' } },
    Buffer.alloc(60_000, 32),
  );
  expect(refused.statusCode).toBe(403);
  expect((await ask({ path: '/healthz' })).socket).toBe(refused.socket);
  agent.destroy();
});
