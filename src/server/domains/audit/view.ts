import type { AuditLine } from '#contract/moderation.ts';
import type { AuditRow } from './store.ts';

export function toAuditLine(row: AuditRow): AuditLine {
  return { ...row, createdAt: row.createdAt.toISOString() };
}
