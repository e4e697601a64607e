import http from 'node:http';
import net, { type AddressInfo, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MAX_IMAGE_BYTES } from '#contract/coupons/images.ts';
import { createMemoryStorage } from '#server/providers/storage/memory-storage.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { shortOrLong } from '#tests/support/rounds.ts';
import { pdf } from '../fixtures/documents.ts';
import { formOf, uploadFile } from './upload-forms.ts';

/** Uploads over a real connection: too large, broken off, and too many at once. */

const MB = 1024 * 1024;
/** Addresses that take what they can. */
const MANY = shortOrLong(3, 50);

let test: TestApp;
let port: number;
let stored: string[];
const open = new Set<Socket>();

beforeAll(async () => {
  const storage = createMemoryStorage();
  const put: typeof storage.put = async (name, bytes) => {
    stored.push(name);
    return storage.put(name, bytes);
  };
  test = await createTestApp({ providers: { storage: { ...storage, put } }, config: { trustProxy: 1 } });
  await test.app.listen({ port: 0, host: '127.0.0.1' });
  port = (test.app.server.address() as AddressInfo).port;
});
beforeEach(() => {
  stored = [];
});
afterAll(async () => {
  for (const socket of open) socket.destroy();
  await test.close();
});

/** A form around a file of `size` bytes, in small pieces. */
function* piecesOf(size: number): Generator<Buffer> {
  const { payload } = formOf({ file: Buffer.from('@') });
  const at = payload.indexOf('@');
  yield payload.subarray(0, at);
  const piece = Buffer.alloc(64 * 1024, 7);
  for (let sent = 0; sent < size; sent += piece.length) yield piece;
  yield payload.subarray(at + 1);
}

/** Sends a form until an answer comes, or to its end. @returns the answer and how many bytes were sent */
async function send(size: number, headers: http.OutgoingHttpHeaders, until: 'answered' | 'sent') {
  const all = { ...formOf({}).headers, ...headers };
  const request = http.request({ port, method: 'POST', path: '/api/upload/qrcode', headers: all });
  let answered = false;
  let sent = 0;
  let mostBuffered = 0;
  const before = process.memoryUsage().arrayBuffers;
  const answer = new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
    request.on('error', reject).on('response', async (response) => {
      answered = true;
      let body = '';
      for await (const chunk of response) body += chunk;
      resolve({ status: response.statusCode, body });
    });
  });
  for (const piece of piecesOf(size)) {
    if (answered && until === 'answered') break;
    sent += piece.length;
    mostBuffered = Math.max(mostBuffered, process.memoryUsage().arrayBuffers - before);
    // Lets the server run, which is in this process.
    await new Promise<void>((resolve, reject) => {
      request.write(piece, (error) => (error ? reject(error) : resolve()));
    });
    await new Promise(setImmediate);
  }
  const result = await answer;
  request.destroy();
  return { ...result, sent, mostBuffered };
}

/** Opens a connection and sends the first half of an upload. */
async function beginUpload(forwardedFor: string): Promise<Socket> {
  const { headers, payload } = formOf({ file: Buffer.alloc(200_000) });
  const socket = net.connect(port, '127.0.0.1').on('error', () => {});
  open.add(socket);
  await new Promise((resolve) => socket.once('connect', resolve));
  const head = [
    'POST /api/upload/qrcode HTTP/1.1',
    'Host: localhost',
    `X-Forwarded-For: ${forwardedFor}`,
    `Content-Type: ${headers['content-type']}`,
    `Content-Length: ${payload.length}`,
  ].join('\r\n');
  socket.write(`${head}\r\n\r\n`);
  socket.write(payload.subarray(0, payload.length / 2));
  return socket;
}

/** Sends an upload without a file: 400 when the address may upload, else another refusal. */
async function tryUpload(forwardedFor: string) {
  return uploadFile(test, null, { headers: { 'x-forwarded-for': forwardedFor } });
}

describe('an upload of 50 MB', () => {
  const frame = formOf({ file: Buffer.from('@') }).payload.length - 1;
  const ways: [string, http.OutgoingHttpHeaders][] = [
    ['announced', { 'content-length': 50 * MB + frame }],
    ['not announced', { 'transfer-encoding': 'chunked' }],
  ];

  it.each(ways)('(%s) is refused while it is received', async (_how, headers) => {
    const { status, body, sent, mostBuffered } = await send(50 * MB, headers, 'answered');
    expect(status, body).toBe(413);
    expect(JSON.parse(body)).toMatchObject({ error: expect.stringContaining('at most 8 MB') });
    // The system's buffers at both ends add to the limit.
    expect(sent).toBeLessThan(MAX_IMAGE_BYTES + 12 * MB);
    expect(mostBuffered).toBeLessThan(MAX_IMAGE_BYTES + 24 * MB);
    expect(stored).toEqual([]);
    expect((await tryUpload('192.0.2.1')).statusCode).toBe(400);
  });

  it.each(ways)(
    '(%s) is read to its end for clients that only then read the answer',
    async (_how, headers) => {
      const { status, sent } = await send(50 * MB, headers, 'sent');
      expect(status).toBe(413);
      expect(sent).toBe(50 * MB + frame);
    },
  );
});

/** Begins uploads until the address has no place left. Some may be refused, while a try has the place. */
async function takePlaces(address: string): Promise<Socket[]> {
  const sockets: Socket[] = [];
  await expect
    .poll(async () => {
      sockets.push(await beginUpload(address));
      return (await tryUpload(address)).statusCode;
    })
    .toBe(503);
  return sockets;
}

describe('a client that disconnects during an upload', () => {
  it('leaves nothing stored, and frees its place', async () => {
    const caller = '198.51.100.7';
    for (let round = 1; round <= 5; round += 1) {
      const sockets = await takePlaces(caller);
      for (const socket of sockets) socket.destroy();
      await expect.poll(async () => (await tryUpload(caller)).statusCode).toBe(400);
    }
    expect(stored).toEqual([]);
    expect(await test.ctx.db.selectFrom('images').select('id').execute()).toEqual([]);
  });
});

describe('too many uploads at once', () => {
  it('are refused for their address, and for nobody else', async () => {
    const sockets: Socket[] = [];
    for (let address = 1; address <= MANY; address += 1) {
      sockets.push(...(await takePlaces(`203.0.113.${address}`)));
    }
    const own = await tryUpload('203.0.113.1');
    expect(own.headers['retry-after']).toBe('5');
    expect(own.json()).toMatchObject({ code: 'unavailable' });
    expect((await tryUpload('198.51.100.1')).statusCode).toBe(400);
    for (const socket of sockets) socket.destroy();
    await expect.poll(async () => (await tryUpload('203.0.113.1')).statusCode).toBe(400);
  });
});

it('of a PDF, the page that the address names is kept', async () => {
  const upload = (page: string) =>
    uploadFile(test, null, { path: `barcode?page=${page}`, file: pdf({ pages: 3 }) });
  const answer = await upload('2');
  expect([answer.statusCode, answer.json().pages]).toEqual([201, 3]);
  for (const wrong of ['4', '0', 'x', '1&page=2']) expect((await upload(wrong)).statusCode, wrong).toBe(400);
});
