import { expect, it } from 'vitest';
import { createReportInputSchema } from '#contract/oversight/moderation.ts';
import type { Actor } from '#server/context/context.ts';
import { actingAs, createUser, setUpContext } from '#tests/support/builders.ts';
import { createDeal } from '#tests/support/exchanges.ts';
import { listReports, reportPerson, reviewReport } from './reports.ts';

const ctx = setUpContext();

function report(reporter: Actor, reported: Actor) {
  const input = { reportedUserId: reported.id, description: 'They never sent what was agreed.' };
  return reportPerson(actingAs(ctx, reporter), createReportInputSchema.parse(input));
}

it('a report counts at once if the two had a deal, else once a moderator finds it right', async () => {
  const { requester, owner } = await createDeal(ctx);
  const stranger = await createUser(ctx);
  const moderator = actingAs(ctx, await createUser(ctx, { role: 'moderator' }));
  const review = (id: number, action: 'dismiss' | 'warn', notes: string) =>
    reviewReport(moderator, { id, action, notes });
  const countOf = async () => {
    const { items } = await listReports(moderator, { status: 'all', page: 1, limit: 50 });
    const own = items.filter(({ reportedUserId }) => reportedUserId === owner.id);
    return { count: own[0]?.reportCount, strangers: own.map(({ isOfStranger }) => isOfStranger) };
  };
  await report(requester, owner);
  expect(await countOf()).toEqual({ count: 1, strangers: [false] });
  const { id } = await report(stranger, owner);
  expect(await countOf()).toEqual({ count: 1, strangers: [true, false] });
  await review(id, 'dismiss', 'No');
  expect(await countOf()).toMatchObject({ count: 1 });
  await review((await report(stranger, owner)).id, 'warn', 'So it is');
  expect(await countOf()).toMatchObject({ count: 2 });
});
