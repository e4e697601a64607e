import { beforeEach, describe, expect, it } from 'vitest';
import { WANTS_MAX } from '#contract/base/limits.ts';
import { createWantInputSchema, updateWantInputSchema } from '#contract/coupons/wants.ts';
import type { Actor } from '#server/context/context.ts';
import { addDays, utcDay } from '#server/core/clock.ts';
import { setPreference } from '#server/people/notifications/preferences.ts';
import { actingAs, createCoupon, createUser, setUpContext } from '#tests/support/builders.ts';
import { createDeal, move } from '#tests/support/exchanges.ts';
import { notifyOfCoupons, sendDigests } from './notify-of-coupons.ts';
import { createWant, foundBy, listWants, markLooked, pauseWant, removeWant, updateWant } from './service.ts';

const ctx = setUpContext();
let seeker: Actor;
let owner: Actor;

beforeEach(async () => {
  seeker = await createUser(ctx);
  owner = await createUser(ctx);
});

const keep = (given: Record<string, unknown>, who = seeker) =>
  createWant(actingAs(ctx, who), createWantInputSchema.parse(given));
const mine = async (who = seeker) => listWants(actingAs(ctx, who));
const idsFoundBy = async (id: number, who = seeker) =>
  (await foundBy(actingAs(ctx, who), id)).map((coupon) => coupon.id);
const newsOf = async ({ id }: Actor) => {
  const rows = await ctx.db
    .selectFrom('notifications')
    .selectAll()
    .where('userId', '=', id)
    .orderBy('id')
    .execute();
  return rows.filter(({ type }) => type === 'want');
};
const mailsTo = ({ id }: Actor) =>
  ctx.db.selectFrom('mailOutbox').select(['subject', 'body', 'link']).where('userId', '=', id).execute();
/** A word that no other test has. */
let counter = 0;
const newWord = () => `zebra${String.fromCharCode(97 + (counter % 26), 97 + Math.floor(counter++ / 26))}`;

