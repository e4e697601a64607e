import type { Database, Trx } from '#server/database/client.ts';

export interface NameClaim {
  readonly kind: 'username' | 'email';
  /** Keyed hash of the name in lower case. */
  readonly fingerprint: string;
  readonly userId: number;
}

/** Claims a name for a person; may be repeated. @returns false if it is another person's */
export async function insertClaim(trx: Trx, claim: NameClaim): Promise<boolean> {
  const claimed = await trx
    .insertInto('nameClaims')
    .values(claim)
    .onConflict((conflict) =>
      conflict
        .columns(['kind', 'fingerprint'])
        .doUpdateSet({ userId: claim.userId })
        .where('nameClaims.userId', '=', claim.userId),
    )
    .returning('userId')
    .executeTakeFirst();
  return claimed !== undefined;
}

export async function isClaimedByAnother(
  db: Database | Trx,
  { kind, fingerprint, userId }: NameClaim,
): Promise<boolean> {
  const other = await db
    .selectFrom('nameClaims')
    .select('userId')
    .where('kind', '=', kind)
    .where('fingerprint', '=', fingerprint)
    .where('userId', '<>', userId)
    .executeTakeFirst();
  return other !== undefined;
}

/** Releases a person's own claim. */
export async function deleteClaim(trx: Trx, { kind, fingerprint, userId }: NameClaim): Promise<void> {
  await trx
    .deleteFrom('nameClaims')
    .where('kind', '=', kind)
    .where('fingerprint', '=', fingerprint)
    .where('userId', '=', userId)
    .execute();
}
