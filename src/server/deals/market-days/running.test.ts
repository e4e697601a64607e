import { beforeEach, describe, expect, it } from 'vitest';
import { OPEN_DEALS_AT_FIRST } from '#contract/base/limits.ts';
import { checkRecord } from '#contract/deals/market-day-record.ts';
import type { Actor } from '#server/context/context.ts';
import { addDays, addMinutes, utcDay } from '#server/core/clock.ts';
import { sha256 } from '#server/core/crypto.ts';
import { pauseWant } from '#server/coupons/wants/service.ts';
import { inTransaction } from '#server/database/client.ts';
import { setAway } from '#server/deals/away/service.ts';
import { exchangeById } from '#server/deals/exchanges/service.ts';
import { blockPerson } from '#server/oversight/moderation/blocking.ts';
import { bidOn } from '#tests/support/bids.ts';
import { actingAs, createCoupon, createUser, setUpFreshContext } from '#tests/support/builders.ts';
import { noticesOf } from '#tests/support/exchanges.ts';
import { checkInvariants } from '#tests/support/invariants.ts';
import { matchingIn } from '#tests/support/matches.ts';
import { consentForCoupon, consentForWant, withdrawCoupon, withdrawWant } from './consents.ts';
import { marketDayNow, readCertificate, readMarketDay } from './reading.ts';
import { checkMarketDays, forecastMarketDay, runMarketDay } from './service.ts';

const ctx = setUpFreshContext();
const { newWord, want, find } = matchingIn(ctx);
const { signal } = new AbortController();
const run = () => runMarketDay(ctx, signal);

/** Goes to so many minutes after the hour of the market day that is next, and says which day it is. */
async function toHour(minutes = 0): Promise<string> {
  await run();
  const next = await marketDayNow(ctx);
  if (!next) throw new Error('There is no market day');
  lastHour = new Date(next.at);
  ctx.clock.set(addMinutes(lastHour, minutes));
  return next.day;
}

const until = () => utcDay(addDays(ctx.clock(), 20));

interface Trader {
  readonly actor: Actor;
  readonly couponId: number;
  readonly wantId: number;
}

/** People in a circle: each has a coupon, would take the one of the person before for it, and need not be asked. */
async function circle(size: number): Promise<Trader[]> {
  const words = Array.from({ length: size }, newWord);
  const traders: Trader[] = [];
  for (const [index, word] of words.entries()) {
    const actor = await createUser(ctx);
    const { id: couponId } = await createCoupon(ctx, actor, { title: word, expiryDate: '2036-12-31' });
    const { id: wantId } = await want(actor, words[(index + size - 1) % size] ?? '');
    traders.push({ actor, couponId, wantId });
  }
  await find();
  for (const trader of traders) await agree(trader);
  return traders;
}

const agree = ({ actor, couponId, wantId }: Trader, more: object = {}) =>
  consentForWant(actingAs(ctx, actor), {
    ...{ wantId, minValue: null, minHealth: 0, times: 1, until: until(), couponIds: [couponId] },
    ...more,
  });

const ownersOf = async (traders: readonly Trader[]) => {
  const rows = await ctx.db.selectFrom('coupons').select(['id', 'ownerId']).execute();
  return traders.map(({ couponId }) => rows.find(({ id }) => id === couponId)?.ownerId);
};

const idsOf = (traders: readonly Trader[]) => traders.map(({ actor }) => actor.id);
/** Everybody's coupon with the next person. */
const passedOn = (traders: readonly Trader[]) => [...idsOf(traders).slice(1), idsOf(traders)[0]];

// Days follow each other, though each test begins at the same instant.
let lastHour: Date | null = null;

beforeEach(async () => {
  if (lastHour) ctx.clock.set(addMinutes(lastHour, 7 * 60));
  await ctx.db.deleteFrom('couponConsents').execute();
  await ctx.db.deleteFrom('wantConsents').execute();
});

