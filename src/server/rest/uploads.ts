import multipart, { type MultipartFile } from '@fastify/multipart';
import { t } from '@lingui/core/macro';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { alternatives } from '#contract/base/locale.ts';
import { TEXTS } from '#contract/base/texts.ts';
import { couponTableSchema, readTableFileInputSchema } from '#contract/coupons/coupon-tables.ts';
import {
  type ImageKind,
  MAX_IMAGE_BYTES,
  uploadedImageSchema,
  uploadImageInputSchema,
} from '#contract/coupons/images.ts';
import type { PictureKind } from '#contract/people/pictures.ts';
import { AppError, fieldError } from '#server/core/errors.ts';
import type { AppDeps } from '#server/trpc/context.ts';
import { discardBody, watchBody } from './bodies.ts';
import { callReading, callReadingOnce } from './caller.ts';
import { answerOf, toJsonSchema } from './json-schemas.ts';
import { floorOf, KEY_HEADER, securityOf } from './openapi.ts';
import type { Shedding } from './shedding.ts';

/** The field names that a picture may have (decisions 2.10). */
const FIELDS = ['qrCodeImage', 'barcodeImage', 'image'];

/** Bytes that the form may add to the file: boundaries, headers and small fields. */
const FORM_BYTES = 64 * 1024;
const MEGABYTE = 1024 * 1024;

interface UploadCall {
  readonly path: `/api/${string}`;
  readonly procedure: 'images.upload' | 'pictures.upload' | 'claims.uploadPicture' | 'coupons.readTableFile';
  /** Says which kind of picture, where the procedure takes several. */
  readonly kind?: ImageKind | PictureKind;
  /** What the address says beside the file. */
  readonly takes?: keyof typeof STATED;
  /** The address of a picture, unless another schema says what it answers. */
  readonly answer?: z.ZodType;
  readonly summary: string;
}

const STATED = {
  page: uploadImageInputSchema.pick({ page: true }),
  dateOrder: readTableFileInputSchema.pick({ dateOrder: true }),
};

const ofCode = (kind: ImageKind, words: string): UploadCall => ({
  path: `/api/upload/${kind}`,
  procedure: 'images.upload',
  kind,
  takes: 'page',
  summary: `Uploads a picture of a ${words}, a PDF or a wallet pass (.pkpass) with it`,
});
const forEverybody = (kind: PictureKind, name: string, words: string): UploadCall => ({
  path: `/api/upload/${name}`,
  procedure: 'pictures.upload',
  kind,
  summary: `Uploads a public picture of ${words}; refused while a code can be read in it`,
});

/** The calls that take a file. */
export const UPLOAD_CALLS: readonly UploadCall[] = [
  ofCode('qrcode', 'QR code'),
  ofCode('barcode', 'barcode'),
  forEverybody('offer', 'picture', 'an offer'),
  {
    path: '/api/upload/evidence',
    procedure: 'claims.uploadPicture',
    summary: 'Uploads a private picture as evidence of a claim; codes in it are painted over',
  },
  forEverybody('profile', 'profile-picture', 'a person'),
  {
    path: '/api/upload/table',
    procedure: 'coupons.readTableFile',
    takes: 'dateOrder',
    answer: couponTableSchema,
    summary: 'Reads a table of coupons, a CSV file or a workbook (XLSX); stores nothing',
  },
];

/** Whether a call keeps what is uploaded, so that it must not be done twice by mistake. */
const storesFile = ({ procedure }: UploadCall) => procedure !== 'coupons.readTableFile';

/**
 * Takes pictures from forms, one per request, and answers with the address of the picture. Nothing is read of what
 * comes from somebody who may not upload. A file that is too large is refused while it comes in; the rest of it is
 * discarded.
 */
export async function registerUploads(
  app: FastifyInstance,
  deps: AppDeps,
  shedding: Shedding,
): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    await scope.register(multipart, {
      limits: { files: 1, fileSize: MAX_IMAGE_BYTES, fields: 8, fieldSize: 1_024, parts: 9, headerPairs: 16 },
    });
    for (const call of UPLOAD_CALLS) {
      const options = { schema: describeUpload(call), config: { takesFile: true } };
      scope.post(call.path, options, async (request, reply) => {
        const read = async () => {
          const bytes = await readFile(request, shedding);
          shedding.resume(request, true);
          return { ...(call.kind && { kind: call.kind }), bytes, ...statedIn(request, call.takes) };
        };
        try {
          const make = storesFile(call) ? callReadingOnce : callReading;
          return await reply.status(201).send(await make(deps, request, reply, call.procedure, read));
        } catch (error) {
          discardBody(request);
          throw error;
        }
      });
    }
  });
}

