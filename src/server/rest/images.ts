import { t } from '@lingui/core/macro';
import type { FastifyInstance } from 'fastify';
import { pictureFileInputSchema } from '#contract/people/pictures.ts';
import { notFound } from '#server/core/errors.ts';
import type { AppDeps } from '#server/trpc/context.ts';
import { type Caller, callerFor, callerWithoutSession, RECORDING } from './caller.ts';
import { isKnown } from './etags.ts';
import { floorOf, securityOf } from './openapi.ts';

interface ImageCall {
  readonly path: `/api/${string}`;
  readonly read: (caller: Caller, id: string) => ReturnType<Caller['images']['read']>;
  readonly operationId: string;
  readonly summary: string;
  /** Whether no cache may keep it, not even the browser's, because permissions change. */
  readonly isNeverKept?: true;
}

/** NaN for anything else, which the procedure refuses. */
const numberOf = (text: string) => (/^\d+$/.test(text) ? Number(text) : Number.NaN);

/** The calls that answer with a picture. */
export const IMAGE_CALLS: readonly ImageCall[] = [
  {
    path: '/api/images/:id',
    read: (caller, id) => caller.images.read({ id }),
    operationId: 'images.read',
    summary: 'A picture that the caller has uploaded and no coupon uses yet',
  },
  {
    path: '/api/evidence/:id',
    read: (caller, id) => caller.claims.picture({ id }),
    operationId: 'claims.picture',
    summary:
      'A picture of a claim, for its parties and moderators, or one that the caller has uploaded for a claim',
    isNeverKept: true,
  },
  ...(['qrcode', 'barcode'] as const).map(
    (kind): ImageCall => ({
      path: `/api/coupons/:id/${kind}`,
      read: (caller, id) => caller.coupons.codeImage({ id: numberOf(id), kind }),
      operationId: `coupons.codeImage.${kind}`,
      summary: `The code of the caller’s own coupon as a ${kind === 'qrcode' ? 'QR code' : 'barcode'}; records the view`,
    }),
  ),
];

/** For bytes that never change at their address. */
const KEPT_FOR_EVER = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};

const PICTURE: Pick<ImageCall, 'operationId' | 'summary'> = {
  operationId: 'pictures.read',
  summary: 'A public picture in one width and format, `480.webp` for example; it never changes',
};

/** Serves public pictures. Their bytes never change, so that browsers and caches keep them. */
export function registerPictures(app: FastifyInstance, deps: AppDeps): void {
  const params = { id: { type: 'string' }, file: { type: 'string' } };
  const { description, content } = describeImage(PICTURE).response[200];
  const schema = {
    ...describeImage(PICTURE),
    params: { type: 'object', properties: params, required: ['id', 'file'] },
    response: {
      200: { description, content: { ...content, 'image/avif': content['image/webp'] } },
    },
  };
  app.get<{ Params: { id: string; file: string } }>(
    '/api/pictures/:id/:file',
    { schema },
    async (request, reply) => {
      const { id, file } = request.params;
      const [width = '', format = ''] = file.split('.');
      const caller = await callerWithoutSession(deps, request, reply);
      const input = pictureFileInputSchema.safeParse({ id, width: numberOf(width), format });
      if (!input.success) throw notFound(t`Picture not found`);
      const { bytes, contentType } = await caller.pictures.read(input.data);
      return reply.headers(KEPT_FOR_EVER).type(contentType).send(bytes);
    },
  );
}

/**
 * Serves the drawn tickets for link previews. An address names one state of a coupon: another one leads to the ticket
 * of today.
 */
export function registerCards(app: FastifyInstance, deps: AppDeps): void {
  const { response, ...schema } = describeImage({
    operationId: 'seo.card',
    summary: 'The drawn ticket of a coupon or of the site, for link previews',
  });
  app.get<{ Params: { file: string } }>(
    '/api/cards/:file',
    {
      schema: {
        ...schema,
        params: { type: 'object', properties: { file: { type: 'string' } }, required: ['file'] },
        response: {
          200: response[200],
          302: { description: 'To the ticket of today', type: 'null' },
        },
      },
    },
    async (request, reply) => {
      const caller = await callerWithoutSession(deps, request, reply);
      const { path, bytes } = await caller.seo.card(request.params);
      if (bytes === null) return reply.header('cache-control', 'no-cache').redirect(path, 302);
      return reply.headers(KEPT_FOR_EVER).type('image/png').send(bytes);
    },
  );
}

/** Serves private pictures. The procedure decides who may see one; pages of other sites cannot embed it. */
export function registerImages(app: FastifyInstance, deps: AppDeps): void {
  for (const call of IMAGE_CALLS) {
    app.get<{ Params: { id: string } }>(
      call.path,
      { schema: describeImage(call), config: { changesState: RECORDING.has(procedureOf(call)) } },
      async (request, reply) => {
        const caller = await callerFor(deps, request, reply);
        const { bytes, contentType, etag } = await call.read(caller, request.params.id);
        reply.headers({
          etag,
          // The browser may keep the others, but must ask each time whether it is still allowed to show them.
          'cache-control': call.isNeverKept ? 'private, no-store' : 'private, no-cache',
          vary: 'cookie, authorization',
          'content-disposition': 'inline',
          'x-content-type-options': 'nosniff',
          'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        });
        if (isKnown(request.headers['if-none-match'], etag)) return reply.status(304).send();
        return reply.type(contentType).send(bytes);
      },
    );
  }
}

/** 'coupons.codeImage.qrcode' is a kind of 'coupons.codeImage'. */
function procedureOf({ operationId }: Pick<ImageCall, 'operationId'>): string {
  return operationId.split('.', 2).join('.');
}

function describeImage({ operationId, summary }: Pick<ImageCall, 'operationId' | 'summary'>) {
  const file = { schema: { type: 'string', format: 'binary' } };
  return {
    summary,
    operationId,
    tags: [floorOf(operationId)],
    security: securityOf(procedureOf({ operationId })),
    params: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
    response: {
      200: {
        description: 'Success',
        content: { 'image/webp': file, 'image/png': file, 'image/svg+xml': file },
      },
      304: { description: 'The caller has it already: If-None-Match names its ETag', type: 'null' },
    },
  };
}
