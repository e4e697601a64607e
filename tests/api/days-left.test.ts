import { beforeAll, describe, expect, it } from 'vitest';
import { type Coupon, createCouponInputSchema, listCouponsInputSchema } from '#contract/coupons/coupons.ts';
import { createWantInputSchema } from '#contract/coupons/wants.ts';
import type { MemberContext } from '#server/context/context.ts';
import { addDays } from '#server/core/clock.ts';
import { calendarFeed, renewAddress } from '#server/coupons/calendar/service.ts';
import { couponById } from '#server/coupons/core/finding.ts';
import { createCoupon } from '#server/coupons/publishing/service.ts';
import { listCoupons } from '#server/coupons/search/listing.ts';
import { remindOfExpiry } from '#server/coupons/using/reminders.ts';
import { notifyOfCoupons } from '#server/coupons/wants/notify-of-coupons.ts';
import { createWant, foundBy } from '#server/coupons/wants/service.ts';
import { sendWeeklyMails } from '#server/deals/list/weekly-mail.ts';
import { listNotifications } from '#server/people/notifications/service.ts';
import { actingAs, createUser, setUpContext } from '#tests/support/builders.ts';
import { setUpDatabase } from '#tests/support/database.ts';
import { expiryBadge } from '#web/components/status-badge.tsx';

const FILTERS = [1, 2, 6, 7, 13, 14, 30];
const WISHES = [7, 30] as const;

const ctx = setUpContext(setUpDatabase());
let owner: MemberContext & typeof ctx;
let seeker: MemberContext & typeof ctx;
let coupon: Coupon;
const wants: { days: number; id: number }[] = [];

beforeAll(async () => {
  ctx.clock.set(new Date('2035-06-20T12:00:00Z'));
  owner = actingAs(ctx, await createUser(ctx));
  seeker = actingAs(ctx, await createUser(ctx));
  const fields = {
    ...{ title: 'Soup of the day', description: 'Valid at every branch.', value: 450, merchant: 'Ladle' },
    ...{ category: 'food', expiryDate: '2035-06-22', regions: ['CA'] },
  };
  coupon = await createCoupon(owner, createCouponInputSchema.parse(fields));
  for (const days of WISHES) {
    const want = createWantInputSchema.parse({ search: 'soup', expiryDays: days });
    wants.push({ days, id: (await createWant(seeker, want)).id });
  }
  await notifyOfCoupons(ctx);
});

/** What each reader says of the coupon. */
async function readers() {
  const now = ctx.clock();
  await ctx.db.deleteFrom('mailOutbox').execute();
  await ctx.db.deleteFrom('notifications').execute();
  await ctx.db.deleteFrom('expiryReminders').execute();
  await ctx.db
    .updateTable('users')
    .set({ weeklyMailAt: null, createdAt: addDays(now, -30) })
    .execute();
  await remindOfExpiry(ctx);
  await sendWeeklyMails(ctx);
  const mails = await ctx.db.selectFrom('mailOutbox').select(['type', 'body']).execute();
  const found: number[] = [];
  for (const expiryDays of FILTERS) {
    const { items } = await listCoupons(ctx, listCouponsInputSchema.parse({ expiryDays }));
    if (items.length > 0) found.push(expiryDays);
  }
  const wished: number[] = [];
  for (const { days, id } of wants) if ((await foundBy(seeker, id)).length > 0) wished.push(days);
  const url = (await renewAddress(owner)).url ?? '';
  const calendar = await calendarFeed(ctx, { token: /([0-9a-f]{64})/.exec(url)?.[1] ?? '' });
  const daysIn = (text: string | undefined) => Number(/(\d+) days? left/.exec(text ?? '')?.[1] ?? 0);
  return {
    card: expiryBadge(await couponById(ctx, coupon.id), now).text,
    filter: found,
    wishes: wished,
    bell: daysIn((await listNotifications(owner, { page: 1, limit: 5 })).items[0]?.content),
    mail: daysIn(mails.find(({ type }) => type === 'other')?.body),
    weekly: mails.some(({ body }) => body.includes('expires within 14 days')),
    calendar: calendar.includes('DTSTART;VALUE=DATE:20350622'),
  };
}

/** In Canada the 22nd ends last in Vancouver, at 06:59:59.999 of the 23rd in UTC. */
describe('on both sides of midnight, everything that counts the days of a coupon counts the same', () => {
  it.each([
    ['2035-06-23T07:00:00.000Z', 0],
    ['2035-06-23T06:59:59.999Z', 1],
    ['2035-06-22T07:00:00.000Z', 1],
    ['2035-06-22T06:59:59.999Z', 2],
    ['2035-06-21T07:00:00.000Z', 2],
    ['2035-06-17T06:59:59.999Z', 7],
    ['2035-06-16T07:00:00.000Z', 7],
    ['2035-06-16T06:59:59.999Z', 8],
    ['2035-06-09T07:00:00.000Z', 14],
    ['2035-06-09T06:59:59.999Z', 15],
    ['2035-05-24T07:00:00.000Z', 30],
    ['2035-05-24T06:59:59.999Z', 31],
  ])('at %s there are %i', async (instant, days) => {
    ctx.clock.set(new Date(instant));
    const isOver = days === 0;
    const reminded = [2, 7].includes(days) ? days : 0;
    expect(await readers()).toEqual({
      card: isOver ? 'Expired' : `${days} days left`,
      filter: isOver ? [] : FILTERS.filter((most) => days <= most),
      wishes: isOver ? [] : WISHES.filter((most) => days <= most),
      bell: reminded,
      mail: reminded,
      weekly: !isOver && days <= 14,
      calendar: !isOver,
    });
  });
});
