import { buffer } from 'node:stream/consumers';
import multipart, { type MultipartFile } from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import {
  type ImageKind,
  MAX_IMAGE_BYTES,
  type UploadedImage,
  uploadedImageSchema,
} from '#contract/images.ts';
import type { PictureKind } from '#contract/pictures.ts';
import { TEXTS } from '#contract/texts.ts';
import { AppError, fieldError } from '#server/core/errors.ts';
import { addressOf } from '#server/core/proxies.ts';
import { addressKey } from '#server/core/rate-limit.ts';
import type { AppDeps } from '#server/trpc/context.ts';
import { type Caller, callerFor } from './caller.ts';
import { REFUSALS } from './openapi.ts';

/** The field names that a picture may have (decisions 2.10). */
const FIELDS = ['qrCodeImage', 'barcodeImage', 'image'];

/** Bytes that the form may add to the file: boundaries, headers and small fields. */
const FORM_BYTES = 64 * 1024;

/**
 * Each upload is held in memory until its picture is read, so their number is limited: in this process, and
 * for each address.
 */
const MAX_UPLOADS = 8;
const MAX_UPLOADS_PER_ADDRESS = 4;
const RETRY_AFTER_SECONDS = 5;

interface UploadCall {
  readonly path: `/api/${string}`;
  readonly upload: (caller: Caller, bytes: Buffer) => Promise<UploadedImage>;
  readonly operationId: string;
  readonly summary: string;
}

const ofCode = (kind: ImageKind, words: string): UploadCall => ({
  path: `/api/upload/${kind}`,
  upload: (caller, bytes) => caller.images.upload({ kind, bytes }),
  operationId: `images.upload.${kind}`,
  summary: `Uploads a picture of a ${words}, a PDF or a wallet pass (.pkpass) with it`,
});
const forEverybody = (kind: PictureKind, name: string, words: string): UploadCall => ({
  path: `/api/upload/${name}`,
  upload: (caller, bytes) => caller.pictures.upload({ kind, bytes }),
  operationId: `pictures.upload.${kind}`,
  summary: `Uploads a public picture of ${words}; refused while a code can be read in it`,
});

/** The calls that take a file. */
export const UPLOAD_CALLS: readonly UploadCall[] = [
  ofCode('qrcode', 'QR code'),
  ofCode('barcode', 'barcode'),
  forEverybody('offer', 'picture', 'an offer'),
  {
    path: '/api/upload/evidence',
    upload: (caller, bytes) => caller.claims.uploadPicture({ bytes }),
    operationId: 'claims.uploadPicture',
    summary: 'Uploads a private picture as evidence of a claim; codes in it are painted over',
  },
  forEverybody('profile', 'profile-picture', 'a person'),
];

/**
 * Takes pictures from forms, one per request, and answers with the address of the picture. A file
 * that is too large is refused while it comes in; the rest of it is discarded.
 */
export async function registerUploads(app: FastifyInstance, deps: AppDeps): Promise<void> {
  const slots = createUploadSlots();
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    await scope.register(multipart, {
      limits: { files: 1, fileSize: MAX_IMAGE_BYTES, fields: 8, fieldSize: 1_024, parts: 9, headerPairs: 16 },
    });
    for (const call of UPLOAD_CALLS) {
      scope.post(call.path, { schema: describeUpload(call) }, async (request, reply) => {
        const release = slots.acquire(addressKey(addressOf(request)));
        try {
          const bytes = await readFile(request);
          const caller = await callerFor(deps, request, reply);
          return await reply.status(201).send(await call.upload(caller, bytes));
        } finally {
          release();
        }
      });
    }
  });
}

/**
 * Reads the only file of a form.
 * @throws AppError bad_input, payload_too_large, unsupported_media_type
 */
