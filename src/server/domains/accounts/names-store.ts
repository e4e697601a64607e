import type { Database, Trx } from '#server/database/client.ts';

export interface NameClaim {
  readonly kind: 'username' | 'email';
  /** Keyed hash of the name in lower case, or of what a username looks like. */
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

export async function isClaimed(
  db: Database | Trx,
  kind: NameClaim['kind'],
  fingerprint: string,
): Promise<boolean> {
  const claim = await db
    .selectFrom('nameClaims')
    .select('userId')
    .where('kind', '=', kind)
    .where('fingerprint', '=', fingerprint)
    .executeTakeFirst();
  return claim !== undefined;
}
