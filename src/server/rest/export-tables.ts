import { t } from '@lingui/core/macro';
import { DENIAL_KINDS } from '#contract/base/errors.ts';
import { baseCurrency } from '#contract/base/money.ts';
import type { AdminDebt } from '#contract/money/debts.ts';
import { type FeeLogRows, type FeeRows, PAYMENT_STATUSES } from '#contract/money/payments.ts';
import type { JournalRows, SellerStatementRows } from '#contract/money/receipts.ts';
import {
  type AuditRows,
  type DeniedRequestRows,
  REPORT_REASONS,
  type ReportRows,
  type UserRows,
} from '#contract/oversight/moderation.ts';
import { userStatusSchema } from '#contract/people/accounts.ts';
import { USER_ROLES } from '#contract/people/roles.ts';
import type { Caller } from './caller.ts';

/** One portion of an export. */
interface Portion<Row> {
  readonly items: readonly Row[];
  readonly nextCursor: string | null;
}

/** The query of the request; the procedure checks it. */
export type Query = Readonly<Record<string, unknown>>;

export interface Export<Row> {
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
const text = { type: 'string' };
const oneOf = (...values: readonly string[]) => ({ type: 'string', enum: values });
const sorts = (...columns: readonly string[]) =>
  oneOf(...columns.flatMap((column) => [`${column}-desc`, `${column}-asc`]));

export const FEES: Export<FeeRows['items'][number]> = {
  path: '/api/admin/platform-fees.csv',
  summary: 'The fee of each sale as a table for spreadsheets, for admins',
  operationId: 'admin.platformFeesCsv',
  procedure: 'admin.feeRows',
  parameters: {
    period: oneOf('day', 'week', 'month', 'year', 'all'),
    status: oneOf(...PAYMENT_STATUSES),
    person: text,
    sort: sorts('date', 'amount'),
  },
  fileName: () => 'platform-fees.csv',
  columns: () => ({
    id: t`id`,
    createdAt: t`date`,
    couponTitle: t`coupon`,
    buyerUsername: t`buyer`,
    sellerUsername: t`seller`,
    amount: t`amount (${{ currency: baseCurrency() }})`,
    fee: t`fee (${{ currency: baseCurrency() }})`,
    status: t`status`,
  }),
  read: (caller, given) => caller.admin.feeRows(given as Parameters<Caller['admin']['feeRows']>[0]),
};

export const JOURNALS: Export<JournalRows['items'][number]> = {
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
    depositId: t`deposit`,
    account: t`account`,
    provider: t`provider`,
    username: t`person`,
    amount: t`amount (${{ currency: baseCurrency() }})`,
  }),
  read: (caller, given) => caller.admin.journalRows(given as Parameters<Caller['admin']['journalRows']>[0]),
};

export const STATEMENT: Export<SellerStatementRows['items'][number]> = {
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
    sale: t`sale (${{ currency: baseCurrency() }})`,
    fee: t`fee (${{ currency: baseCurrency() }})`,
    amount: t`change of balance (${{ currency: baseCurrency() }})`,
  }),
  read: (caller, given) =>
    caller.payments.sellerStatementRows(given as Parameters<Caller['payments']['sellerStatementRows']>[0]),
};

export const USERS: Export<Omit<UserRows['items'][number], 'isDeleted' | 'hasSecondFactor'>> = {
  path: '/api/admin/users.csv',
  summary: 'People as a table for spreadsheets, for admins',
  operationId: 'admin.usersCsv',
  procedure: 'admin.userRows',
  parameters: {
    search: text,
    status: oneOf(...userStatusSchema.options),
    role: oneOf(...USER_ROLES),
    from: day,
    to: day,
    sort: sorts('joined', 'name', 'reports'),
  },
  fileName: () => 'people.csv',
  columns: () => ({
    id: t`id`,
    username: t`user`,
    email: t`email`,
    role: t`role`,
    status: t`status`,
    reportCount: t`reports`,
    createdAt: t`joined`,
    lastLoginAt: t`last sign-in`,
  }),
  read: (caller, given) => caller.admin.userRows(given as Parameters<Caller['admin']['userRows']>[0]),
};

