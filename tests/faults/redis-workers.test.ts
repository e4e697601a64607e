import { afterEach, expect } from 'vitest';
import { startSession } from '#server/domains/sessions/service.ts';
import { createTestContext } from '#server/testing/builders.ts';
import { setUpDatabase } from '#server/testing/database.ts';
import { createDeal } from '#server/testing/exchanges.ts';
import { itLong } from '#server/testing/long-form.ts';
import { freePort } from '../browser/site.ts';
import { type ServerProcess, startServer } from '../processes.ts';
import { prepareValkey, type Valkey } from './valkey.ts';

const database = setUpDatabase();
let server: ServerProcess | undefined;
let valkey: Valkey | undefined;
afterEach(async () => {
  await server?.stop();
  await valkey?.kill();
});

const LINES = 6;

// The short form has its parts: redis-live.test.ts and workers.test.ts.
itLong('what is written in one of two processes reaches the browsers of both, over Redis', async () => {
  valkey = await prepareValkey();
  await valkey.start();
  const ctx = createTestContext(database);
  const [port, metricsPort] = [await freePort(), await freePort()];
  server = await startServer({
    DATABASE_URL: database.url,
    SECRET_KEY: Buffer.alloc(32, 'test vault key').toString('base64'),
    PORT: String(port),
    METRICS_PORT: String(metricsPort),
    WEB_CONCURRENCY: '2',
    REDIS_URL: valkey.url,
  });
  const { url, output } = server;
  await expect
    .poll(async () => (await fetch(`http://127.0.0.1:${metricsPort + 1}/metrics`)).status)
    .toBe(200);
  const { requester, owner, id } = await createDeal(ctx);
  const headersOf = async (userId: number) => {
    const { token } = await startSession(ctx.db, ctx.clock, userId);
    return { cookie: `clipswap=${token}`, 'content-type': 'application/json' };
  };
  const headers = await headersOf(owner.id);
  const leaving = new AbortController();
  const heard: string[] = [];
  for (let at = 0; at < LINES; at += 1) {
    heard.push('');
    const line = await fetch(`${url}/api/trpc/live.events`, { headers, signal: leaving.signal });
    const text = line.body?.pipeThrough(new TextDecoderStream()).getReader();
    const read = async () => {
      for (let chunk = await text?.read(); chunk && !chunk.done; chunk = await text?.read())
        heard[at] += chunk.value;
    };
    read().catch(() => {});
  }
  const linesOf = async (place: number) => {
    const metrics = await (await fetch(`http://127.0.0.1:${metricsPort + place}/metrics`)).text();
    return {
      lines: Number(/^clipswap_live_lines (\d+)/m.exec(metrics)?.[1]),
      transport: /clipswap_live_transport\{transport="(\w+)"\} 1/.exec(metrics)?.[1],
    };
  };
  // The workers take connections in turns, but other connections come between.
  await expect
    .poll(async () => {
      const [first, second] = await Promise.all([linesOf(0), linesOf(1)]);
      return {
        lines: first.lines + second.lines,
        isShared: first.lines > 0 && second.lines > 0,
        transports: [first.transport, second.transport],
      };
    })
    .toEqual({ lines: LINES, isShared: true, transports: ['redis', 'redis'] });
  const sent = await fetch(`${url}/api/trpc/messages.send`, {
    method: 'POST',
    headers: await headersOf(requester.id),
    body: JSON.stringify({ dealType: 'exchange', dealId: id, content: 'When do we meet?' }),
  });
  expect(sent.status, output()).toBe(200);
  for (const at of heard.keys()) await expect.poll(() => heard[at]).toContain('"kind":"message"');
  leaving.abort();
});
