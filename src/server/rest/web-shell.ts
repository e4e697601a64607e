import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { PaymentClient } from '#contract/payments.ts';
import { AppError } from '#server/core/errors.ts';
import { contentSecurityPolicy } from './csp.ts';

const NONCE_PLACEHOLDER = /__CSP_NONCE__/g;

/**
 * Serves the built web application: its hashed files for ever, and for every other address the one HTML shell,
 * with a fresh nonce for its styles and its one inline script. Without a build only the API is there.
 */
export async function registerWebShell(
  app: FastifyInstance,
  webRoot: string,
  payments: PaymentClient,
): Promise<void> {
  const shellFile = path.join(webRoot, 'index.html');
  const shell = existsSync(shellFile) ? readFileSync(shellFile, 'utf8') : null;

  if (shell) {
    await app.register(fastifyStatic, {
      root: webRoot,
      index: false,
      wildcard: false,
      setHeaders: (reply, file) => {
        const isHashed = path.relative(webRoot, file).startsWith(`assets${path.sep}`);
        reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
      },
    });
  }

  function sendShell(html: string, reply: FastifyReply) {
    const nonce = randomBytes(16).toString('base64');
    return reply
      .header('content-security-policy', contentSecurityPolicy(payments, nonce))
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(html.replace(NONCE_PLACEHOLDER, nonce));
  }

  app.setNotFoundHandler((request, reply) => {
    const wantsPage = request.method === 'GET' || request.method === 'HEAD';
    const isFile = path.extname(new URL(request.url, 'http://here').pathname) !== '';
    if (!wantsPage || !shell || isFile || request.url.startsWith('/api')) {
      throw new AppError('not_found', `There is nothing at ${request.method} ${request.url.split('?')[0]}`);
    }
    return sendShell(shell, reply);
  });
}
