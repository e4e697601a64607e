import { sql } from 'kysely';
import { DEALS_TO_ESTABLISH } from '#contract/base/limits.ts';

/** The columns of `users` from which an actor gets its standing. The counted partners say it before a next deal does. */
export const TRUST = [
  sql<boolean>`users.email_verified_at is not null`.as('isConfirmed'),
  sql<boolean>`(users.established_at is not null or users.deal_partners >= ${sql.lit(DEALS_TO_ESTABLISH)})`.as(
    'isEstablished',
  ),
] as const;
