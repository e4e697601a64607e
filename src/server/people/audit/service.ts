import type { Page } from '#contract/base/primitives.ts';
import { quote } from '#contract/base/words.ts';
import type { AuditLine, AuditRows, ListAuditInput } from '#contract/oversight/moderation.ts';
import type { Context, MemberContext } from '#server/context/context.ts';
import type { Trx } from '#server/database/client.ts';
import type { AuditRow } from './store.ts';
import * as store from './store.ts';

/** Longer details are cut off at the end, where the reason is. */
export const DETAILS_MAX = 2_000;

/**
 * Records what a moderator, an admin or the operator has done, in the same transaction as the action, so that no action
 * goes unrecorded (decisions 5.2), and with which key, if a program did it. The table is append-only.
 */
export async function audit(
  trx: Trx,
  { apiKey }: Pick<Context, 'apiKey'>,
  entry: store.AuditEntry,
): Promise<void> {
  const details = apiKey ? `With the key ${quote(apiKey.name)}: ${entry.details}` : entry.details;
  await store.insertEntry(trx, { ...entry, details: details.slice(0, DETAILS_MAX) });
}

/** The audit log for admins, without what others did about the caller. @throws AppError bad_input on `page` beyond the counted rows */
export async function listAudit(
  ctx: MemberContext,
  { page, limit, ...filters }: ListAuditInput,
): Promise<Page<AuditLine>> {
  const { rows, ...rest } = await store.listEntries(ctx.db, ctx.actor.id, filters, { page, limit });
  return { items: rows.map(toAuditLine), ...rest };
}

/** The same lines for an export, in portions of up to 1,000. */
export async function auditRows(
  ctx: MemberContext,
  { page, limit, ...filters }: ListAuditInput,
): Promise<AuditRows> {
  const { rows, nextCursor } = await store.readEntries(ctx.db, ctx.actor.id, filters, { page, limit });
  return { items: rows.map(toAuditLine), nextCursor };
}

function toAuditLine(row: AuditRow): AuditLine {
  return { ...row, createdAt: row.createdAt.toISOString() };
}

export {
  deniedRequestRows,
  forgetDeniedRequestsOf,
  listDeniedRequests,
  openDeniedRequests,
  removeOldDeniedRequests,
} from './denied-requests.ts';
