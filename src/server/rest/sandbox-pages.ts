import { t } from '@lingui/core/macro';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
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
const BODY_LIMIT = 25 * 1024 * 1024;

/** Passes /sandbox on to the sandbox, of which a browser reaches the pages and scripts, but not the APIs. */
export function addSandboxPages(app: FastifyInstance, sandboxUrl: string): void {
  app.register(async (scope) => {
    // Bodies are passed on unchanged.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    for (const url of ['/sandbox', '/sandbox/*']) {
      scope.route({
        method: ['GET', 'POST'],
        url,
        bodyLimit: BODY_LIMIT,
        schema: { hide: true },
        handler: (request, reply) => pass(request, reply, sandboxUrl),
      });
    }
  });
}

async function pass(request: FastifyRequest, reply: FastifyReply, sandboxUrl: string) {
  const url = new URL(request.url, sandboxUrl);
  // A path with '..' in it must not lead to an API.
  if (url.origin !== sandboxUrl || !/^\/sandbox(\/|$)/.test(url.pathname)) throw notFound(t`Page not found`);
  // The links in mails open other people's accounts.
  if (/^\/sandbox\/+mail/.test(url.pathname) && !isCalledHere(request)) throw notFound(t`Page not found`);
  const body = Buffer.isBuffer(request.body) ? new Uint8Array(request.body) : null;
  const answer = await fetch(url, {
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
