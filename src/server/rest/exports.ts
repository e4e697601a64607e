import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { PageRef } from '#contract/base/primitives.ts';
import type { AppDeps } from '#server/trpc/context.ts';
import { callerFor } from './caller.ts';
import * as tables from './export-tables.ts';
import { floorOf, securityOf } from './openapi.ts';

/** Registers the exports of tables for spreadsheets. */
export function registerExports(app: FastifyInstance, deps: AppDeps): void {
  registerExport(app, deps, tables.FEES);
  registerExport(app, deps, tables.JOURNALS);
  registerExport(app, deps, tables.STATEMENT);
  registerExport(app, deps, tables.USERS);
  registerExport(app, deps, tables.REPORTS);
  registerExport(app, deps, tables.AUDIT);
  registerExport(app, deps, tables.DENIED_REQUESTS);
  registerExport(app, deps, tables.FEE_LOGS);
  registerExport(app, deps, tables.DEBTS);
}

/**
 * Streams an export by calling its procedure page by page, so that a million rows take no more memory than a
 * thousand. Each page is a statement of its own, so no snapshot is held for minutes: a row stands in the table once, as it is when
 * its page is read; one whose key changes meanwhile, as the number of reports on a person does, may be missed or come twice.
 * The procedure checks the input and the permissions. A refusal of the first page is answered like any other; a
 * failure later breaks the connection, so that nobody mistakes a part for the whole.
 */
function registerExport<Row>(
  app: FastifyInstance,
  deps: AppDeps,
  { path, ...given }: tables.Export<Row>,
): void {
  app.get<{ Querystring: tables.Query }>(path, { schema: describeExport(given) }, async (request, reply) => {
    const caller = await callerFor(deps, request, reply);
    const { query } = request;
    const read = (page: PageRef) => given.read(caller, { ...query, page });
    const first = await read(1);
    async function* rows() {
      for (let page = first; ; page = await read(page.nextCursor)) {
        yield* page.items;
        if (page.nextCursor === null) return;
      }
    }
    const { stringify } = await import('csv-stringify');
    const table = stringify({
      header: true,
      columns: given.columns(),
      record_delimiter: 'windows',
      // People choose titles and names freely: a spreadsheet must not run one as a formula.
      escape_formulas: true,
    });
    const source = Readable.from(rows());
    source.on('error', (error) => table.destroy(error));
    table.on('close', () => source.destroy());
    reply.headers({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${given.fileName(query)}"`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    return reply.send(source.pipe(table));
  });
}

function describeExport({
  summary,
  operationId,
  procedure,
  parameters,
}: Omit<tables.Export<never>, 'path' | 'read' | 'columns'>) {
  return {
    summary,
    operationId,
    tags: [floorOf(procedure)],
    security: securityOf(procedure),
    querystring: { type: 'object', properties: parameters, additionalProperties: false },
    response: {
      200: { description: 'Success', content: { 'text/csv': { schema: { type: 'string' } } } },
    },
  };
}
