import { beforeEach, describe, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { createRateLimiter } from '#server/database/rate-limits.ts';
import { markUsed } from '#server/deals/coupon-changes/service.ts';
import {
  actingAs,
  createCoupon,
  createTestContext,
  createUser,
  setUpContext,
} from '#tests/support/builders.ts';
import { setUpDatabase } from '#tests/support/database.ts';
import { calendarFeed, ownAddress, removeAddress, renewAddress } from './service.ts';

const database = setUpDatabase();
const ctx = setUpContext(database);
let owner: Actor;
beforeEach(async () => {
  owner = await createUser(ctx);
});

/** Today is 2035-06-15. */
const SOUP = { title: 'Soup', merchant: 'Ladle', expiryDate: '2035-06-22' };

const tokenIn = ({ url }: { url: string | null }) =>
  /\/calendar\/([0-9a-f]{64})\.ics$/.exec(url ?? '')?.[1] ?? '';
const newToken = async (person: Actor) => tokenIn(await renewAddress(actingAs(ctx, person)));
const read = (token: string) => calendarFeed(ctx, { token });

async function titlesOf(person: Actor): Promise<string[]> {
  return [...(await read(await newToken(person))).matchAll(/^SUMMARY:(.*)\r$/gm)].map(
    ([, title = '']) => title,
  );
}

describe('the calendar', () => {
  it('has the last day, merchant and link of a coupon, and not its code', async () => {
    const { id } = await createCoupon(ctx, owner, { ...SOUP, code: 'HUSH-2035' });
    const calendar = (await read(await newToken(owner))).replaceAll('\r\n ', '');
    expect(calendar).toContain(
      [
        `UID:coupon-${id}@localhost`,
        'DTSTAMP:20350615T120000Z',
        'DTSTART;VALUE=DATE:20350622',
        'SUMMARY:Soup expires',
        `DESCRIPTION:Ladle\\nhttp://localhost/my-coupons?coupon=${id}`,
      ].join('\r\n'),
    );
    expect(calendar).not.toContain('HUSH');
  });

  it('is in the language of its owner, whoever reads it', async () => {
    const { id } = await createCoupon(ctx, owner, SOUP);
    await ctx.db.updateTable('users').set({ language: 'fr' }).where('id', '=', owner.id).execute();
    const calendar = (await read(await newToken(owner))).replaceAll('\r\n ', '');
    expect(calendar).toContain(`http://localhost/fr/my-coupons?coupon=${id}\r\n`);
  });

  it('has the coupons of its owner that have not expired, also unlisted ones, the first to expire first', async () => {
    await createCoupon(ctx, owner, { ...SOUP, title: 'Later', expiryDate: '2035-07-22', isActive: false });
    await createCoupon(ctx, owner, { ...SOUP, title: 'Today', expiryDate: '2035-06-15' });
    await createCoupon(ctx, owner, { ...SOUP, title: 'Yesterday', expiryDate: '2035-06-14' });
    await createCoupon(ctx, owner, { ...SOUP, title: 'Never', expiryDate: null, hasNoExpiry: true });
    const { id } = await createCoupon(ctx, owner, { ...SOUP, title: 'Deleted' });
    const deleted = { isActive: false, deletedAt: ctx.clock() };
    await ctx.db.updateTable('coupons').set(deleted).where('id', '=', id).execute();
    const used = await createCoupon(ctx, owner, { ...SOUP, title: 'Used' });
    await markUsed(actingAs(ctx, owner), used.id);
    const other = await createUser(ctx);
    await createCoupon(ctx, other, { ...SOUP, title: 'Another’s' });
    expect(await titlesOf(owner)).toEqual(['Today expires', 'Later expires']);
    expect(await titlesOf(other)).toEqual(['Another’s expires']);
  });
});

describe('the address', () => {
  const GONE = { code: 'not_found' };

  it('stays the same until its owner makes a new one, which ends it, or switches it off', async () => {
    const own = actingAs(ctx, owner);
    expect(await ownAddress(own)).toEqual({ url: null });
    const old = await newToken(owner);
    expect(tokenIn(await ownAddress(own))).toBe(old);
    const token = await newToken(owner);
    await expect(read(old)).rejects.toMatchObject(GONE);
    expect(await read(token)).toContain('BEGIN:VCALENDAR');
    await removeAddress(own);
    await expect(read(token)).rejects.toMatchObject(GONE);
    expect(await ownAddress(own)).toEqual({ url: null });
  });

  it('cannot be made from what the database has', async () => {
    await newToken(owner);
    const stored = await ctx.db
      .selectFrom('privateAddresses')
      .select(['key', 'tokenHash'])
      .where('userId', '=', owner.id)
      .executeTakeFirstOrThrow();
    for (const token of [stored.key, stored.tokenHash]) await expect(read(token)).rejects.toMatchObject(GONE);
  });

  it.each([
    ['banned', { status: 'banned' }],
    ['deleted', { deletedAt: new Date() }],
  ])('of somebody who is %s does not work', async (_what, change) => {
    const token = await newToken(owner);
    await ctx.db.updateTable('users').set(change).where('id', '=', owner.id).execute();
    await expect(read(token)).rejects.toMatchObject(GONE);
  });

  it('can be read 30 times in 15 minutes, whoever reads it', async () => {
    const limiter = createRateLimiter(database.pool);
    const limited = createTestContext(database, { limiter });
    const token = await newToken(owner);
    for (let nth = 1; nth <= 30; nth += 1)
      await calendarFeed({ ...limited, ip: `192.0.2.${nth}` }, { token });
    await expect(calendarFeed(limited, { token })).rejects.toMatchObject({ code: 'rate_limited' });
    const another = await newToken(await createUser(ctx));
    expect(await calendarFeed(limited, { token: another })).toContain('BEGIN:VCALENDAR');
  });
});
