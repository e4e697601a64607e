import multipart from '@fastify/multipart';
import { t } from '@lingui/core/macro';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError, notFound } from '#server/core/errors.ts';
import { addressOf } from '#server/core/proxies.ts';
import { createShares } from '#server/core/shares.ts';
import type { AppDeps } from '#server/trpc/context.ts';
import { callerWithoutSession } from './caller.ts';
import type { Shedding } from './shedding.ts';

/** The largest mail, in bytes. Files are a third larger in a mail than on a disk. */
const MAIL_BYTES_MAX = 20 * 1024 * 1024;
/** Postmark sends the files besides the mail, too. */
const BODY_BYTES_MAX = 2 * MAIL_BYTES_MAX;
/** More than any provider sends. */
const FIELDS_MAX = 60;

/** Each is held in memory; one provider has few addresses, of which each may deliver a quarter of these at a time. */
const AT_ONCE = 8;
const RETRY_AFTER_SECONDS = 30;

/**
 * Takes the mails that the operator's provider delivers. Mailgun sends whole mails only to an address that ends in "mime".
 */
export async function registerInboundMail(
  app: FastifyInstance,
  deps: AppDeps,
  shedding: Shedding,
): Promise<void> {
  const shares = createShares(AT_ONCE);
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    await scope.register(multipart, {
      limits: { fieldSize: MAIL_BYTES_MAX, fields: FIELDS_MAX, files: 0 },
    });
    // The body is read once there is room for it.
    scope.addContentTypeParser('*', (_request, _body, done) => done(null));
    for (const path of ['/api/inbound-mail/:provider', '/api/inbound-mail/:provider/mime']) {
      scope.post<{ Params: { provider: string } }>(
        path,
        { schema: { hide: true }, config: { isFromAnywhere: true } },
        async (request, reply) => {
          const { provider } = request.params;
          if (deps.providers.inboundMail?.provider !== provider) throw notFound(t`Mail provider not found`);
          const ip = addressOf(request);
          if (!shares.take(ip))
            throw new AppError('unavailable', t`Too many mails at a time`, {
              retryAfter: RETRY_AFTER_SECONDS,
            });
          try {
            shedding.leave(request);
            const fields = await fieldsOf(request);
            shedding.enter(request);
            shedding.check(request);
            const caller = await callerWithoutSession(deps, request, reply);
            const { authorization } = request.headers;
            return await caller.drafts.receiveMail({
              provider,
              authorization,
              fields,
            });
          } catch (error) {
            // Otherwise the answer would wait behind the rest of the body.
            request.raw.unpipe();
            request.raw.resume();
            throw error;
          } finally {
            shares.leave(ip);
          }
        },
      );
    }
  });
}

const tooLarge = () => new AppError('payload_too_large', t`This mail is too large`);

/** The fields of a form or of JSON. @throws AppError payload_too_large, bad_input */
async function fieldsOf(request: FastifyRequest): Promise<Record<string, unknown>> {
  if (Number(request.headers['content-length']) > BODY_BYTES_MAX) throw tooLarge();
  try {
    if (request.isMultipart()) return await fieldsOfForm(request);
    const text = await textOf(request);
    const isJson = /^application\/json\b/i.test(request.headers['content-type'] ?? '');
    return isJson ? Object(JSON.parse(text)) : Object.fromEntries(new URLSearchParams(text));
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('bad_input', t`The mail could not be read to its end`, { cause: error });
  }
}

async function fieldsOfForm(request: FastifyRequest): Promise<Record<string, unknown>> {
  const fields: Record<string, unknown> = {};
  let size = 0;
  for await (const part of request.parts()) {
    if (part.type === 'file') continue;
    const { fieldname, value } = part;
    size += String(value).length;
    if (part.valueTruncated || size > BODY_BYTES_MAX) throw tooLarge();
    fields[fieldname] = value;
  }
  return fields;
}

async function textOf({ raw }: FastifyRequest): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of raw as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BODY_BYTES_MAX) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
