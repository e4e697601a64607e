import { beforeEach, describe, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { saveCoupon } from '#server/coupons/search/saved.ts';
import { markUsed } from '#server/deals/coupon-changes/service.ts';
import { actingAs, createCoupon, createUser, setUpFreshContext } from '#tests/support/builders.ts';
import { setUpDatabase } from '#tests/support/database.ts';
import { remindOfExpiry } from './reminders.ts';

const database = setUpDatabase();
const ctx = setUpFreshContext(database);
let owner: Actor;
let saver: Actor;
beforeEach(async () => {
  // Moves the expiry of the earlier tests' coupons to another day.
  await database.pool.query("update coupons set expiry_date = '2036-06-15' where expiry_date is not null");
  owner = await createUser(ctx);
  saver = await createUser(ctx);
});

const noticesOf = ({ id }: Actor) =>
  ctx.db
    .selectFrom('notifications')
    .innerJoin('mailOutbox', 'mailOutbox.notificationId', 'notifications.id')
    .select(['content', 'notifications.link', 'subject'])
    .where('notifications.userId', '=', id)
    .orderBy('notifications.id')
    .execute();

/** Today is 2035-06-15. */
const SOUP = { title: 'Soup', merchant: 'Ladle', expiryDate: '2035-06-21' };

async function savedSoup(columns = {}): Promise<number> {
  const { id } = await createCoupon(ctx, owner, { ...SOUP, ...columns });
  await saveCoupon(actingAs(ctx, saver), id);
  return id;
}

describe('reminders of a coupon that expires', () => {
  it('reach its owner and those who saved it, when 7 days and when 2 days are left', async () => {
    const id = await savedSoup();
    expect(await remindOfExpiry(ctx)).toBe(2);
    ctx.clock.advanceDays(5);
    expect(await remindOfExpiry(ctx)).toBe(2);
    expect(await noticesOf(owner)).toEqual([
      {
        content: 'Your coupon “Soup” from “Ladle” has 7 days left. Its last day is Jun 21, 2035.',
        link: `/my-coupons?coupon=${id}`,
        subject: 'A coupon has 7 days left',
      },
      {
        content: 'Your coupon “Soup” from “Ladle” has 2 days left. Its last day is Jun 21, 2035.',
        link: `/my-coupons?coupon=${id}`,
        subject: 'A coupon has 2 days left',
      },
    ]);
    expect((await noticesOf(saver)).map(({ content, link }) => [content, link])).toEqual([
      [
        'The coupon you saved, “Soup” from “Ladle”, has 7 days left. Its last day is Jun 21, 2035.',
        `/coupons/${id}`,
      ],
      [
        'The coupon you saved, “Soup” from “Ladle”, has 2 days left. Its last day is Jun 21, 2035.',
        `/coupons/${id}`,
      ],
    ]);
  });

  it('are sent once, even by repeated runs and several processes', async () => {
    await savedSoup();
    const given = await Promise.all([remindOfExpiry(ctx), remindOfExpiry(ctx), remindOfExpiry(ctx)]);
    given.push(await remindOfExpiry(ctx));
    expect(given.reduce((sum, count) => sum + count)).toBe(2);
    expect(await noticesOf(owner)).toHaveLength(1);
    expect(await noticesOf(saver)).toHaveLength(1);
  });

  it('are not sent for a coupon that is used', async () => {
    await markUsed(actingAs(ctx, owner), await savedSoup());
    expect(await remindOfExpiry(ctx)).toBe(0);
  });

  it('are sent again for a new last day, and to a new owner', async () => {
    const id = await savedSoup();
    await remindOfExpiry(ctx);
    await ctx.db
      .updateTable('coupons')
      .set({ expiryDate: '2035-06-16', ownerId: saver.id })
      .where('id', '=', id)
      .execute();
    expect(await remindOfExpiry(ctx)).toBe(1);
    expect(await noticesOf(owner)).toHaveLength(1);
    expect((await noticesOf(saver)).map(({ content }) => content)).toEqual([
      'The coupon you saved, “Soup” from “Ladle”, has 7 days left. Its last day is Jun 21, 2035.',
      'Your coupon “Soup” from “Ladle” has 2 days left. Its last day is Jun 16, 2035.',
    ]);
  });

  it('reach the owner of an unlisted coupon, but not those who saved it', async () => {
    await savedSoup({ isActive: false });
    await createCoupon(ctx, owner, { ...SOUP, category: 'imported' });
    expect(await remindOfExpiry(ctx)).toBe(2);
    expect(await noticesOf(owner)).toHaveLength(2);
    expect(await noticesOf(saver)).toEqual([]);
  });

  it('leave out other days, coupons without a last day, and deleted coupons', async () => {
    for (const expiryDate of ['2035-06-15', '2035-06-17', '2035-06-20', '2035-06-22', '2035-06-14'])
      await savedSoup({ expiryDate });
    await savedSoup({ expiryDate: null, hasNoExpiry: true });
    const id = await savedSoup();
    await ctx.db
      .updateTable('coupons')
      .set({ isActive: false, deletedAt: ctx.clock() })
      .where('id', '=', id)
      .execute();
    expect(await remindOfExpiry(ctx)).toBe(0);
  });

  it('reach everybody, also with more than one batch', async () => {
    await database.pool.query(
      `insert into coupons (owner_id, title, description, value, merchant, category, expiry_date, created_at, updated_at)
       select $1, 'Soup ' || i, 'Ten letters and more', 100, 'Ladle', 'food', '2035-06-16', now(), now()
       from generate_series(1, 1100) as i`,
      [owner.id],
    );
    expect(await remindOfExpiry(ctx)).toBe(1_100);
    expect(await remindOfExpiry(ctx)).toBe(0);
    expect(await noticesOf(owner)).toHaveLength(1_100);
  });
});
