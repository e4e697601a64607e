import { t } from '@lingui/core/macro';
import type { FastifyInstance } from 'fastify';
import { addDays } from '#server/core/clock.ts';
import { notFound } from '#server/core/errors.ts';
import type { AppDeps } from '#server/trpc/context.ts';

/** RFC 9116 recommends less than a year. */
const VALID_DAYS = 180;

/** Serves where to report a security hole (RFC 9116); 404 where no address for help is set. */
export function registerSecurityTxt(app: FastifyInstance, { config, clock }: AppDeps): void {
  const { publicUrl, supportEmail } = config;
  app.get('/.well-known/security.txt', { schema: { hide: true } }, (_request, reply) => {
    if (supportEmail === null) throw notFound(t`security.txt not found`);
    const lines = [
      `Contact: mailto:${supportEmail}`,
      `Expires: ${addDays(clock(), VALID_DAYS).toISOString()}`,
      `Canonical: ${publicUrl}/.well-known/security.txt`,
      'Preferred-Languages: en',
    ];
    return reply
      .header('cache-control', 'public, max-age=86400')
      .type('text/plain; charset=utf-8')
      .send(`${lines.join('\n')}\n`);
  });
}
