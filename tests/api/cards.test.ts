import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { cardPath, ringCardPath } from '#contract/coupons/cards.ts';
import type { Actor } from '#server/context/context.ts';
import { utcDay } from '#server/core/clock.ts';
import { inLanguage } from '#server/core/language.ts';
import type { Card } from '#server/readers/pictures/pictures.ts';
import { createTestApp, setUpApp } from '#tests/support/app.ts';
import { createCoupon, createUser, type TestCoupon } from '#tests/support/builders.ts';

/** The drawn tickets for link previews. */

const test = setUpApp();
let owner: Actor;
beforeAll(async () => {
  owner = await createUser(test.ctx);
});

const get = (url: string) => test.call(null, { method: 'GET', url });
const pathOf = async ({ id }: TestCoupon) => cardPath((await get(`/api/coupons/${id}`)).json());
const SITE = cardPath(null);

describe('the ticket of a coupon', () => {
  it('is a drawing at an address that may be kept for ever', async () => {
    const path = await pathOf(await createCoupon(test.ctx, owner));
    const answer = await get(path);
    expect(answer.statusCode, answer.body).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect((await sharp(answer.rawPayload).metadata()).width).toBe(1200);
    const site = await get(SITE);
    expect(site.rawPayload.equals(answer.rawPayload)).toBe(false);
  });

  it('is drawn in the language of its address, whoever asks', async () => {
    const coupon = await createCoupon(test.ctx, owner, { expiryDate: '2036-02-01' });
    const { updatedAt } = (await get(`/api/coupons/${coupon.id}`)).json();
    const [english, french] = (['en', 'fr'] as const).map((language) =>
      inLanguage(language, () => cardPath({ id: coupon.id, updatedAt })),
    );
    const [one, other] = [await get(english ?? ''), await get(french ?? '')];
    expect([one.statusCode, other.statusCode]).toEqual([200, 200]);
    expect(one.rawPayload.equals(other.rawPayload)).toBe(false);
  });

  it('has a new address after an edit, to which the old one leads', async () => {
    const coupon = await createCoupon(test.ctx, owner, { title: 'One loaf' });
    const before = await pathOf(coupon);
    const change = { title: 'Two loaves', updatedAt: new Date(test.ctx.clock().getTime() + 1_000) };
    await test.ctx.db.updateTable('coupons').set(change).where('id', '=', coupon.id).execute();
    const after = await pathOf(coupon);
    expect(after).not.toBe(before);
    const moved = await get(before);
    expect([moved.statusCode, moved.headers.location, moved.headers['cache-control']]).toEqual([
      302,
      after,
      'no-cache',
    ]);
    expect((await get(after)).statusCode).toBe(200);
  });

  it.each<[string, object]>([
    ['hidden', { isActive: false }],
    ['expired', { expiryDate: utcDay(new Date('2020-01-01')) }],
  ])('is that of the site once the coupon is %s', async (_state, change) => {
    const coupon = await createCoupon(test.ctx, owner);
    const path = await pathOf(coupon);
    await test.ctx.db.updateTable('coupons').set(change).where('id', '=', coupon.id).execute();
    const answer = await get(path);
    expect([answer.statusCode, answer.headers.location]).toEqual([302, SITE]);
  });

  it.each(['site.png', '999999-1-v1.png', 'x', '0-1-v1.png', 'ring.9-v2.png'])(
    'is that of the site at %s',
    async (file) => {
      expect((await get(`/api/cards/${file}`)).headers.location).toBe(SITE);
    },
  );

  it('is drawn once for all who ask at once', async () => {
    const { pictures } = test.ctx.providers;
    const card: Card = {
      stub: ['20.00%', 'off'],
      merchant: 'Bakery Lane',
      title: 'Asked for twice',
      note: 'No expiry',
      market: 'ClipSwap',
      colors: { paper: '#f3ecdf', ticket: '#fffdf9', ink: '#241c15', dimmed: '#6a5e4e', market: '#c2431f' },
    };
    const [one, other] = [pictures.drawCard(card), pictures.drawCard({ ...card })];
    expect(one).toBe(other);
    await one;
  });
});

it('a ring of each size has a ticket of its own', async () => {
  const [three, four] = [await get(ringCardPath(3)), await get(ringCardPath(4))];
  expect([three.statusCode, four.statusCode]).toEqual([200, 200]);
  expect(three.rawPayload.equals(four.rawPayload)).toBe(false);
});

it('tickets are limited an address, so that nobody keeps uploads from being processed', async () => {
  const limited = await createTestApp({ withLimits: true });
  const coupon = await createCoupon(limited.ctx, await createUser(limited.ctx));
  const ask = (url: string) => limited.call(null, { method: 'GET', url });
  const path = cardPath((await ask(`/api/coupons/${coupon.id}`)).json());
  for (let count = 0; count < 120; count += 1) expect((await ask(path)).statusCode).toBe(200);
  const refused = await ask(path);
  expect(refused.statusCode).toBe(429);
  expect(refused.headers['retry-after']).toBeDefined();
  await limited.close();
});
