import { beforeEach, describe, expect, it } from 'vitest';
import type { MemberContext } from '#server/context/context.ts';
import { createRateLimiter } from '#server/database/rate-limits.ts';
import { actingAs, createUser, setUpFreshContext, type TestContext } from '#tests/support/builders.ts';
import { MANY_CONNECTIONS, setUpDatabase } from '#tests/support/database.ts';
import { aFeedOffer, feedRows } from '#tests/support/feeds.ts';
import { importFeed } from './importing.ts';
import { giveOfferFeedback, lapseFeedback } from './offer-feedback.ts';
import { importOffer, listMerchantOffers } from './service.ts';

const database = setUpDatabase({ connections: MANY_CONNECTIONS });
const ctx = setUpFreshContext(database);
let me: TestContext & MemberContext;
beforeEach(async () => {
  me = actingAs(ctx, await createUser(ctx));
  await database.pool.query(
    'truncate feeds, feed_offers, feed_merchants, code_feedback, offer_scores cascade',
  );
});

const feed = (...codes: string[]) =>
  importFeed(ctx, { name: 'shop', rows: feedRows(...codes.map((code) => aFeedOffer({ code }))) });
const offers = async (who: MemberContext = me) =>
  (await listMerchantOffers(who, { merchant: 'Acme', page: 1, limit: 50 })).items;
const codes = async () => (await offers()).map(({ code }) => code);
async function tell(code: string, worked: boolean, who: MemberContext = me) {
  const found = (await offers(who)).find((offer) => offer.code === code);
  return giveOfferFeedback(who, { id: found?.id ?? 0, worked });
}
const another = async () => actingAs(ctx, await createUser(ctx));

describe('whether a public code worked', () => {
  it('is said once by a person, can be changed, and orders the offers [spec/3 2.24]', async () => {
    await feed('A', 'B', 'C');
    expect(await codes()).toEqual(['A', 'B', 'C']);
    const at = ctx.clock().toISOString();
    expect(await tell('A', false)).toEqual({ worked: 0, failed: 1, lastWorkedAt: null, own: false });
    expect(await tell('C', true)).toEqual({ worked: 1, failed: 0, lastWorkedAt: at, own: true });
    expect(await codes()).toEqual(['C', 'B', 'A']);
    expect(await tell('A', true)).toMatchObject({ worked: 1, failed: 0, own: true });
    expect(await tell('A', true, await another())).toMatchObject({ worked: 2 });
    expect(await codes()).toEqual(['A', 'C', 'B']);
    const [first] = await offers(await another());
    expect(first?.feedback).toEqual({ worked: 2, failed: 0, lastWorkedAt: at, own: null });
  });

  it('counts for 30 days, and the latest success stays', async () => {
    await feed('A', 'B');
    await tell('A', false);
    ctx.clock.advanceDays(10);
    const at = ctx.clock().toISOString();
    await tell('A', true, await another());
    expect(await lapseFeedback(ctx)).toBe(0);
    ctx.clock.advanceDays(20);
    expect(await lapseFeedback(ctx)).toBe(1);
    expect((await offers())[0]?.feedback).toEqual({ worked: 1, failed: 0, lastWorkedAt: at, own: false });
    ctx.clock.advanceDays(10);
    expect(await lapseFeedback(ctx)).toBe(1);
    expect((await offers())[0]).toMatchObject({
      code: 'A',
      feedback: { worked: 0, failed: 0, lastWorkedAt: at },
    });
    expect(await lapseFeedback(ctx)).toBe(0);
  });

  it('survives a feed that drops the code and brings it again', async () => {
    await feed('A', 'B');
    await tell('B', true);
    await feed('A');
    await feed('A', 'B');
    expect(await codes()).toEqual(['B', 'A']);
    expect((await offers())[0]?.feedback).toMatchObject({ worked: 1, own: true });
  });

  it('is said also by who has imported the code, but not of an unknown offer, or without end', async () => {
    await feed('A');
    await importOffer(me, { merchant: 'Acme', code: 'A' });
    expect(await tell('A', true)).toMatchObject({ worked: 1, own: true });
    await expect(tell('NONE', true)).rejects.toThrow();
    const eager = { ...(await another()), limiter: createRateLimiter(database.pool) };
    for (let count = 0; count < 60; count += 1) await tell('A', count % 2 === 0, eager);
    await expect(tell('A', true, eager)).rejects.toMatchObject({ code: 'rate_limited' });
    expect((await offers())[0]?.feedback).toMatchObject({ worked: 1, failed: 1 });
  });

  it('is counted rightly when many people answer at once', async () => {
    await feed('A');
    const people = await Promise.all([1, 2, 3, 4, 5].map(another));
    await Promise.all(people.map((who) => tell('A', true, who)));
    expect((await offers())[0]?.feedback).toMatchObject({ worked: 5, failed: 0 });
  });
});
