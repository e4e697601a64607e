import { userStatusSchema } from '#contract/accounts.ts';
import type { AdminUser, Report } from '#contract/moderation.ts';
import type { PersonRow } from './people-store.ts';
import type { ReportRow } from './reports-store.ts';

/** A report as a moderator sees it. */
export function toReport(row: ReportRow): Report {
  return {
    ...row,
    reportedUserStatus: userStatusSchema.parse(row.reportedUserStatus),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** A person as an admin sees them. */
export function toAdminUser({ deletedAt, ...row }: PersonRow): AdminUser {
  return {
    ...row,
    isDeleted: deletedAt !== null,
    lastLoginAt: row.lastLoginAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  };
}
