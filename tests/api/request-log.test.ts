import net, { type AddressInfo } from 'node:net';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '#server/core/errors.ts';
import { toWire } from '#server/trpc/errors.ts';
import { createTestApp, keptLog, setUpApp } from '#tests/support/app.ts';

/** What an operator finds in the log, and how it is found again. */

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly reqId?: string;
  readonly err?: { readonly code?: string };
}

const ERROR = 50;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const kept = keptLog('debug');
const settings = { log: kept.log, config: { isProduction: true, logLevel: 'debug' } } as const;
const test = setUpApp(settings);
let port: number;
beforeAll(async () => {
  await test.app.listen({ port: 0, host: '127.0.0.1' });
  port = (test.app.server.address() as AddressInfo).port;
});
const forget = () => void kept.lines.splice(0);
beforeEach(forget);
const lines = () =>
  kept.lines.flatMap((text) =>
    text
      .trim()
      .split('\n')
      .map((line): Line => JSON.parse(line)),
  );

describe('a client that breaks off', () => {
  it.each([
    ['a call', '/api/login', 'application/json'],
    ['a tRPC call', '/api/trpc/accounts.login', 'application/json'],
    ['an upload', '/api/upload/qrcode', 'multipart/form-data; boundary=b'],
  ])('in the middle of %s is no error', async (_what, path, type) => {
    const socket = net.connect(port, '127.0.0.1').on('error', () => {});
    const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\nContent-Length: 1000\r\n\r\n`;
    socket.write(`${head}{"username":`, () => setImmediate(() => socket.destroy()));
    await expect.poll(() => lines().map(({ msg }) => msg)).toContain('the client has disconnected');
    expect(lines().filter(({ level }) => level >= ERROR)).toEqual([]);
  });
});

describe('a request', () => {
  it('has an id of its own in its answer and in each of its lines', async () => {
    const ids = new Set<unknown>();
    for (const url of [
      '/api/coupons',
      '/api/nothing-here',
      '/api/%',
      '/healthz',
      '/api/trpc/coupons.list?input=%7B%7D',
    ]) {
      forget();
      const id = (await test.call(null, { method: 'GET', url, headers: { 'x-request-id': 'forged' } }))
        .headers['x-request-id'];
      expect(id, url).toMatch(UUID);
      for (const { reqId } of lines()) expect(reqId).toBe(id);
      ids.add(id);
    }
    expect(ids.size).toBe(5);
  });

  it('is logged without the token of a calendar’s address', async () => {
    forget();
    await test.call(null, { method: 'GET', url: '/calendar/HUSH-2035.ics?a=HUSH' });
    expect(lines()).toContainEqual(
      expect.objectContaining({ req: expect.objectContaining({ path: '/calendar/[hidden]' }) }),
    );
    expect(JSON.stringify(lines())).not.toContain('HUSH');
  });
});

describe('a failure of ours', () => {
  it('of which nobody knows whether it was done carries the reference of its request, too', async () => {
    for (const code of ['unavailable', 'outcome_unknown'] as const)
      expect(toWire(new AppError(code, 'Please look'), 'the-id')).toMatchObject({ requestId: 'the-id' });
    expect(toWire(new AppError('conflict', 'Too late'), 'the-id')).not.toHaveProperty('requestId');
  });

  it('is logged with the error’s code, under the reference that the person is shown', async () => {
    const broken = await createTestApp(settings);
    await broken.database.db.schema.alterTable('coupons').renameTo('coupons_gone').execute();
    for (const url of ['/api/coupons', '/api/trpc/coupons.list?input=%7B%7D']) {
      forget();
      const answer = await broken.call(null, { method: 'GET', url });
      expect(answer.statusCode).toBe(500);
      const body = answer.json();
      const wire = body.error?.data?.wire ?? body;
      expect(wire.requestId).toBe(answer.headers['x-request-id']);
      const failure = lines().find(({ level }) => level >= ERROR);
      expect(failure).toMatchObject({ reqId: wire.requestId, err: { code: '42P01' } });
    }
    await broken.close();
  });

  it('that passes, such as an overload of the database, is one short line a call without a stack', async () => {
    const { limiter } = test.deps;
    const busy = await createTestApp(settings);
    const unavailable = async () => {
      const cause = new Error('timeout exceeded when trying to connect');
      throw new AppError('unavailable', 'Not available right now', { retryAfter: 2, cause });
    };
    Object.assign(busy.deps, { limiter: { ...limiter, consume: unavailable } });
    const body = { username: 'somebody', password: 'a long password' };
    const answer = await busy.call(null, { method: 'POST', url: '/api/login', body });
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '2']);
    expect(lines().filter(({ msg }) => msg.startsWith('a '))).toEqual([
      expect.objectContaining({
        level: ERROR - 10,
        msg: 'a call could not be answered now',
        path: 'accounts.login',
        reason: 'timeout exceeded when trying to connect',
        reqId: answer.json().requestId,
      }),
    ]);
    expect(JSON.stringify(lines())).not.toContain('stack');
    await busy.close();
  });

  it('hides codes of coupons all the same', () => {
    test.deps.log.error(
      { code: 'SECRET-1', coupon: { code: 'SECRET-2' }, err: { coupon: { code: 'SECRET-3' } } },
      'x',
    );
    expect(JSON.stringify(lines())).not.toContain('SECRET');
  });
});
