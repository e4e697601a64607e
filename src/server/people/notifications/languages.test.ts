import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { Language } from '#contract/base/i18n.ts';
import { inLanguage } from '#server/core/language.ts';
import { inTransaction } from '#server/database/client.ts';
import { listTransactionLogs } from '#server/deals/lifecycle/service.ts';
import { BID_TEXTS } from '#server/texts/bids.ts';
import { actingAs, createUser, setUpContext } from '#tests/support/builders.ts';
import { setUpDatabase } from '#tests/support/database.ts';
import { listNotifications, notify, recordLog } from './service.ts';

const ctx = setUpContext(setUpDatabase());

const FIRST = { page: 1, limit: 50 };

it('what is told is read in the language of the reader, also long after it was written', async () => {
  const person = await createUser(ctx);
  const amount = 125_000;
  const facts = { amount, coupon: 'Soup', bidder: 'ada', owner: person.username };
  const story = { userId: person.id, at: ctx.clock() };
  await inTransaction(ctx.db, async (trx) => {
    const details = BID_TEXTS.place.owner(facts);
    await recordLog(trx, { ...story, actorId: null, action: 'created', details });
    await notify(trx, { ...story, type: 'other', content: details, relatedId: null, link: '/' });
  });
  const old = { type: 'other', link: '/', createdAt: ctx.clock(), content: 'Long ago', userId: person.id };
  const newer = { ...old, content: 'From a newer version', text: '{"kind":"bid.flown","parameters":{}}' };
  await ctx.db.insertInto('notifications').values([old, newer]).execute();
  const readIn = (language: Language) =>
    inLanguage(language, async () => {
      const { items: told } = await listNotifications(actingAs(ctx, person), FIRST);
      const { items: lines } = await listTransactionLogs(actingAs(ctx, person), { ...FIRST, kind: 'all' });
      return [...told.map(({ content }) => content), ...lines.map(({ details }) => details)];
    });
  const bid = 'ada bid $1,250.00 CAD on your “Soup”.';
  expect(await readIn('en')).toEqual(['From a newer version', 'Long ago', bid, bid]);
  const [, , told, line] = await readIn('fr');
  expect(told).toMatch(/ada.*1.250,00.\$ CAD.*Soup/);
  expect(line).toBe(told);
  const { rows } = await sql<{
    text: object;
  }>`select text from transaction_logs where user_id = ${person.id}`.execute(ctx.db);
  expect(rows).toMatchObject([
    { text: { kind: 'bid.place.owner', parameters: { amount, coupon: 'Soup', bidder: 'ada' } } },
  ]);
});