describe('a want', () => {
  it('tells of a coupon that comes, with a notification and, for those who want it so, a mail at once', async () => {
    await setPreference(actingAs(ctx, seeker), { type: 'want', inApp: true, mail: true, daily: false });
    const word = newWord();
    const want = await keep({ search: word });
    const coupon = await createCoupon(ctx, owner, { title: `A ${word} ride`, merchant: 'Zoo' });
    expect(await notifyOfCoupons(ctx)).toBe(1);
    expect(await newsOf(seeker)).toMatchObject([
      {
        content: `From your wish list: “A ${word} ride” from “Zoo”.`,
        link: `/coupons/${coupon.id}`,
      },
    ]);
    expect(await mailsTo(seeker)).toMatchObject([{ subject: 'A coupon on your wish list is here' }]);
    expect(await idsFoundBy(want.id)).toEqual([coupon.id]);
    // Changed, and wanted twice: still one.
    await keep({ search: word.slice(0, -1) });
    await ctx.db
      .updateTable('coupons')
      .set({ description: `Now with two ${word}` })
      .where('id', '=', coupon.id)
      .execute();
    expect(await notifyOfCoupons(ctx)).toBe(0);
    expect(await newsOf(seeker)).toHaveLength(1);
  });

  it('tells of a coupon that fits only after a change, or is listed again', async () => {
    const word = newWord();
    await keep({ search: word, maxValue: 900 });
    const coupon = await createCoupon(ctx, owner, { title: word, value: 1_000 });
    const hidden = await createCoupon(ctx, owner, { title: word, value: 500, isActive: false });
    expect(await notifyOfCoupons(ctx)).toBe(0);
    await ctx.db.updateTable('coupons').set({ value: 900 }).where('id', '=', coupon.id).execute();
    expect(await notifyOfCoupons(ctx)).toBe(1);
    await ctx.db.updateTable('coupons').set({ isActive: true }).where('id', '=', hidden.id).execute();
    expect(await notifyOfCoupons(ctx)).toBe(1);
  });

  it('tells of a coupon whose merchant has confirmed the code', async () => {
    const word = newWord();
    await keep({ search: word, checkedDays: 30 });
    const { id } = await createCoupon(ctx, owner, { title: word, isVerified: true });
    expect(await notifyOfCoupons(ctx)).toBe(0);
    for (const [daysAgo, told] of [
      [31, 0],
      [1, 1],
      [0, 0],
    ] as const) {
      const checkedAt = addDays(ctx.clock(), -daysAgo);
      await ctx.db.updateTable('coupons').set({ checkedAt }).where('id', '=', id).execute();
      expect(await notifyOfCoupons(ctx)).toBe(told);
    }
  });

  it('tells neither of one’s own coupons, nor of blocked people’s, nor of expired and reserved ones [decisions 3.14.5]', async () => {
    const word = newWord();
    const want = await keep({ search: word });
    const [blocked, blocker] = [await createUser(ctx), await createUser(ctx)];
    const rows = [
      { blockerId: seeker.id, blockedId: blocked.id },
      { blockerId: blocker.id, blockedId: seeker.id },
    ].map((block) => ({ ...block, createdAt: ctx.clock() }));
    await ctx.db.insertInto('userBlocks').values(rows).execute();
    for (const person of [seeker, blocked, blocker]) await createCoupon(ctx, person, { title: word });
    await createCoupon(ctx, owner, { title: word, expiryDate: utcDay(addDays(ctx.clock(), -1)) });
    const { id, owner: accepter } = await createDeal(ctx, 'accepted', { title: word });
    expect(await notifyOfCoupons(ctx)).toBe(0);
    expect(await idsFoundBy(want.id)).toEqual([]);
    // Free again.
    await move(ctx, accepter, id, 'cancelled');
    expect(await notifyOfCoupons(ctx)).toBe(1);
  });

  it('finds nothing for a banned person and for a paused want', async () => {
    const word = newWord();
    const banned = await createUser(ctx, { status: 'banned' });
    await keep({ search: word }, banned);
    const { id } = await keep({ search: word });
    await pauseWant(actingAs(ctx, seeker), { id, isPaused: true });
    await createCoupon(ctx, owner, { title: word });
    expect(await notifyOfCoupons(ctx)).toBe(0);
    await pauseWant(actingAs(ctx, seeker), { id, isPaused: false });
    await createCoupon(ctx, owner, { title: word });
    expect(await notifyOfCoupons(ctx)).toBe(1);
  });

  it('counts what is new since the last look, and shows what can still be had', async () => {
    const word = newWord();
    const { id } = await keep({ search: word });
    const first = await createCoupon(ctx, owner, { title: word });
    await notifyOfCoupons(ctx);
    ctx.clock.advanceDays(0.1);
    await markLooked(actingAs(ctx, seeker), id);
    ctx.clock.advanceDays(0.1);
    const second = await createCoupon(ctx, owner, { title: word });
    await notifyOfCoupons(ctx);
    expect(await mine()).toMatchObject([{ id, found: 2, fresh: 1 }]);
    expect(await idsFoundBy(id)).toEqual([second.id, first.id]);
    await ctx.db.updateTable('coupons').set({ isActive: false }).where('id', '=', second.id).execute();
    expect(await mine()).toMatchObject([{ id, found: 1, fresh: 0 }]);
    const narrower = updateWantInputSchema.parse({ id, search: `${word} for two` });
    expect(await updateWant(actingAs(ctx, seeker), narrower)).toMatchObject({ found: 0 });
  });

  it('keeps what the person would give, as long as it is theirs', async () => {
    const [one, other] = [await createCoupon(ctx, seeker), await createCoupon(ctx, seeker)];
    const giftIds = [one.id, other.id];
    const want = await keep({ search: newWord(), gives: 'some', giftIds });
    expect(want).toMatchObject({ gives: 'some', giftIds });
    await ctx.db.updateTable('coupons').set({ ownerId: owner.id }).where('id', '=', one.id).execute();
    expect(await mine()).toMatchObject([{ giftIds: [other.id] }]);
    await expect(keep({ search: newWord(), gives: 'some', giftIds: [one.id] })).rejects.toMatchObject({
      code: 'bad_input',
      issues: [{ path: 'giftIds', message: 'You can give only coupons of your own' }],
    });
  });

  it('is only its owner’s: others, moderators among them, find none [decisions 3.15.9]', async () => {
    const { id } = await keep({ search: newWord() });
    const moderator = actingAs(ctx, await createUser(ctx, { role: 'moderator' }));
    const missing = { code: 'not_found' };
    await expect(foundBy(moderator, id)).rejects.toMatchObject(missing);
    await expect(removeWant(moderator, id)).rejects.toMatchObject(missing);
    await expect(pauseWant(moderator, { id, isPaused: true })).rejects.toMatchObject(missing);
    await expect(markLooked(moderator, id)).rejects.toMatchObject(missing);
    expect(await listWants(moderator)).toEqual([]);
    await removeWant(actingAs(ctx, seeker), id);
    expect(await mine()).toEqual([]);
  });

  it('is refused if it asks for anything at all, contradicts itself, or is one too many', async () => {
    const messages = (given: object) =>
      createWantInputSchema.safeParse(given).error?.issues.map(({ path, message }) => [path[0], message]);
    expect(messages({ minValue: 5 })).toEqual([
      ['search', 'Say what you are looking for: a word, a merchant or a category'],
    ]);
    expect(messages({ search: 'tea', minValue: 5, maxValue: 4 })).toEqual([
      ['minValue', 'Above the max value'],
    ]);
    expect(messages({ search: 'tea', gives: 'some' })).toEqual([
      ['giftIds', 'Choose at least one coupon that you would give'],
    ]);
    expect(messages({ search: 'tea', giftIds: [1] })).toEqual([['giftIds', 'Only with "some"']]);
  });

  it('are at most fifty of a new member, and more of who has dealt well', async () => {
    const newcomer = await createUser(ctx, { establishedAt: null });
    const add = (actor: Actor, search: string) =>
      createWant(actingAs(ctx, actor), createWantInputSchema.parse({ search }));
    const calls = Array.from({ length: WANTS_MAX + 1 }, (_, index) => add(newcomer, `tea ${index}`));
    const results = await Promise.allSettled(calls);
    expect(results.filter(({ status }) => status === 'rejected')).toMatchObject([
      { reason: { code: 'conflict' } },
    ]);
    await expect(add({ ...newcomer, isEstablished: true }, 'one more')).resolves.toMatchObject({
      search: 'one more',
    });
  });
});

