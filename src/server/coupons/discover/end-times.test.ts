import { expect, it } from 'vitest';
import { discoverInputSchema } from '#contract/coupons/discover.ts';
import { actingAs, createTestClock, createTestContext, createUser } from '#tests/support/builders.ts';
import { setUpDatabase } from '#tests/support/database.ts';
import { aFeedOffer, feedRows } from '#tests/support/feeds.ts';
import { importFeed } from './importing.ts';
import { giveOfferFeedback } from './offer-feedback.ts';
import { importOffer, listDiscover, listMerchantOffers } from './service.ts';

const database = setUpDatabase();

it('an offer that ends within its day is gone once its time has passed, where the feed names the zone', async () => {
  const clock = createTestClock();
  clock.set(new Date('2026-03-10T08:00:00Z'));
  const ctx = createTestContext(database, { clock });
  const me = actingAs(ctx, await createUser(ctx));
  const expiryDate = '2026-03-10';
  const offers = [
    { code: 'ENDS-AT-NOON', endTime: '2026-03-10T13:00:00+01:00' },
    { code: 'ENDS-AT-TEN', endTime: '2026-03-10T22:00:00Z' },
    { code: 'ENDS-SOMEWHERE', endTime: '2026-03-10T09:00:00' },
    { code: 'ENDS-TODAY', endTime: null },
  ];
  await importFeed(ctx, {
    name: 'shop',
    rows: feedRows(...offers.map((offer) => aFeedOffer({ ...offer, expiryDate }))),
  });
  const shown = async () => {
    const { items } = await listMerchantOffers(me, { merchant: 'Acme', page: 1, limit: 50 });
    const groups = await listDiscover(me, discoverInputSchema.parse({}));
    const codes = items.map(({ code }) => code);
    expect(groups.items.flatMap(({ coupons }) => coupons.map(({ code }) => code))).toEqual(codes);
    return codes;
  };
  const all = offers.map(({ code }) => code);
  expect(await shown()).toEqual(all);
  const { items } = await listMerchantOffers(me, { merchant: 'Acme', page: 1, limit: 1 });

  clock.set(new Date('2026-03-10T12:00:00Z'));
  expect(await shown()).toEqual(all.slice(1));
  const gone = { code: 'not_found' };
  await expect(importOffer(me, { code: 'ENDS-AT-NOON', merchant: 'Acme' })).rejects.toMatchObject(gone);
  await expect(giveOfferFeedback(me, { id: items[0]?.id ?? 0, worked: true })).rejects.toMatchObject(gone);

  clock.set(new Date('2026-03-10T23:30:00Z'));
  expect(await shown()).toEqual(all.slice(2));
});
