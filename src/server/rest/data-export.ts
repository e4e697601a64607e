import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { AppDeps } from '#server/trpc/context.ts';
import { callerFor } from './caller.ts';
import { floorOf, securityOf } from './openapi.ts';

/**
 * Serves the copy of the caller's data, part by part. A refusal of the first part is answered like any other; a failure
 * later breaks the connection.
 */
export function registerDataExport(app: FastifyInstance, deps: AppDeps): void {
  const schema = {
    summary: 'The finished copy of the caller’s data as a ZIP archive',
    operationId: 'dataExports.archive',
    tags: [floorOf('dataExports.part')],
    security: securityOf('dataExports.part'),
    response: {
      200: {
        description: 'Success',
        content: { 'application/zip': { schema: { type: 'string', format: 'binary' } } },
      },
    },
  };
  app.get('/api/data-export/archive.zip', { schema }, async (request, reply) => {
    // Whoever gave their second factor when the download began need not give it again before its end.
    const at = deps.clock();
    const caller = await callerFor({ ...deps, clock: () => at }, request, reply);
    const first = await caller.dataExports.part({ part: 0 });
    async function* bytes() {
      yield first.bytes;
      for (let part = 1; part < first.parts; part += 1) yield (await caller.dataExports.part({ part })).bytes;
    }
    reply.headers({
      'content-type': 'application/zip',
      'content-length': first.size,
      'content-disposition': 'attachment; filename="clipswap-data.zip"',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    return reply.send(Readable.from(bytes()));
  });
}
