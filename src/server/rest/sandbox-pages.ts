import { t } from '@lingui/core/macro';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { notFound } from '#server/core/errors.ts';
import { isThisMachine } from '#server/core/proxies.ts';

/** The headers of the sandbox's answers that the browser gets. */
const PASSED_HEADERS = [
  'cache-control',
  'content-security-policy',
  'content-type',
  'location',
  'referrer-policy',
  'x-frame-options',
];

/** A mail with files, in bytes. */
const MAIL_LIMIT = 25 * 1024 * 1024;

interface SandboxPage {
  readonly method: HTTPMethods[];
  /** Below `/sandbox`. */
  readonly path: string;
  /** Whether only a browser on this machine may open it. */
  readonly isForThisMachine?: boolean;
  readonly bodyLimit?: number;
}

/** What a browser reaches of the sandbox. */
const PAGES: readonly SandboxPage[] = [
  { method: ['GET', 'POST'], path: '' },
  { method: ['GET'], path: '/page.css' },
  // The links in mails open other people's accounts; pushes are read by their people alone.
  ...['/mail', '/mail/to/:address', '/mail/:id', '/mail/:id/body', '/push'].map(
    (path): SandboxPage => ({ method: ['GET'], path, isForThisMachine: true }),
  ),
  { method: ['GET', 'POST'], path: '/inbound', isForThisMachine: true, bodyLimit: MAIL_LIMIT },
  { method: ['POST'], path: '/push/browsers' },
  { method: ['GET', 'POST'], path: '/openid/authorize' },
  { method: ['GET'], path: '/stripe/browser/stripe.js' },
  { method: ['GET'], path: '/stripe/browser/payment_intents/:id' },
  { method: ['POST'], path: '/stripe/browser/payment_intents/:id/confirm' },
  { method: ['POST'], path: '/stripe/browser/payment_intents/:id/challenge' },
  { method: ['GET', 'POST'], path: '/stripe/browser/onboarding/:token' },
  { method: ['GET'], path: '/paypal/browser/sdk.js' },
  { method: ['GET'], path: '/paypal/browser/orders/:id' },
  { method: ['POST'], path: '/paypal/browser/orders/:id/approve' },
  { method: ['GET', 'POST'], path: '/paypal/browser/onboarding/:token' },
];

/** Passes the pages on to the sandbox, and none of its APIs. */
export function addSandboxPages(app: FastifyInstance, sandboxUrl: string): void {
  app.register(async (scope) => {
    // Bodies are passed on unchanged.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    for (const { method, path, isForThisMachine, bodyLimit } of PAGES) {
      scope.route({
        method,
        url: `/sandbox${path}`,
        ...(bodyLimit && { bodyLimit }),
        schema: { hide: true },
        onRequest: async (request) => {
          if (isForThisMachine && !isCalledHere(request)) throw notFound(t`Page not found`);
        },
        handler: (request, reply) => pass(request, reply, sandboxUrl),
      });
    }
  });
}

async function pass(request: FastifyRequest, reply: FastifyReply, sandboxUrl: string) {
  const body = Buffer.isBuffer(request.body) ? new Uint8Array(request.body) : null;
  const answer = await fetch(new URL(request.url, sandboxUrl), {
    method: request.method,
    redirect: 'manual',
    headers: { 'content-type': request.headers['content-type'] ?? 'application/octet-stream' },
    ...(request.method === 'POST' && { body }),
  });
  for (const name of PASSED_HEADERS) {
    const value = answer.headers.get(name);
    if (value !== null) reply.header(name, value);
  }
  return reply.status(answer.status).send(Buffer.from(await answer.arrayBuffer()));
}

/** Checks the address and also the host name: somebody else's name may be made to resolve to this machine. */
function isCalledHere({ ip, hostname }: FastifyRequest): boolean {
  return isThisMachine(ip) && (hostname === 'localhost' || hostname === '[::1]' || isThisMachine(hostname));
}