/** What the address says beside the file; the call itself refuses what it does not know. */
function statedIn({ query }: FastifyRequest, name: UploadCall['takes']): Record<string, unknown> {
  const value = name && (query as Readonly<Record<string, unknown>>)[name];
  if (name === undefined || value === undefined) return {};
  return { [name]: name === 'page' ? Number(value) : value };
}

/**
 * Reads the only file of a form.
 * @throws AppError bad_input, payload_too_large, unsupported_media_type, unavailable
 */
async function readFile(request: FastifyRequest, shedding: Shedding): Promise<Buffer> {
  shedding.receive(request, 0);
  if (!request.isMultipart()) {
    throw new AppError('unsupported_media_type', t`Please send the picture as multipart/form-data`);
  }
  const most = MAX_IMAGE_BYTES + FORM_BYTES;
  if (Number(request.headers['content-length']) > most) throw tooLarge('image');
  const tooMuch = watchBody(request.raw, (bytes) => {
    if (bytes > most) throw tooLarge('image');
    shedding.receive(request, bytes);
  });
  return Promise.race([readForm(request), tooMuch]);
}

async function readForm(request: FastifyRequest): Promise<Buffer> {
  let file: Buffer | null = null;
  let field = 'image';
  try {
    for await (const part of request.parts()) {
      if (part.type === 'field') {
        if (FIELDS.includes(part.fieldname)) {
          throw fieldError('bad_input', part.fieldname, t`${part.fieldname} must be a file`);
        }
        continue;
      }
      field = part.fieldname;
      if (!FIELDS.includes(field)) {
        const text = t`There is no field ${field}: the picture must be sent as ${alternatives(FIELDS)}`;
        throw fieldError('bad_input', field, text);
      }
      file = await collect(part);
    }
  } catch (error) {
    throw toAppError(error, field);
  }
  // Reads a file, and stops as soon as it is too large: `toBuffer` would read to the end first.
  if (!file?.length) throw fieldError('bad_input', field, TEXTS.validation.imageRequired());
  return file;
}

/** Every failure while a form is read is a mistake in the request. */
async function collect({ file, fieldname }: MultipartFile): Promise<Buffer> {
  if (file.truncated) throw tooLarge(fieldname);
  file.once('limit', () => file.destroy(tooLarge(fieldname)));
  return Buffer.concat(await file.toArray());
}

/** A form without a chosen file sends an empty one. */
function toAppError(error: unknown, field: string): AppError {
  if (error instanceof AppError) return error;
  switch (error instanceof Error && 'code' in error && error.code) {
    case 'FST_FILES_LIMIT':
      return fieldError('bad_input', field, t`Please send one picture at a time`);
    case 'FST_FIELDS_LIMIT':
    case 'FST_PARTS_LIMIT':
      return new AppError('bad_input', t`The form has too many fields`);
    default:
      return new AppError('bad_input', t`The form could not be read to its end`, { cause: error });
  }
}

function tooLarge(field: string): AppError {
  const megabytes = MAX_IMAGE_BYTES / MEGABYTE;
  return fieldError('payload_too_large', field, t`The file must have at most ${megabytes} MB.`);
}

function describeUpload(call: UploadCall) {
  const { summary, procedure, kind, takes, answer = uploadedImageSchema } = call;
  const file = { type: 'string', format: 'binary' };
  return {
    summary,
    operationId: kind ? `${procedure}.${kind}` : procedure,
    tags: [floorOf(procedure)],
    security: securityOf(procedure),
    consumes: ['multipart/form-data'],
    ...(storesFile(call) && { headers: KEY_HEADER }),
    ...(takes && { querystring: toJsonSchema(STATED[takes], 'input') }),
    body: {
      type: 'object',
      description: 'One of the three is enough',
      properties: Object.fromEntries(FIELDS.map((name) => [name, file])),
    },
    response: { 201: answerOf(toJsonSchema(answer, 'output')) },
  };
}
