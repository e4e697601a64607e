import { toLanguage } from '#contract/base/i18n.ts';
import { currencySchema } from '#contract/base/primitives.ts';
import {
  type SessionUser,
  type UserStatus,
  userRoleSchema,
  userStatusSchema,
} from '#contract/people/accounts.ts';
import { pictureUrl } from '#contract/people/picture-addresses.ts';
import type { UserRole } from '#contract/people/roles.ts';
import type { PersonRow, StatusRow } from './store.ts';

/** A person's role and status, as moderation needs them. */
export interface PersonStatus {
  readonly id: number;
  readonly username: string;
  readonly role: UserRole;
  readonly status: UserStatus;
  readonly isDeleted: boolean;
}

export function toPersonStatus({ deletedAt, ...row }: StatusRow): PersonStatus {
  return {
    ...row,
    role: userRoleSchema.parse(row.role),
    status: userStatusSchema.parse(row.status),
    isDeleted: deletedAt !== null,
  };
}

/** A person as sent to their own browser and to nobody else. */
export function toSessionUser(row: PersonRow): SessionUser {
  const { emailVerifiedAt, pictureId, ...rest } = row;
  return {
    ...rest,
    profileImageUrl: pictureUrl(pictureId),
    isEmailVerified: emailVerifiedAt !== null,
    role: userRoleSchema.parse(row.role),
    status: userStatusSchema.parse(row.status),
    preferredCurrency: currencySchema.parse(row.preferredCurrency),
    language: toLanguage(row.language),
    statusUntil: row.statusUntil?.toISOString() ?? null,
    lastLoginAt: row.lastLoginAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