it('the same is kept once, however it is written; what differs in anything is another want [decisions 3.15.3]', async () => {
  const word = newWord();
  const given = { search: word, merchant: 'Zoo', maxValue: 900 };
  const { id } = await keep(given);
  const again = [{ ...given, search: ` ${word.toUpperCase()} `, merchant: 'ZOO', gives: 'any' }, given];
  const outcomes = await Promise.allSettled(again.map((each) => keep(each)));
  expect(outcomes).toMatchObject(
    again.map(() => ({
      status: 'rejected',
      reason: { code: 'conflict', message: 'This is already on your wish list. You can change it there.' },
    })),
  );
  const others = [
    { maxValue: 901 },
    { minValue: 1 },
    { region: 'CA' },
    { expiryDays: 7 },
    { checkedDays: 30 },
    { hasAskingPrice: true },
    { category: 'food' },
  ];
  for (const other of others) await keep({ ...given, ...other });
  await keep(given, owner);
  expect(await mine()).toHaveLength(1 + others.length);
  const another = await keep({ search: newWord() });
  await expect(
    updateWant(actingAs(ctx, seeker), updateWantInputSchema.parse({ id: another.id, ...given })),
  ).rejects.toMatchObject({ code: 'conflict' });
  await updateWant(actingAs(ctx, seeker), updateWantInputSchema.parse({ id, ...given, gives: 'any' }));
});

describe('the mail about wants', () => {
  it('comes once a day, about all that came [decisions 3.15.7]', async () => {
    // Those of the tests before.
    await sendDigests(ctx);
    const word = newWord();
    await keep({ search: word });
    for (const title of [`One ${word}`, `Two ${word}`])
      await createCoupon(ctx, owner, { title, merchant: 'Zoo' });
    const gone = await createCoupon(ctx, owner, { title: `Gone ${word}` });
    expect(await notifyOfCoupons(ctx)).toBe(3);
    expect(await newsOf(seeker)).toHaveLength(3);
    expect(await mailsTo(seeker)).toEqual([]);
    await ctx.db.updateTable('coupons').set({ isActive: false }).where('id', '=', gone.id).execute();
    expect(await sendDigests(ctx)).toBe(1);
    expect(await sendDigests(ctx)).toBe(0);
    expect(await mailsTo(seeker)).toEqual([
      {
        subject: 'Your wish list: 2 new coupons',
        body: `New since yesterday: “One ${word}” from “Zoo” and “Two ${word}” from “Zoo”.`,
        link: '/wants',
      },
    ]);
  });

  it('is daily for wants only', async () => {
    const wish = { type: 'message', inApp: true, mail: true, daily: true } as const;
    await expect(setPreference(actingAs(ctx, seeker), wish)).rejects.toMatchObject({ code: 'bad_input' });
  });
});
