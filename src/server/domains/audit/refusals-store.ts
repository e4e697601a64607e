import { COUNT_CAP } from '#contract/bounds.ts';
import type { RefusalKind } from '#contract/errors.ts';
import type { Database, Trx } from '#server/database/client.ts';
import { cappedTotal, type ListOrder, openPage, type Paging } from '#server/database/paging.ts';

export interface RefusalCount {
  readonly hour: Date;
  readonly kind: RefusalKind;
  readonly userId: number | null;
  readonly address: string;
  readonly call: string;
  readonly count: number;
  readonly lastAt: Date;
}

/** Adds to the counts of the hour, in one statement. The rows are ordered, so that processes cannot deadlock. */
export async function addCounts(db: Database, counts: readonly RefusalCount[]): Promise<void> {
  const keyed = counts.map((row) => ({
    row,
    key: JSON.stringify([row.hour, row.kind, row.userId, row.address, row.call]),
  }));
  await db
    .insertInto('deniedRequests')
    .values(keyed.sort((one, other) => (one.key < other.key ? -1 : 1)).map(({ row }) => row))
    .onConflict((conflict) =>
      conflict.columns(['hour', 'kind', 'userId', 'address', 'call']).doUpdateSet((at) => ({
        count: at('deniedRequests.count', '+', at.ref('excluded.count')),
        lastAt: at.fn('greatest', ['deniedRequests.lastAt', 'excluded.lastAt']),
      })),
    )
    .execute();
}

const LATEST: ListOrder = {
  name: 'refusals',
  direction: 'desc',
  by: [
    ['lastAt', 'timestamptz'],
    ['id', 'integer'],
  ],
};

/** The latest first. */
export async function listRefusals(db: Database, paging: Paging) {
  const page = openPage(paging, LATEST, COUNT_CAP);
  const refusals = db
    .selectFrom('deniedRequests')
    .leftJoin('users', 'users.id', 'deniedRequests.userId')
    .select([
      'deniedRequests.id',
      'hour',
      'kind',
      'userId',
      'users.username',
      'address',
      'call',
      'count',
      'lastAt',
    ])
    .$narrowType<{ kind: RefusalKind }>();
  const rows = await page.select(refusals, 'refusals').execute();
  return {
    ...page.finish(rows),
    ...(await cappedTotal(db, db.selectFrom('deniedRequests').select('id'), COUNT_CAP)),
  };
}

export async function deleteBefore(db: Database, before: Date): Promise<void> {
  await db.deleteFrom('deniedRequests').where('lastAt', '<', before).execute();
}

export async function deleteOf(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom('deniedRequests').where('userId', '=', userId).execute();
}
