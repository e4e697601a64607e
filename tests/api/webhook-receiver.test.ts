import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Webhook } from 'standardwebhooks';
import { afterAll, expect, it } from 'vitest';
import type { WebhookSecret } from '#contract/people/webhooks.ts';
import { sendDeliveries } from '#server/people/webhooks/sending.ts';
import { ownMachine } from '#server/providers/guarded-network.ts';
import { openWebhooks } from '#server/providers/webhooks/open-webhooks.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createTestClock, createUser } from '#tests/support/builders.ts';
import { WAIT_MS } from '#tests/support/patience.ts';
import { freePort } from '../browser/site.ts';

const test = setUpApp({
  clock: createTestClock(new Date()),
  providers: { webhooks: openWebhooks({ network: ownMachine }) },
});
let receiver: ChildProcess | undefined;
afterAll(() => receiver?.kill());

const [, example = ''] = /```js\n([\s\S]+?)```/.exec(readFileSync('docs/webhooks.md', 'utf8')) ?? [];

it('the receiver of the documentation takes what we send once, and refuses forged and replayed requests', async () => {
  const person = await createUser(test.ctx);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const made = await test.call(person, {
    method: 'POST',
    url: '/api/webhooks',
    body: { url, events: ['bid.placed'] },
  });
  expect(made.statusCode).toBe(201);
  const { id, secret } = made.json<WebhookSecret>();
  const env = { ...process.env, PORT: String(port), WEBHOOK_SECRET: secret };
  receiver = spawn(process.execPath, ['--input-type=module', '-e', example], { env });
  let said = '';
  receiver.stdout?.on('data', (chunk) => {
    said += chunk;
  });
  const post = (body: string, headers: Record<string, string> = {}) =>
    fetch(url, { method: 'POST', body, headers }).then(({ status }) => status);
  await expect.poll(() => post('{}').catch(() => 0), { timeout: WAIT_MS }).toBe(401);

  expect((await test.call(person, { method: 'POST', url: `/api/webhooks/${id}/test` })).statusCode).toBe(200);
  const [{ id: deliveryId, body, eventId }] = (
    await test.call(person, { method: 'GET', url: `/api/webhooks/${id}/deliveries` })
  ).json();
  const again = `/api/webhooks/${id}/deliveries/${deliveryId}/again`;
  expect(await sendDeliveries(test.ctx)).toEqual({ sent: 1, failed: 0 });
  expect((await test.call(person, { method: 'POST', url: again })).statusCode).toBe(200);
  expect(await sendDeliveries(test.ctx)).toEqual({ sent: 1, failed: 0 });
  await expect.poll(() => said, { timeout: WAIT_MS }).toBe(`webhook.test { endpointId: ${id} }\n`);

  const signed = (at: Date, signer: Webhook) => ({
    'webhook-id': eventId,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': signer.sign(eventId, at, body),
  });
  const [own, stranger] = [new Webhook(secret), new Webhook(Buffer.alloc(32, 1).toString('base64'))];
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
  expect(await post(body, signed(new Date(), own))).toBe(204);
  expect(await post(body, signed(new Date(), stranger))).toBe(401);
  expect(await post(body.replace('test', 'fest'), signed(new Date(), own))).toBe(401);
  expect(await post(body, signed(minutesAgo(10), own))).toBe(401);
  expect(
    await post(body, {
      ...signed(minutesAgo(10), own),
      'webhook-timestamp': signed(new Date(), own)['webhook-timestamp'],
    }),
  ).toBe(401);
});
