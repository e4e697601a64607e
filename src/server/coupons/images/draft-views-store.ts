import { type Selectable, sql } from 'kysely';
import type { Database } from '#server/database/client.ts';
import type { DB } from '#server/database/types.ts';

/** Records a view of a person's drafts, or of the one with a picture, where the same browser has not had one since then. */
export async function noteViews(
  db: Database,
  given: {
    readonly userId: number;
    readonly imageId: string | undefined;
    readonly since: Date;
    readonly view: Omit<Selectable<DB['draftViews']>, 'draftId'>;
  },
): Promise<void> {
  const { userId, imageId, since, view } = given;
  await sql`
    insert into draft_views (draft_id, key_name, address, user_agent, revealed_at)
    select id, ${view.keyName}, ${view.address}, ${view.userAgent}, ${view.revealedAt} from coupon_drafts
    where user_id = ${userId} and (${imageId ?? null}::text is null or image_id = ${imageId ?? null}) and not exists (
      select from draft_views where draft_id = coupon_drafts.id and revealed_at > ${since}
        and key_name is not distinct from ${view.keyName} and address is not distinct from ${view.address}
        and user_agent is not distinct from ${view.userAgent})`.execute(db);
}
