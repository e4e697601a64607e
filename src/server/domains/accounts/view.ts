import { type SessionUser, userRoleSchema, userStatusSchema } from '#contract/accounts.ts';
import { currencySchema } from '#contract/money.ts';
import type { PersonRow } from './store.ts';

/** A person as their own browser sees them; nobody else is ever sent this. */
export function toSessionUser(row: PersonRow): SessionUser {
  return {
    ...row,
    role: userRoleSchema.parse(row.role),
    status: userStatusSchema.parse(row.status),
    preferredCurrency: currencySchema.parse(row.preferredCurrency),
    lastLoginAt: row.lastLoginAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