async function proven(day: string): Promise<void> {
  const { text } = await readCertificate(ctx, day);
  const { certificateHash, commitment } = await readMarketDay(ctx, day);
  expect(sha256(text)).toBe(certificateHash);
  expect(sha256(JSON.parse(text).seed)).toBe(commitment);
  expect(checkRecord(JSON.parse(text))).toEqual([]);
  expect((await inTransaction(ctx.db, checkMarketDays)).faults).toEqual([]);
  expect(await checkInvariants(ctx.db)).toEqual([]);
}

describe('market day', () => {
  it('trades a swap and a ring of seven at its hour, and tells everybody once', async () => {
    const [pair, seven] = [await circle(2), await circle(7)];
    const day = await toHour(-1);
    await run();
    expect(await ownersOf(seven)).toEqual(idsOf(seven));
    await toHour();
    expect(await run()).toBe(9);
    expect(await ownersOf(pair)).toEqual(passedOn(pair));
    expect(await ownersOf(seven)).toEqual(passedOn(seven));
    const [first] = seven;
    if (!first) throw new Error('somebody');
    const page = await readMarketDay(actingAs(ctx, first.actor), day);
    expect(page).toMatchObject({
      state: 'done',
      people: 9,
      coupons: 9,
      traded: 9,
      rings: [7, 2],
      dropped: 0,
    });
    expect(page.own).toMatchObject({
      coupons: [{ couponId: first.couponId }],
      wishes: [{ wantId: first.wantId }],
    });
    const [exchangeId = 0] = page.own?.exchangeIds ?? [];
    expect(await exchangeById(actingAs(ctx, first.actor), exchangeId)).toMatchObject({
      ...{ kind: 'ring', status: 'completed', marketDay: day, legs: { length: 7 } },
    });
    const notices = await noticesOf(ctx, first.actor);
    expect(notices.map(({ content }) => content)).toEqual([
      expect.stringMatching(/^Market day: you gave “.+” and now own “.+”\. /),
    ]);
    expect(await run()).toBe(0);
    await proven(day);
  });

  it('shows nobody else’s numbers, and no ids', async () => {
    const traders = await circle(3);
    const day = await toHour();
    await run();
    expect((await readMarketDay(ctx, day)).own).toBeNull();
    expect((await readMarketDay(actingAs(ctx, await createUser(ctx)), day)).own).toBeNull();
    const { text } = await readCertificate(ctx, day);
    const { graph } = JSON.parse(text).rounds[0];
    const numbers = graph.coupons.map((coupon: { number: number }) => coupon.number);
    expect(traders.filter(({ couponId }) => numbers.includes(couponId))).toEqual([]);
  });

  it('announces what would change hands, and whose', async () => {
    const [trader] = await circle(3);
    if (!trader) throw new Error('somebody');
    await run();
    await forecastMarketDay(ctx, signal);
    expect(await marketDayNow(actingAs(ctx, trader.actor))).toMatchObject({ coupons: 3, own: 1 });
    expect(await marketDayNow(ctx)).toMatchObject({ coupons: 3, own: 0, timeZone: 'UTC' });
    await withdrawCoupon(actingAs(ctx, trader.actor), trader.couponId);
    await forecastMarketDay(ctx, signal);
    expect(await marketDayNow(ctx)).toMatchObject({ coupons: 0 });
  });

  it.each<[string, (trader: Trader, other: Trader) => Promise<unknown>]>([
    ['is away', ({ actor }) => setAway(actingAs(ctx, actor), { until: utcDay(addDays(ctx.clock(), 5)) })],
    [
      'has paused the wish',
      ({ actor, wantId }) => pauseWant(actingAs(ctx, actor), { id: wantId, isPaused: true }),
    ],
    [
      'has blocked whom they would get from',
      ({ actor }, other) => blockPerson(actingAs(ctx, actor), { userId: other.actor.id }),
    ],
    ['has taken back the wish', ({ actor, wantId }) => withdrawWant(actingAs(ctx, actor), wantId)],
    ['asks for more worth than that', (trader) => agree(trader, { minValue: 99_999_999 })],
    ['asks for surer codes', (trader) => agree(trader, { minHealth: 60 })],
    [
      'gives theirs for more worth alone',
      ({ actor, couponId }) =>
        consentForCoupon(actingAs(ctx, actor), { couponId, minValue: 500, until: until() }),
    ],
    ['may have no more deals', ({ actor }) => busy(actor)],
  ])('leaves out whoever %s, and whose ring that was', async (_, change) => {
    const traders = await circle(3);
    const [one, , before] = traders;
    if (!one || !before) throw new Error('somebody');
    await change(one, before);
    const day = await toHour();
    expect(await run()).toBe(0);
    expect(await ownersOf(traders)).toEqual(idsOf(traders));
    await proven(day);
  });

  it('drops a ring that something has happened to since the hour, and trades the rest once more', async () => {
    const [good, bad] = [await circle(2), await circle(3)];
    const [one] = bad;
    if (!one) throw new Error('somebody');
    const day = await toHour();
    await runMarketDay(ctx, AbortSignal.abort());
    await updateCoupon(ctx, one);
    expect(await run()).toBe(2);
    expect(await ownersOf(good)).toEqual(passedOn(good));
    expect(await ownersOf(bad)).toEqual(idsOf(bad));
    expect(await readMarketDay(ctx, day)).toMatchObject({ state: 'done', traded: 2, rings: [2], dropped: 1 });
    const { text } = await readCertificate(ctx, day);
    expect(JSON.parse(text).rounds).toHaveLength(2);
    await proven(day);
  });

  it('goes on wherever it was ended', async () => {
    for (let steps = 0; steps < 12; steps += 1) {
      const traders = [...(await circle(2)), ...(await circle(3))];
      const day = await toHour();
      await runMarketDay(ctx, endsAfter(steps)).catch(() => {});
      await run();
      expect(await readMarketDay(ctx, day)).toMatchObject({ state: 'done', traded: 5, dropped: 0 });
      expect(new Set(await ownersOf(traders))).toEqual(new Set(idsOf(traders)));
      await proven(day);
    }
  });

  it('is left out when it could not be held within six hours', async () => {
    await circle(2);
    const day = await toHour(6 * 60 + 1);
    expect(await run()).toBe(0);
    expect(await readMarketDay(ctx, day)).toMatchObject({ state: 'missed', traded: null });
    await expect(readCertificate(ctx, day)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is done once by two processes at the hour', async () => {
    const traders = await circle(4);
    const day = await toHour();
    const traded = await Promise.all([run(), run()]);
    expect(traded.reduce((sum, count) => sum + count, 0)).toBe(4);
    expect(await ownersOf(traders)).toEqual(passedOn(traders));
    await run();
    await proven(day);
  });
});

/** A signal that aborts when it has been looked at so often. */
function endsAfter(steps: number): AbortSignal {
  const controller = new AbortController();
  let looks = 0;
  return new Proxy(controller.signal, {
    get(target, key) {
      if (key === 'aborted' || key === 'throwIfAborted') looks += 1;
      if (looks > steps) controller.abort();
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** Changes the title of somebody's coupon. */
async function updateCoupon({ clock, db }: typeof ctx, { couponId }: Trader): Promise<void> {
  clock.set(addMinutes(clock(), 1));
  await db
    .updateTable('coupons')
    .set({ title: 'Changed', updatedAt: clock() })
    .where('id', '=', couponId)
    .execute();
}

/** Gives somebody as many open bids as a new member may have. */
async function busy(actor: Actor): Promise<void> {
  await ctx.db.updateTable('users').set({ establishedAt: null }).where('id', '=', actor.id).execute();
  for (let count = 0; count < OPEN_DEALS_AT_FIRST; count += 1)
    await bidOn(ctx, actor, await createCoupon(ctx, await createUser(ctx)));
}
