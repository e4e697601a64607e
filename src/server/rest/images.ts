import type { FastifyInstance } from 'fastify';
import type { AppDeps } from '#server/trpc/context.ts';
import { type Caller, callerFor } from './caller.ts';
import { REFUSALS } from './openapi.ts';

interface ImageCall {
  readonly path: `/api/${string}`;
  readonly read: (caller: Caller, id: string) => ReturnType<Caller['images']['read']>;
  readonly operationId: string;
  readonly summary: string;
}

/** NaN for anything else, which the procedure refuses. */
const numberOf = (text: string) => (/^\d{1,16}$/.test(text) ? Number(text) : Number.NaN);

/** The calls that answer with a picture. */
export const IMAGE_CALLS: readonly ImageCall[] = [
  {
    path: '/api/images/:id',
    read: (caller, id) => caller.images.read({ id }),
    operationId: 'images.read',
    summary: 'A picture that the caller has uploaded and no coupon uses yet',
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

/** Serves pictures of codes. The procedure decides who may see one; pages of other sites cannot embed it. */
export function registerImages(app: FastifyInstance, deps: AppDeps): void {
  for (const call of IMAGE_CALLS) {
    app.get<{ Params: { id: string } }>(
      call.path,
      { schema: describeImage(call) },
      async (request, reply) => {
        const caller = await callerFor(deps, request, reply);
        const { bytes, contentType, etag } = await call.read(caller, request.params.id);
        reply.headers({
          etag,
          // The browser may keep it, but must ask each time whether it is still allowed to show it.
          'cache-control': 'private, no-cache',
          vary: 'cookie',
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

/** Whether the browser already has the picture. A cache on the way may have weakened the tag. */
function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const known = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return known.includes('*') || known.includes(etag);
}

function describeImage({ operationId, summary }: ImageCall) {
  const file = { schema: { type: 'string', format: 'binary' } };
  return {
    summary,
    operationId,
    tags: [operationId.split('.')[0] ?? ''],
    params: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
    response: {
      200: {
        description: 'Success',
        content: { 'image/webp': file, 'image/png': file, 'image/svg+xml': file },
      },
      304: { description: 'The caller has it already: If-None-Match names its ETag', type: 'null' },
      ...REFUSALS,
    },
  };
}
