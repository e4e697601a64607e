import { expect, it } from 'vitest';
import { createWantInputSchema } from '#contract/coupons/wants.ts';
import { importFeed } from '#server/coupons/discover/importing.ts';
import { giveOfferFeedback } from '#server/coupons/discover/offer-feedback.ts';
import { listMerchantOffers } from '#server/coupons/discover/service.ts';
import { listMerchantCoupons } from '#server/coupons/search/listing.ts';
import { createWant, pauseWant } from '#server/coupons/wants/service.ts';
import { actingAs, createCoupon, createUser, setUpFreshContext } from '#tests/support/builders.ts';
import { aFeedOffer, feedRows } from '#tests/support/feeds.ts';
import { merchantByName } from './service.ts';

const ctx = setUpFreshContext();
const couponsOf = async (merchant: string) =>
  (await listMerchantCoupons(ctx, { merchant, page: 1, limit: 10, sort: 'newest' })).items;

it('a merchant has its coupons, whole name and any spelling, and the people who look for them', async () => {
  const owner = await createUser(ctx);
  const { id } = await createCoupon(ctx, owner, { merchant: 'L’Étoile' });
  await createCoupon(ctx, owner, { merchant: 'L’Étoile du Nord' });
  await createCoupon(ctx, owner, { merchant: 'LETOILE', isActive: false });
  const [seeker, paused] = [actingAs(ctx, await createUser(ctx)), actingAs(ctx, await createUser(ctx))];
  const wish = (merchant: string) => createWantInputSchema.parse({ merchant, gives: 'nothing' });
  await createWant(seeker, wish('letoile'));
  await createWant(seeker, { ...wish('L’Étoile'), category: 'food' });
  await createWant(seeker, wish('etoile'));
  const ended = await createWant(paused, wish('L’Étoile'));
  await pauseWant(paused, { id: ended.id, isPaused: true });

  for (const name of ['L’Étoile', "l'etoile", 'LETOILE']) {
    expect(await merchantByName(ctx, { name })).toEqual({
      name: 'L’Étoile',
      key: 'letoile',
      publicCodes: 0,
      wishes: 1,
      feedback: { worked: 0, failed: 0, lastWorkedAt: null },
    });
    expect((await couponsOf(name)).map((coupon) => coupon.id)).toEqual([id]);
  }
  await expect(merchantByName(ctx, { name: 'Etoile' })).rejects.toMatchObject({ code: 'not_found' });
});

it('a merchant of a feed has its public codes, and what was said of them', async () => {
  const member = actingAs(ctx, await createUser(ctx));
  const offers = ['A', 'B'].map((code) => aFeedOffer({ code, merchant: 'Feed & Co' }));
  await importFeed(ctx, { name: 'shop', rows: feedRows(...offers) });
  const { items } = await listMerchantOffers(member, { merchant: 'Feed & Co', page: 1, limit: 10 });
  await giveOfferFeedback(member, { id: items[0]?.id ?? 0, worked: true });
  await giveOfferFeedback(member, { id: items[1]?.id ?? 0, worked: false });
  expect(await merchantByName(ctx, { name: 'feed & co' })).toMatchObject({
    name: 'Feed & Co',
    publicCodes: 2,
    feedback: { worked: 1, failed: 1, lastWorkedAt: ctx.clock().toISOString() },
  });
});
