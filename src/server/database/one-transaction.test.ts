import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { setUpDatabase } from '#tests/support/database.ts';
import { inTransaction } from './client.ts';
import { inOneTransaction } from './one-transaction.ts';

const database = setUpDatabase();

it('acts at once take turns: one that fails takes back its own writes and no others', async () => {
  await sql`create table marks (label text)`.execute(database.db);
  const outcomes = await inOneTransaction(database.pool, (db) => {
    const act = (labels: readonly string[], failure?: Error) =>
      inTransaction(db, async (trx) => {
        for (const label of labels) await sql`insert into marks values (${label})`.execute(trx);
        if (failure) throw failure;
      });
    return Promise.allSettled([act(['taken back'], new Error('failed')), act(['kept', 'kept, too'])]);
  });
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  const { rows } = await sql<{ label: string }>`select label from marks order by label`.execute(database.db);
  expect(rows.map(({ label }) => label)).toEqual(['kept', 'kept, too']);
});
