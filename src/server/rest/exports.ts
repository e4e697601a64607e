import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify';
import type { FastifyInstance } from 'fastify';
import type { FeeRows } from '#contract/payments.ts';
import type { PageRef } from '#contract/primitives.ts';
import type { AppDeps } from '#server/trpc/context.ts';
import { type Caller, callerFor } from './caller.ts';
import { REFUSALS } from './openapi.ts';

type FeeRowsInput = Parameters<Caller['admin']['feeRows']>[0];

const FEES_PATH = '/api/admin/platform-fees.csv';

const COLUMNS = {
  id: 'id',
  createdAt: 'date',
  couponTitle: 'coupon',
  buyerUsername: 'buyer',
  sellerUsername: 'seller',
  amount: 'amount (CAD)',
  fee: 'fee (CAD)',
  status: 'status',
} satisfies Record<keyof FeeRows['items'][number], string>;

/**
 * Streams exports by calling the procedure page by page, so that a million rows take no more memory than a
 * thousand. The procedure checks the permissions. A refusal of the first page is answered like any other; a
 * failure later breaks the connection, so that nobody mistakes a part for the whole.
 */
export function registerExports(app: FastifyInstance, deps: AppDeps): void {
  app.get<{ Querystring: { period?: string } }>(
    FEES_PATH,
    { schema: describeExport() },
    async (request, reply) => {
      const caller = await callerFor(deps, request, reply);
      const { period } = request.query;
      const read = (page: PageRef): Promise<FeeRows> =>
        caller.admin.feeRows({
          ...(period !== undefined && { period }),
          page,
        } as FeeRowsInput);
      const first = await read(1);
      async function* rows() {
        for (let page = first; ; page = await read(page.nextCursor)) {
          yield* page.items;
          if (page.nextCursor === null) return;
        }
      }
      const table = stringify({
        header: true,
        columns: COLUMNS,
        record_delimiter: 'windows',
        // People choose titles and names freely: a spreadsheet must not run one as a formula.
        escape_formulas: true,
      });
      const source = Readable.from(rows());
      source.on('error', (error) => table.destroy(error));
      table.on('close', () => source.destroy());
      reply.headers({
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': 'attachment; filename="platform-fees.csv"',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      });
      return reply.send(source.pipe(table));
    },
  );
}

function describeExport() {
  return {
    summary: 'The fee of each sale as a table for spreadsheets, for admins',
    operationId: 'admin.platformFeesCsv',
    tags: ['admin'],
    querystring: {
      type: 'object',
      properties: { period: { type: 'string', enum: ['day', 'week', 'month', 'year', 'all'] } },
    },
    response: {
      200: { description: 'Success', content: { 'text/csv': { schema: { type: 'string' } } } },
      ...REFUSALS,
    },
  };
}
