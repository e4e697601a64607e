import multipart from '@fastify/multipart';
import { t } from '@lingui/core/macro';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ReceiveMailInput } from '#contract/coupons/drafts.ts';
import { AppError } from '#server/core/errors.ts';
import type { AppDeps } from '#server/trpc/context.ts';
import { discardBody, textOfBody, watchBody } from './bodies.ts';
import { callerWithoutSession } from './caller.ts';
import type { Shedding } from './shedding.ts';

/** The largest mail, in bytes. Files are a third larger in a mail than on a disk. */
const MAIL_BYTES_MAX = 20 * 1024 * 1024;
/** Postmark sends the files besides the mail, too. */
const BODY_BYTES_MAX = 2 * MAIL_BYTES_MAX;
/** More than any provider sends. */
const FIELDS_MAX = 60;
/** What is read of a form before the fields that prove it have come. */
const UNPROVED_BYTES_MAX = 256 * 1024;

/**
 * Takes the mails that the operator's provider delivers. Mailgun sends whole mails only to an address that ends in "mime".
 */
export async function registerInboundMail(
  app: FastifyInstance,
  deps: AppDeps,
  shedding: Shedding,
): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    await scope.register(multipart, {
      limits: { fieldSize: MAIL_BYTES_MAX, fields: FIELDS_MAX, fileSize: MAIL_BYTES_MAX, files: 1 },
    });
    // The body is read once there is room for it.
    scope.addContentTypeParser('*', (_request, _body, done) => done(null));
    for (const path of ['/api/inbound-mail/:provider', '/api/inbound-mail/:provider/mime']) {
      scope.post<{ Params: { provider: string } }>(
        path,
        { schema: { hide: true }, config: { isFromAnywhere: true } },
        async (request, reply) => {
          const { provider } = request.params;
          try {
            const caller = await callerWithoutSession(deps, request, reply);
            return await caller.drafts.receiveMail({
              provider,
              authorization: request.headers.authorization,
              async read(reading) {
                const fields = await fieldsOf(request, reading, shedding);
                shedding.resume(request);
                return fields;
              },
            });
          } catch (error) {
            discardBody(request);
            throw error;
          }
        },
      );
    }
  });
}

const tooLarge = () => new AppError('payload_too_large', t`This mail is too large`);

type Reading = Parameters<ReceiveMailInput['read']>[0];
type Fields = Record<string, unknown>;

/**
 * The fields of a form or of JSON.
 * @throws AppError payload_too_large, unsupported_media_type, bad_input, unavailable, and what `prove` throws
 */
async function fieldsOf(request: FastifyRequest, reading: Reading, shedding: Shedding): Promise<Fields> {
  const receive = (bytes: number) => shedding.receive(request, bytes);
  receive(0);
  const isForm = request.isMultipart();
  const isJson = /^application\/json\b/i.test(request.headers['content-type'] ?? '');
  if (reading.body === 'form' ? !isForm : !isJson)
    throw new AppError('unsupported_media_type', t`This provider sends another type of body`);
  if (Number(request.headers['content-length']) > BODY_BYTES_MAX) throw tooLarge();
  try {
    if (isForm) return await fieldsOfForm(request, reading, receive);
    return Object(JSON.parse(await textOfBody(request, BODY_BYTES_MAX, receive)));
  } catch (error) {
    if (error instanceof AppError) throw error;
    if (Object(error).code === 'FST_REQ_FILE_TOO_LARGE') throw tooLarge();
    throw new AppError('bad_input', t`The mail could not be read to its end`, { cause: error });
  }
}

async function fieldsOfForm(
  request: FastifyRequest,
  { mailField, proofFields, prove }: Reading,
  receive: (bytes: number) => void,
): Promise<Fields> {
  const fields: Fields = {};
  const hasProof = () => proofFields.every((name) => Object.hasOwn(fields, name));
  const most = () => (hasProof() ? BODY_BYTES_MAX : UNPROVED_BYTES_MAX);
  const tooMuch = watchBody(request.raw, (bytes) => {
    if (bytes > most()) throw tooLarge();
    receive(bytes);
  });
  let isProved = proofFields.length === 0;
  const proving = async () => {
    isProved = true;
    await prove(fields);
  };
  const reading = async () => {
    // A field of text is decoded as UTF-8, which would spoil a mail in another charset.
    for await (const part of request.parts({ isPartAFile: (name) => name === mailField })) {
      if (part.type === 'file') fields[part.fieldname] = await part.toBuffer();
      else if (part.valueTruncated) throw tooLarge();
      else fields[part.fieldname] = part.value;
      if (!isProved && hasProof()) await proving();
    }
  };
  try {
    await Promise.race([reading(), tooMuch]);
  } finally {
    // What does not come is no proof.
    if (!isProved) await proving();
  }
  return fields;
}