export const REPORTS: Export<
  Pick<
    ReportRows['items'][number],
    | 'id'
    | 'createdAt'
    | 'reason'
    | 'reporterUsername'
    | 'reportedUsername'
    | 'description'
    | 'evidence'
    | 'status'
    | 'actionTaken'
    | 'moderatorUsername'
    | 'moderatorNotes'
    | 'updatedAt'
  >
> = {
  path: '/api/reports.csv',
  summary: 'Reports on people as a table for spreadsheets, for moderators',
  operationId: 'moderation.reportsCsv',
  procedure: 'moderation.reportRows',
  parameters: {
    status: oneOf('pending', 'resolved', 'dismissed', 'all'),
    reason: oneOf(...REPORT_REASONS),
    person: text,
    sort: sorts('date'),
  },
  fileName: () => 'reports.csv',
  columns: () => ({
    id: t`id`,
    createdAt: t`date`,
    reason: t`reason`,
    reporterUsername: t`reporter`,
    reportedUsername: t`reported`,
    description: t`description`,
    evidence: t`evidence`,
    status: t`status`,
    actionTaken: t`action`,
    moderatorUsername: t`moderator`,
    moderatorNotes: t`notes`,
    updatedAt: t`changed`,
  }),
  read: (caller, given) =>
    caller.moderation.reportRows(given as Parameters<Caller['moderation']['reportRows']>[0]),
};

export const AUDIT: Export<Omit<AuditRows['items'][number], 'targetUserId'>> = {
  path: '/api/admin/audit-log.csv',
  summary: 'What moderators and admins have done, as a table for spreadsheets',
  operationId: 'admin.auditLogCsv',
  procedure: 'admin.auditRows',
  parameters: { person: text, action: text, from: day, to: day, sort: sorts('date') },
  fileName: () => 'audit-log.csv',
  columns: () => ({
    id: t`id`,
    createdAt: t`date`,
    username: t`user`,
    action: t`action`,
    targetUsername: t`about`,
    details: t`details`,
  }),
  read: (caller, given) => caller.admin.auditRows(given as Parameters<Caller['admin']['auditRows']>[0]),
};

export const DENIED_REQUESTS: Export<Omit<DeniedRequestRows['items'][number], 'id' | 'hour' | 'userId'>> = {
  path: '/api/admin/denied-requests.csv',
  summary: 'What people were refused, as a table for spreadsheets, for admins',
  operationId: 'admin.deniedRequestsCsv',
  procedure: 'admin.deniedRequestRows',
  parameters: { kind: oneOf(...DENIAL_KINDS), sort: sorts('date') },
  fileName: () => 'refusals.csv',
  columns: () => ({
    lastAt: t`last`,
    kind: t`kind`,
    count: t`times per hour`,
    username: t`user`,
    address: t`address`,
    call: t`call`,
  }),
  read: (caller, given) =>
    caller.admin.deniedRequestRows(given as Parameters<Caller['admin']['deniedRequestRows']>[0]),
};

export const FEE_LOGS: Export<FeeLogRows['items'][number]> = {
  path: '/api/admin/transaction-logs.csv',
  summary: 'The history of fees as a table for spreadsheets, for admins',
  operationId: 'admin.feeLogsCsv',
  procedure: 'admin.feeLogRows',
  parameters: { sort: sorts('date') },
  fileName: () => 'money-activity.csv',
  columns: () => ({
    id: t`id`,
    createdAt: t`date`,
    username: t`user`,
    action: t`action`,
    details: t`details`,
  }),
  read: (caller, given) => caller.admin.feeLogRows(given as Parameters<Caller['admin']['feeLogRows']>[0]),
};

export const DEBTS: Export<Omit<AdminDebt, 'bidId' | 'sellerId' | 'provider'>> = {
  path: '/api/admin/seller-debts.csv',
  summary: 'What sellers owe as a table for spreadsheets, for admins',
  operationId: 'admin.debtsCsv',
  procedure: 'admin.debts',
  parameters: {},
  fileName: () => 'debts.csv',
  columns: () => ({
    paymentId: t`payment`,
    sellerUsername: t`seller`,
    couponTitle: t`coupon`,
    amount: t`amount (${{ currency: baseCurrency() }})`,
    since: t`since`,
    way: t`how it is settled`,
  }),
  read: async (caller) => ({ items: await caller.admin.debts(), nextCursor: null }),
};
