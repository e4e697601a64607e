import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSandbox, type Sandbox } from '#sandbox/main.ts';
import { openStore } from '#sandbox/store.ts';
import { openPush } from '#server/providers/push/open-push.ts';
import {
  type Push,
  PushDeferred,
  PushGone,
  type PushMessage,
  PushRefused,
} from '#server/providers/push/push.ts';
import { TEST_PUSH } from '#tests/support/builders.ts';

let sandbox: Sandbox;
let push: Push;
beforeAll(async () => {
  sandbox = await openSandbox({
    store: openStore(),
    marketplace: () => null,
    publicUrl: 'http://localhost:3000',
  });
  push = openPush({ ...TEST_PUSH, sandboxUrl: sandbox.url });
});
afterAll(() => sandbox.close());

const payload = { title: 'You have a new bid', body: 'See it.', path: '/my-bids', tag: '/my-bids' };
const message: PushMessage = {
  payload: JSON.stringify(payload),
  ttlSeconds: 600,
  urgency: 'low',
  topic: 'a'.repeat(32),
};

async function subscribed(to = push.publicKey) {
  const { endpoint, keys } = await sandbox.push.subscribe(to);
  return { endpoint, ...keys };
}

describe('a push', () => {
  it('is signed for its push service, and only the browser can read it', async () => {
    const browser = await subscribed();
    await push.send(browser, message);
    const { endpoint } = browser;
    expect(await sandbox.push.received()).toMatchObject([
      { ...payload, endpoint, ttl: 600, urgency: 'low', topic: message.topic },
    ]);
  });

  it('to a browser that takes no more is told apart from one that is refused', async () => {
    const gone = await subscribed();
    await sandbox.push.unsubscribe(gone.endpoint);
    await expect(push.send(gone, message)).rejects.toBeInstanceOf(PushGone);
    const unknown = { ...gone, endpoint: `${sandbox.url}/push/none` };
    await expect(push.send(unknown, message)).rejects.toBeInstanceOf(PushGone);

    const large = { ...message, payload: 'x'.repeat(4_100) };
    await expect(push.send(await subscribed(), large)).rejects.toThrow('127.0.0.1 answered 413');
    const ofOthers = await subscribed('B'.repeat(87));
    const refusal = await push.send(ofOthers, message).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(PushRefused);
    expect(String(refusal)).not.toContain(ofOthers.endpoint);
  });

  it('is tried again where the push service is busy or away, and follows no redirect', async () => {
    let status = 503;
    const server: Server = createServer((_request, response) => {
      const headers = { location: `${sandbox.url}/push/none`, 'retry-after': '90' };
      response.writeHead(status, headers).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const sandboxUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const away = openPush({ ...TEST_PUSH, sandboxUrl });
    const browser = { ...(await subscribed()), endpoint: `${sandboxUrl}/push/1` };
    for (status of [503, 429, 500]) {
      const refusal = await away.send(browser, message).catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(PushDeferred);
      expect(refusal).toMatchObject({ retryAfter: 90 });
    }
    status = 307;
    await expect(away.send(browser, message)).rejects.toBeInstanceOf(PushRefused);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await expect(away.send(browser, message)).rejects.toBeInstanceOf(PushDeferred);
  });
});

it('goes to the known push services and nowhere else', async () => {
  const known = [
    'https://fcm.googleapis.com/fcm/send/abc:123',
    'https://updates.push.services.mozilla.com/wpush/v2/abc',
    'https://wns2-par02p.notify.windows.com/w/?token=abc',
    'https://web.push.apple.com/QAbc',
  ];
  const others = [
    'http://fcm.googleapis.com/fcm/send/abc',
    'https://fcm.googleapis.com:8443/fcm/send/abc',
    'https://me@fcm.googleapis.com/fcm/send/abc',
    'https://fcm.googleapis.com.evil.example/x',
    'https://evilnotify.windows.com/w/',
    'https://evil.example/#fcm.googleapis.com',
    'https://fcm.googleapis.com@127.0.0.1/x',
    'https://127.0.0.1/push/1',
    'https://169.254.169.254/latest/meta-data',
    'http://localhost:3000/push/1',
    `${sandbox.url}/outbox`,
    `${sandbox.url}/push/../outbox`,
    'ftp://fcm.googleapis.com/x',
    'javascript:alert(1)',
    '',
  ];
  expect(known.filter((one) => !push.isPushService(one))).toEqual([]);
  expect(others.filter((one) => push.isPushService(one))).toEqual([]);
  // In production there is no sandbox.
  const { endpoint, ...keys } = await subscribed();
  const outside = openPush({ ...TEST_PUSH, sandboxUrl: null });
  await expect(outside.send({ endpoint, ...keys }, message)).rejects.toThrow('not a known push service');
});
