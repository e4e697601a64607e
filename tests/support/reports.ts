import type { Insertable } from 'kysely';
import type { Actor, Context } from '#server/context/context.ts';
import type { DB } from '#server/database/types.ts';

/** Inserts a report that waits for a moderator. @returns its id */
export async function insertReport(
  ctx: Context,
  reporter: Pick<Actor, 'id'>,
  reported: Pick<Actor, 'id'>,
  columns: Partial<Insertable<DB['userReports']>> = {},
): Promise<number> {
  const at = ctx.clock();
  const row = await ctx.db
    .insertInto('userReports')
    .values({
      reporterId: reporter.id,
      reportedUserId: reported.id,
      reason: 'scam',
      description: 'They never sent what was agreed.',
      createdAt: at,
      updatedAt: at,
      ...columns,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}
