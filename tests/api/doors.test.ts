import net, { type AddressInfo } from 'node:net';
import type { RouteOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_IMAGE_BYTES } from '#contract/coupons/images.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';

/**
 * Every door that takes a body from somebody unknown, or more than a call: what proves who sends it, and how much of it is
 * read before that is known, in bytes.
 */
interface Door {
  readonly path: string;
  readonly proof: string;
  readonly read: number;
  /** What the sender adds that looks like the proof, as far as anybody can write it. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly status: number;
}

const KB = 1024;
/** What a call may send, and everything else that reads no more. */
const CALL_LIMIT = 64 * KB;
const FORM = { 'content-type': 'multipart/form-data; boundary=b' };
const JSON_TYPE = { 'content-type': 'application/json' };
const NO_SCOPE = { authorization: `Bearer clipswap_${'a'.repeat(40)}` };
const PAYPAL = { 'paypal-transmission-sig': 'b' };

/** Visitors upload, too, each within a share of the memory. */
const forVisitors = ['qrcode', 'barcode', 'picture', 'profile-picture'].flatMap((kind): Door[] => [
  {
    path: `/api/upload/${kind}`,
    proof: 'none',
    read: MAX_IMAGE_BYTES + CALL_LIMIT,
    headers: FORM,
    status: 413,
  },
  { path: `/api/upload/${kind}`, proof: 'key', read: 0, headers: { ...FORM, ...NO_SCOPE }, status: 401 },
]);

const DOORS: readonly Door[] = [
  ...forVisitors,
  { path: '/api/upload/evidence', proof: 'session', read: 0, headers: FORM, status: 401 },
  { path: '/api/upload/table', proof: 'session', read: 0, headers: FORM, status: 401 },
  { path: '/api/inbound-mail/:provider', proof: 'provider', read: 0, headers: FORM, status: 404 },
  { path: '/api/inbound-mail/:provider/mime', proof: 'provider', read: 0, headers: FORM, status: 404 },
  { path: '/api/webhooks/stripe', proof: 'header', read: 0, headers: JSON_TYPE, status: 400 },
  {
    path: '/api/webhooks/stripe',
    proof: 'signature of the body',
    read: 256 * KB,
    headers: { ...JSON_TYPE, 'stripe-signature': 't=1,v1=a' },
    status: 413,
  },
  { path: '/api/webhooks/paypal', proof: 'header', read: 0, headers: JSON_TYPE, status: 400 },
  {
    path: '/api/webhooks/paypal',
    proof: 'signature of the body',
    read: 256 * KB,
    headers: { ...JSON_TYPE, ...PAYPAL },
    status: 413,
  },
  {
    path: '/api/apple-wallet/v1/devices/:deviceId/registrations/:passType/:serial',
    proof: 'token of the pass',
    read: 16 * KB,
    status: 413,
  },
  { path: '/api/apple-wallet/v1/log', proof: 'none: a few lines for the log', read: 16 * KB, status: 413 },
  { path: '/api/unsubscribe', proof: 'token in the address', read: KB, status: 413 },
  { path: '/sandbox/inbound', proof: 'address of the caller', read: 0, headers: FORM, status: 404 },
  { path: '/mcp', proof: 'key', read: 0, headers: JSON_TYPE, status: 401 },
  ...['register', 'token', 'revoke'].map((name) => ({
    ...{
      path: `/oauth/${name}`,
      proof: 'none, or in the body',
      read: 8 * KB,
      headers: JSON_TYPE,
      status: 413,
    },
  })),
  { path: '/api/login', proof: 'password, as any call', read: CALL_LIMIT, headers: JSON_TYPE, status: 413 },
  {
    path: '/api/trpc/:path',
    proof: 'session, as any call of our pages',
    read: CALL_LIMIT,
    headers: JSON_TYPE,
    status: 413,
  },
];

const wide = new Set<string>();
let test: TestApp;
const mails = {} as Record<'postmark' | 'mailgun' | 'sendgrid', TestApp>;
beforeAll(async () => {
  test = await createTestApp({
    standIns: ['stripe', 'paypal', 'mail'],
    watch: (app) =>
      app.addHook('onRoute', ({ url, method, config, bodyLimit = 0 }: RouteOptions) => {
        if (![method].flat().includes('POST')) return;
        if (config?.isFromAnywhere || config?.takesFile || bodyLimit > CALL_LIMIT) wide.add(url);
      }),
  });
  await test.app.listen({ port: 0, host: '127.0.0.1' });
  for (const provider of ['postmark', 'mailgun', 'sendgrid'] as const) {
    const inboundMail = { provider, domain: 'in.clipswap.example', secret: 'a secret of sixteen or more' };
    mails[provider] = await createTestApp({ config: { inboundMail } });
    await mails[provider].app.listen({ port: 0, host: '127.0.0.1' });
  }
});
afterAll(async () => {
  for (const each of [test, ...Object.values(mails)]) await each.close();
});

/**
 * Sends the head of a request, `bytes` of its body and never its end.
 * @returns the status of the answer
 */
async function answerTo(
  { app }: TestApp,
  path: string,
  headers: Readonly<Record<string, string>>,
  bytes: number,
): Promise<number> {
  const socket = net.connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  const status = new Promise<number>((resolve, reject) => {
    socket.once('data', (data) => resolve(Number(String(data).split(' ', 2)[1])));
    socket.once('close', () => reject(new Error(`There is no answer to ${path}`)));
    socket.on('error', () => {});
  });
  const lines = Object.entries({ host: 'elsewhere.example', 'transfer-encoding': 'chunked', ...headers });
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.map((line) => line.join(': ')).join('\r\n')}\r\n\r\n`);
  const send = (text: string) =>
    new Promise<void>((resolve) =>
      socket.write(`${text.length.toString(16)}\r\n${text}\r\n`, () => resolve()),
    );
  const sending = async () => {
    if (bytes === 0) return;
    await send('--b\r\nContent-Disposition: form-data; name="f"\r\n\r\n');
    const piece = Math.min(bytes, CALL_LIMIT);
    for (let sent = 0; sent < bytes && socket.writable; sent += piece) await send('x'.repeat(piece));
  };
  void sending();
  return status.finally(() => socket.destroy());
}

describe('a body from somebody who proves nothing', () => {
  it('has a line in the table at each door that takes one', () => {
    const listed = new Set(DOORS.map(({ path }) => path));
    expect([...wide].filter((path) => !listed.has(path))).toEqual([]);
  });

  it.each(DOORS)(
    'is refused at $path ($proof) after $read bytes',
    async ({ path, read, headers, status }) => {
      const address = path.replaceAll(/:[a-z]+/gi, 'x');
      expect(await answerTo(test, address, headers ?? {}, 10 * read)).toBe(status);
    },
  );

  it.each([
    ['postmark', 0, JSON_TYPE],
    ['sendgrid', 0, FORM],
    ['mailgun', 256 * KB, FORM],
  ] as const)('is refused as a mail of %s after %s bytes', async (provider, read, headers) => {
    const address = `/api/inbound-mail/${provider}`;
    expect(await answerTo(mails[provider], address, headers, 10 * read)).toBe(401);
  });

  it.each([
    ['postmark', FORM],
    ['sendgrid', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['mailgun', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['mailgun', JSON_TYPE],
  ] as const)('is not read for %s in a format that it does not use', async (provider, headers) => {
    const password = Buffer.from('clipswap:a secret of sixteen or more').toString('base64');
    const proved = { ...headers, authorization: `Basic ${password}` };
    expect(await answerTo(mails[provider], `/api/inbound-mail/${provider}`, proved, 0)).toBe(415);
  });
});