async function readFile(request: FastifyRequest): Promise<Buffer> {
  try {
    if (!request.isMultipart()) {
      throw new AppError('unsupported_media_type', 'Please send the picture as multipart/form-data');
    }
    if (Number(request.headers['content-length']) > MAX_IMAGE_BYTES + FORM_BYTES) throw tooLarge('image');
    return await readForm(request);
  } catch (error) {
    // Discard the rest of the body; otherwise the answer would wait behind it.
    request.raw.unpipe();
    request.raw.resume();
    throw error;
  }
}

async function readForm(request: FastifyRequest): Promise<Buffer> {
  let file: Buffer | null = null;
  let field = 'image';
  try {
    for await (const part of request.parts()) {
      if (part.type === 'field') {
        if (FIELDS.includes(part.fieldname)) {
          throw fieldError('bad_input', part.fieldname, `${part.fieldname} must be a file`);
        }
        continue;
      }
      field = part.fieldname;
      if (!FIELDS.includes(field)) {
        const text = `There is no field ${field}: the picture must be sent as ${FIELDS.join(' or ')}`;
        throw fieldError('bad_input', field, text);
      }
      file = await collect(part);
    }
  } catch (error) {
    throw toAppError(error, field);
  }
  // Reads a file, and stops as soon as it is too large: `toBuffer` would read to the end first.
  if (!file?.length) throw fieldError('bad_input', field, TEXTS.validation.imageRequired);
  return file;
}

/** Every failure while a form is read is a mistake in the request. */
async function collect({ file, fieldname }: MultipartFile): Promise<Buffer> {
  if (file.truncated) throw tooLarge(fieldname);
  file.once('limit', () => file.destroy(tooLarge(fieldname)));
  return buffer(file);
}

/** A form without a chosen file sends an empty one. */
function toAppError(error: unknown, field: string): AppError {
  if (error instanceof AppError) return error;
  switch (error instanceof Error && 'code' in error && error.code) {
    case 'FST_FILES_LIMIT':
      return fieldError('bad_input', field, 'Please send one picture at a time');
    case 'FST_FIELDS_LIMIT':
    case 'FST_PARTS_LIMIT':
      return new AppError('bad_input', 'The form has too many fields');
    default:
      return new AppError('bad_input', 'The form could not be read to its end', { cause: error });
  }
}

function tooLarge(field: string): AppError {
  const megabytes = MAX_IMAGE_BYTES / 1_048_576;
  return fieldError('payload_too_large', field, `The picture must have at most ${megabytes} MB.`);
}

/** Counts the uploads in progress in this process, so that their memory is bounded. */
function createUploadSlots() {
  let taken = 0;
  const byAddress = new Map<string, number>();
  return {
    /**
     * Takes a slot and returns the function that releases it.
     * @throws AppError rate_limited, unavailable
     */
    acquire(address: string): () => void {
      const own = byAddress.get(address) ?? 0;
      const retry = { retryAfter: RETRY_AFTER_SECONDS };
      if (own >= MAX_UPLOADS_PER_ADDRESS) {
        throw new AppError('rate_limited', 'Too many uploads at once. Please wait for the others.', retry);
      }
      if (taken >= MAX_UPLOADS) {
        throw new AppError('unavailable', 'Too many people upload right now. Please try again.', retry);
      }
      taken += 1;
      byAddress.set(address, own + 1);
      return () => {
        taken -= 1;
        const left = (byAddress.get(address) ?? 1) - 1;
        if (left > 0) byAddress.set(address, left);
        else byAddress.delete(address);
      };
    },
  };
}

function describeUpload({ summary, operationId }: UploadCall) {
  const file = { type: 'string', format: 'binary', description: 'One of the three is enough' };
  return {
    summary,
    operationId,
    tags: [operationId.split('.')[0] ?? ''],
    consumes: ['multipart/form-data'],
    body: { type: 'object', properties: Object.fromEntries(FIELDS.map((name) => [name, file])) },
    response: { 201: { description: 'Success', ...z.toJSONSchema(uploadedImageSchema) }, ...REFUSALS },
  };
}
