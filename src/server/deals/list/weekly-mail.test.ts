import { beforeEach, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { addDays, utcDay } from '#server/core/clock.ts';
import { setPreference } from '#server/people/notifications/preferences.ts';
import { createBid } from '#tests/support/bids.ts';
import { actingAs, createCoupon, createUser, setUpFreshContext } from '#tests/support/builders.ts';
import { setUpDatabase } from '#tests/support/database.ts';
import { recorded, type Statement } from '#tests/support/plans.ts';
import { sendWeeklyMails } from './weekly-mail.ts';

const database = setUpDatabase();
const ctx = setUpFreshContext(database);

beforeEach(async () => {
  await ctx.db.deleteFrom('mailOutbox').execute();
});

async function weeklyMails(): Promise<{ userId: number | null; body: string }[]> {
  return ctx.db.selectFrom('mailOutbox').select(['userId', 'body']).where('type', '=', 'weekly').execute();
}

/** A person whose coupon ends in ten days. */
async function withEndingCoupon(): Promise<Actor> {
  const owner = await createUser(ctx);
  const expiryDate = utcDay(addDays(ctx.clock(), 17));
  await createCoupon(ctx, owner, { title: 'Tea for two', merchant: 'Leaf', expiryDate });
  return owner;
}

it('says once a week what waits and what expires, and nothing to those for whom there is nothing', async () => {
  const owner = await withEndingCoupon();
  const { owner: asked, bidder } = await createBid(ctx);
  ctx.clock.advanceDays(7);
  await sendWeeklyMails(ctx);
  const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' }).format(
    addDays(ctx.clock(), 10),
  );
  const mails = await weeklyMails();
  expect(mails.find(({ userId }) => userId === owner.id)?.body).toBe(
    `1 coupon of yours expires within 14 days: “Tea for two” from “Leaf” on ${day}.`,
  );
  expect(mails.find(({ userId }) => userId === asked.id)?.body).toMatch(/^1 deal needs you\./);
  expect(mails.some(({ userId }) => userId === bidder.id)).toBe(false);
  await sendWeeklyMails(ctx);
  expect(await weeklyMails()).toHaveLength(mails.length);
  ctx.clock.advanceDays(6.5);
  await sendWeeklyMails(ctx);
  expect((await weeklyMails()).filter(({ userId }) => userId === owner.id)).toHaveLength(2);
});

it('goes to nobody who is new, has switched it off, or has not confirmed the address', async () => {
  const [off, unconfirmed, kept] = [
    await withEndingCoupon(),
    await withEndingCoupon(),
    await withEndingCoupon(),
  ];
  await setPreference(actingAs(ctx, off), { type: 'weekly', inApp: true, mail: false });
  await ctx.db.updateTable('users').set({ emailVerifiedAt: null }).where('id', '=', unconfirmed.id).execute();
  ctx.clock.advanceDays(7);
  const fresh = await withEndingCoupon();
  await sendWeeklyMails(ctx);
  const ids = (await weeklyMails()).map(({ userId }) => userId);
  expect(ids).toContain(kept.id);
  for (const { id } of [off, unconfirmed, fresh]) expect(ids).not.toContain(id);
});

it('asks the same of the database for many people as for one', async () => {
  const sentFor = async (people: number) => {
    const owners: Actor[] = [];
    while (owners.length < people) owners.push(await withEndingCoupon());
    ctx.clock.advanceDays(7);
    await ctx.db.deleteFrom('mailOutbox').execute();
    const sent: Statement[] = [];
    expect(await sendWeeklyMails({ ...ctx, db: recorded(database, sent) })).toBeGreaterThanOrEqual(people);
    const told = (await weeklyMails()).map(({ userId }) => userId);
    for (const { id } of owners) expect(told.filter((userId) => userId === id)).toHaveLength(1);
    return sent.length;
  };
  const one = await sentFor(1);
  expect(await sentFor(8)).toBe(one);
});
