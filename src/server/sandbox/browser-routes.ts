import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { notFound } from '#server/core/errors.ts';
import type { PaypalSandbox } from './paypal/server.ts';
import type { StripeSandbox } from './stripe/server.ts';

/** What a sandbox answers that a browser should see. */
const PASSED_HEADERS = ['content-type', 'location', 'content-security-policy', 'cache-control'];

/** Lets the browser reach the payment sandboxes' scripts and pages through our own address, and nothing else of them. */
export async function addBrowserRoutes(
  app: FastifyInstance,
  sandboxes: { readonly stripe: StripeSandbox | null; readonly paypal: PaypalSandbox | null },
): Promise<void> {
  await app.register(async (scope) => {
    // Whatever comes is passed on as it is.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    for (const provider of ['stripe', 'paypal'] as const) {
      const target = sandboxes[provider]?.url;
      if (target === undefined) continue;
      scope.route({
        method: ['GET', 'POST'],
        url: `/sandbox/${provider}/browser/*`,
        schema: { hide: true },
        handler: (request, reply) => pass(request, reply, target, `/sandbox/${provider}`),
      });
    }
  });
}

async function pass(request: FastifyRequest, reply: FastifyReply, target: string, prefix: string) {
  const url = new URL(request.url.slice(prefix.length), target);
  // A path with '..' in it must not lead to the provider's API.
  if (!url.pathname.startsWith('/browser/') || url.origin !== target) throw notFound('Page');
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
