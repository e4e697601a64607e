import { sql } from 'kysely';
import type { Database, Trx } from '#server/database/client.ts';

/** The ids of the pictures that one side has added to a claim. */
export const picturesOf = (claimId: string, sideId: string) =>
  sql<string[]>`array(select images.id from images where images.claim_id = ${sql.ref(claimId)}
    and images.uploader_id = ${sql.ref(sideId)} and images.discarded_at is null order by images.place)`;

/** A picture of a claim, or one that no claim has yet. */
export async function findEvidence(db: Database, id: string) {
  return db
    .selectFrom('images')
    .select(['id', 'contentType', 'uploaderId', 'claimId', 'createdAt'])
    .where('id', '=', id)
    .where('kind', '=', 'evidence')
    .where('discardedAt', 'is', null)
    .executeTakeFirst();
}

/** Attaches a person's own upload, younger than `after`, to a claim. @returns false if there is none */
export async function attachEvidence(
  trx: Trx,
  upload: { id: string; claimId: number; place: number; uploaderId: number; after: Date },
): Promise<boolean> {
  const { id, claimId, place, uploaderId, after } = upload;
  const { numUpdatedRows } = await trx
    .updateTable('images')
    .set({ claimId, place })
    .where('id', '=', id)
    .where('kind', '=', 'evidence')
    .where('uploaderId', '=', uploaderId)
    .where('createdAt', '>', after)
    .where('claimId', 'is', null)
    .where('discardedAt', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Discards the pictures of claims that ended at `before` or earlier. */
export async function discardEvidence(
  db: Database,
  { before, at }: { before: Date; at: Date },
): Promise<void> {
  await db
    .updateTable('images')
    .set({ discardedAt: at })
    .where('discardedAt', 'is', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('claims').whereRef('claims.id', '=', 'images.claimId').where('decidedAt', '<=', before),
      ),
    )
    .execute();
}
