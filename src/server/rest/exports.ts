import { Readable } from 'node:stream';
import { t } from '@lingui/core/macro';
import type { FastifyInstance } from 'fastify';
import type { FeeRows } from '#contract/payments.ts';
import type { PageRef } from '#contract/primitives.ts';
import type { JournalRows, SellerStatementRows } from '#contract/receipts.ts';
import type { AppDeps } from '#server/trpc/context.ts';
import { type Caller, callerFor } from './caller.ts';
import { REFUSALS, securityOf } from './openapi.ts';

/** One portion of an export. */
interface Portion<Row> {
  readonly items: readonly Row[];
  readonly nextCursor: string | null;
}

/** The query of the request; the procedure checks it. */
type Query = Readonly<Record<string, unknown>>;

interface Export<Row> {
  readonly path: string;
  readonly summary: string;
  readonly operationId: string;
  /** The procedure that it reads. */
  readonly procedure: string;
  /** The query's parameters as JSON schemas. */
  readonly parameters: Readonly<Record<string, object>>;
  readonly fileName: (query: Query) => string;
  readonly columns: () => Readonly<Record<keyof Row & string, string>>;
  /** Calls the procedure with the query and the `page` of the portion. */
  readonly read: (caller: Caller, given: Query) => Promise<Portion<Row>>;
}

const day = { type: 'string', format: 'date' };

const FEES: Export<FeeRows['items'][number]> = {
  path: '/api/admin/platform-fees.csv',
  summary: 'The fee of each sale as a table for spreadsheets, for admins',
  operationId: 'admin.platformFeesCsv',
  procedure: 'admin.feeRows',
  parameters: { period: { type: 'string', enum: ['day', 'week', 'month', 'year', 'all'] } },
  fileName: () => 'platform-fees.csv',
  columns: () => ({
    id: t`id`,
    createdAt: t`date`,
    couponTitle: t`coupon`,
    buyerUsername: t`buyer`,
    sellerUsername: t`seller`,
    amount: t`amount (CAD)`,
    fee: t`fee (CAD)`,
    status: t`status`,
  }),
  read: (caller, given) => caller.admin.feeRows(given as Parameters<Caller['admin']['feeRows']>[0]),
};

const JOURNALS: Export<JournalRows['items'][number]> = {
  path: '/api/admin/journals.csv',
  summary: 'The ledger’s entries of some days by journal, for admins',
  operationId: 'admin.journalsCsv',
  procedure: 'admin.journalRows',
  parameters: { from: day, to: day },
  fileName: ({ from, to }) => `journals-${from}-to-${to}.csv`,
  columns: () => ({
    id: t`entry`,
    journalId: t`journal`,
    createdAt: t`date`,
    journal: t`kind`,
    paymentId: t`payment`,
    account: t`account`,
    provider: t`provider`,
    username: t`person`,
    amount: t`amount (CAD)`,
  }),
  read: (caller, given) => caller.admin.journalRows(given as Parameters<Caller['admin']['journalRows']>[0]),
};

const STATEMENT: Export<SellerStatementRows['items'][number]> = {
  path: '/api/seller-statement.csv',
  summary: 'The lines of the caller’s monthly statement as a seller',
  operationId: 'payments.sellerStatementCsv',
  procedure: 'payments.sellerStatementRows',
  parameters: { month: { type: 'string', pattern: '^\\d{4}-\\d{2}$' } },
  fileName: ({ month }) => `statement-${month}.csv`,
  columns: () => ({
    id: t`line`,
    createdAt: t`date`,
    text: t`what`,
    number: t`fee statement`,
    paymentId: t`payment`,
    couponTitle: t`coupon`,
    sale: t`sale (CAD)`,
    fee: t`fee (CAD)`,
    amount: t`change of balance (CAD)`,
  }),
  read: (caller, given) =>
    caller.payments.sellerStatementRows(given as Parameters<Caller['payments']['sellerStatementRows']>[0]),
};

/** Registers the exports of tables for spreadsheets. */
export function registerExports(app: FastifyInstance, deps: AppDeps): void {
  registerExport(app, deps, FEES);
  registerExport(app, deps, JOURNALS);
  registerExport(app, deps, STATEMENT);
}

/**
 * Streams an export by calling its procedure page by page, so that a million rows take no more memory than a
 * thousand. The procedure checks the input and the permissions. A refusal of the first page is answered like any other; a
 * failure later breaks the connection, so that nobody mistakes a part for the whole.
 */
function registerExport<Row>(app: FastifyInstance, deps: AppDeps, { path, ...given }: Export<Row>): void {
  app.get<{ Querystring: Query }>(path, { schema: describeExport(given) }, async (request, reply) => {
    const caller = await callerFor(deps, request, reply);
    const names = Object.keys(given.parameters);
    const query = Object.fromEntries(Object.entries(request.query).filter(([name]) => names.includes(name)));
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
}: Omit<Export<never>, 'path' | 'read' | 'columns'>) {
  return {
    summary,
    operationId,
    tags: operationId.split('.').slice(0, 1),
    security: securityOf(procedure),
    querystring: { type: 'object', properties: parameters },
    response: {
      200: { description: 'Success', content: { 'text/csv': { schema: { type: 'string' } } } },
      ...REFUSALS,
    },
  };
}
