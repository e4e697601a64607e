import { createECDH, randomBytes, randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { escapeHtml } from '#contract/base/escape-html.ts';
import { pageHtml } from '#sandbox/page.ts';
import { Refusal } from '#sandbox/server.ts';
import { openCollection, type SandboxStore } from '#sandbox/store.ts';
import { pushBrowserSchema, type ReceivedPush, receive } from './receiving.ts';

interface Options {
  readonly store: SandboxStore;
  /** http://127.0.0.1:PORT of the sandbox. */
  readonly url: () => string;
}

/** What a test does with the push service. */
export interface PushSandbox {
  /** Subscribes a browser that is stood in for. @param applicationServerKey the only sender whose pushes it takes */
  subscribe(applicationServerKey: string): Promise<SandboxSubscription>;
  /** The browser takes no more pushes. */
  unsubscribe(endpoint: string): Promise<void>;
  /** What came, the oldest first. */
  received(): Promise<(ReceivedPush & { readonly endpoint: string })[]>;
}

/** As a browser's `PushSubscription` says it. */
interface SandboxSubscription {
  readonly endpoint: string;
  readonly keys: { readonly p256dh: string; readonly auth: string };
}

type KeptPush = ReceivedPush & { readonly endpoint: string; readonly receivedAt: string };

const KIND = 'push';
const KEPT_COUNT = 200;
const POLICY =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * A push service of browsers that are stood in for: it knows their private keys, checks and decrypts what comes, and shows
 * it on a page for developers.
 */
export function addPush(app: FastifyInstance, { store, url }: Options): PushSandbox {
  const unknown = () => new Refusal('No such browser', { status: 404, body: { reason: 'No such browser' } });
  const browsers = openCollection(store, 'push_browser', pushBrowserSchema, unknown);
  const list = async () => (await store.list(KIND)) as KeptPush[];
  const endpointOf = (id: string) => `${url()}/push/${id}`;

  const subscribe: PushSandbox['subscribe'] = async (applicationServerKey) => {
    const keys = createECDH('prime256v1');
    keys.generateKeys();
    const { id, auth } = await browsers.put({
      id: randomUUID(),
      privateKey: keys.getPrivateKey('base64url'),
      auth: randomBytes(16).toString('base64url'),
      applicationServerKey,
      isGone: false,
    });
    return { endpoint: endpointOf(id), keys: { p256dh: keys.getPublicKey('base64url'), auth } };
  };

  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    scope.post('/push/:id', async ({ params, headers, body }, reply) => {
      const { id } = params as { id: string };
      const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
      const push = await receive(await browsers.find(id), { headers, body: bytes, origin: url() });
      const kept: KeptPush = { ...push, endpoint: endpointOf(id), receivedAt: new Date().toISOString() };
      await store.put(KIND, randomUUID(), kept);
      await store.trim(KIND, KEPT_COUNT);
      return reply.status(201).send();
    });
    // In place of a browser's own push service: tests subscribe their browsers here.
    scope.post('/sandbox/push/browsers', async ({ body }) => {
      const { applicationServerKey } = z
        .object({ applicationServerKey: z.string() })
        .parse(JSON.parse(String(body)));
      return subscribe(applicationServerKey);
    });
  });
  app.get('/sandbox/push', async (_request, reply) => sendPage(reply, (await list()).reverse()));

  return {
    subscribe,
    async unsubscribe(endpoint) {
      const browser = await browsers.find(endpoint.split('/').at(-1) ?? '');
      await browsers.put({ ...browser, isGone: true });
    },
    received: list,
  };
}

function sendPage(reply: FastifyReply, pushes: readonly KeptPush[]): FastifyReply {
  const items = pushes.map(
    ({ title, body, path, ttl, urgency, receivedAt }) => `<li>
<a href="${escapeHtml(path)}">${escapeHtml(title)}</a>
<p>${escapeHtml(body)}</p>
<p>${escapeHtml(receivedAt.slice(0, 19).replace('T', ' '))} UTC · urgency ${escapeHtml(urgency)} · kept for ${ttl} s</p>
</li>`,
  );
  return reply
    .type('text/html; charset=utf-8')
    .header('content-security-policy', POLICY)
    .header('cache-control', 'no-store')
    .send(
      pageHtml({
        theme: 'outbox',
        title: 'Push notifications – sandbox',
        header: '<p class="brand">ClipSwap <span>sandbox</span></p><p><a href="/">Back to ClipSwap</a></p>',
        notice:
          '<strong>No browser has shown these.</strong> They went to browsers of tests. Your own browser gets its pushes by its own push service.',
        content: `<h1>Push notifications</h1>
${items.length > 0 ? `<ul class="mails">\n${items.join('\n')}\n</ul>` : '<p class="empty">No push notifications yet.</p>'}`,
      }),
    );
}
