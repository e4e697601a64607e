import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { addDays } from '#server/core/clock.ts';
import { countCodeTry } from '#server/coupons/core/code-tries.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createCoupon, createUser } from '#tests/support/builders.ts';
import { anOffer, listCoupon } from '#tests/support/coupons.ts';
import { MANY_CONNECTIONS } from '#tests/support/database.ts';
import { insertImage } from '#tests/support/images.ts';

/** Somebody tries to find out another person's code: a known beginning and three unknown digits. */

const MERCHANT = 'Corner Coffee';
const HIDDEN = 'LATTE-2035-417';
const TRIES = 20;
const MANY = 25;

const test = setUpApp({ withLimits: true, connections: MANY_CONNECTIONS });
beforeAll(async () => {
  const quiet = { ...test.ctx, limiter: { ...test.ctx.limiter, consume: async () => 0 } };
  await listCoupon(quiet, await createUser(quiet), { merchant: MERCHANT, codeValue: HIDDEN });
});
beforeEach(() => test.database.db.deleteFrom('rateLimits').execute());

/** Somebody who has been here for long, so that only guessing is limited. */
const veteran = () => createUser(test.ctx, { createdAt: addDays(test.ctx.clock(), -365) });
const guessed = (number: number) => `LATTE-2035-${String(number).padStart(3, '0')}`;

interface Guess {
  readonly who: Actor;
  readonly code: string;
  readonly ip?: string;
  readonly merchant?: string;
}

/** Every way to bring a code; each resolves to the status of the answer. */
const ROUTES: Record<string, (guess: Guess) => Promise<number>> = {
  async create({ who, code, merchant = MERCHANT, ...from }) {
    const body = { ...anOffer(), merchant, codeValue: code };
    return (await test.call(who, { method: 'POST', url: '/api/coupons', body, ...from })).statusCode;
  },
  async edit({ who, code, merchant = MERCHANT, ...from }) {
    const { id } = await createCoupon(test.ctx, who);
    const body = { ...anOffer(), merchant, codeValue: code };
    return (await test.call(who, { method: 'PATCH', url: `/api/coupons/${id}`, body, ...from })).statusCode;
  },
  async validate({ who, code, merchant = MERCHANT, ...from }) {
    const body = { merchant, code, ownershipConfirmation: true };
    return (await test.call(who, { method: 'POST', url: '/api/validate-coupon', body, ...from })).statusCode;
  },
  async upload({ who, code, merchant = MERCHANT, ...from }) {
    const { url: qrCodeUrl } = await insertImage(test.ctx, who, { code });
    const body = { ...anOffer(), merchant, codeValue: null, qrCodeUrl };
    return (await test.call(who, { method: 'POST', url: '/api/coupons', body, ...from })).statusCode;
  },
  async import({ who, code, merchant = MERCHANT, ...from }) {
    const body = { merchant, code };
    return (await test.call(who, { method: 'POST', url: '/api/coupons/import', body, ...from })).statusCode;
  },
};
const NAMES = Object.keys(ROUTES);
const by = (name: string | undefined, guess: Guess) => {
  const route = ROUTES[name ?? ''];
  if (!route) throw new Error(`no route ${name}`);
  return route(guess);
};

/** How many of the guesses were answered with anything but "too many". */
async function answered(guesses: readonly (() => Promise<number>)[]): Promise<number> {
  let count = 0;
  for (const guess of guesses) if ((await guess()) !== 429) count += 1;
  return count;
}

const times = <Item>(count: number, make: (i: number) => Item) =>
  Array.from({ length: count }, (_, i) => make(i));

describe('guessing a code of a merchant', () => {
  it.each(NAMES)('stops after 20 tries an hour by %s', async (name) => {
    const who = await veteran();
    const guesses = times(TRIES + 5, (i) => () => by(name, { who, code: guessed(i) }));
    expect(await answered(guesses)).toBe(TRIES);
    // Right or wrong, the answer is the same.
    if (name === 'import') return;
    expect(await by(name, { who, code: HIDDEN })).toBe(429);
  });

  it('stops after 20 tries an hour by all ways together', async () => {
    const who = await veteran();
    const guesses = times(TRIES + 10, (i) => () => by(NAMES[i % NAMES.length], { who, code: guessed(i) }));
    expect(await answered(guesses)).toBe(TRIES);
  });

  it(`stops for ${MANY} people at one address`, async () => {
    const people = await Promise.all(times(MANY, veteran));
    const guesses = people.map((who, i) => () => by('edit', { who, code: guessed(i), ip: '203.0.113.7' }));
    expect(await answered(guesses)).toBe(TRIES);
    expect(await by('edit', { who: await veteran(), code: guessed(500), ip: '203.0.113.8' })).not.toBe(429);
  });

  it(`stops for one person at ${MANY} addresses`, async () => {
    const who = await veteran();
    const guesses = times(MANY, (i) => () => by('edit', { who, code: guessed(i), ip: `198.51.100.${i}` }));
    expect(await answered(guesses)).toBe(TRIES);
  });

  it('gets no further with another spelling of the merchant', async () => {
    const spellings = [
      MERCHANT,
      'CORNER  COFFEE',
      'Corner-Coffee',
      'CornerCoffee',
      'Ｃｏｒｎｅｒ Ｃｏｆｆｅｅ',
      'Córner Coffee',
    ];
    const who = await veteran();
    const guesses = times(40, (i) => () => {
      const merchant = spellings[i % spellings.length] ?? MERCHANT;
      return by('create', { who, code: guessed(i), merchant });
    });
    expect(await answered(guesses)).toBe(TRIES);
  });
});

describe('guessing a code over many networks', () => {
  it.each([
    ['/64s of one /56', (i: number) => `2001:db8:1:${(i % 256).toString(16)}::1`, 4],
    ['/56s of one /48', (i: number) => `2001:db8:1:${((i % 256) * 256).toString(16)}::1`, 16],
  ])('stops over the %s', async (_networks, ip, allowance) => {
    const most = TRIES * allowance;
    let got = 0;
    for (let i = 0; i < most + 20; i += 1) {
      const visitor = { ...test.ctx, actor: null, ip: ip(i) };
      const isCounted = await countCodeTry(visitor, { merchant: MERCHANT, code: guessed(i) }).then(
        () => true,
        () => false,
      );
      if (isCounted) got += 1;
    }
    expect(got).toBe(most);
  });
});

describe('an honest seller', () => {
  it('lists 100 coupons in an hour, 20 of each merchant, and no more', async () => {
    const who = await veteran();
    const sale = times(101, (i) => ({
      who,
      code: `SALE-${i}`,
      merchant: `Shop number ${Math.floor(i / 20)}`,
    }));
    const statuses: number[] = [];
    for (const coupon of sale) statuses.push(await by('create', coupon));
    expect(statuses.slice(0, 100)).toEqual(times(100, () => 201));
    expect(statuses[100]).toBe(429);
  });

  it('validates a code and lists it, which counts once', async () => {
    const who = await veteran();
    for (let i = 0; i < TRIES; i += 1) {
      const code = `CHECKED-${i}`;
      expect(await by('validate', { who, code })).toBe(200);
      expect(await by('create', { who, code })).toBe(201);
    }
    expect(await by('create', { who, code: 'CHECKED-20' })).toBe(429);
  });

  it('edits a coupon without touching its code as often as they like', async () => {
    const who = await veteran();
    const offer = anOffer();
    const listed = await test.call(who, { method: 'POST', url: '/api/coupons', body: offer });
    const edit = { method: 'PATCH', url: `/api/coupons/${listed.json().id}` } as const;
    for (let i = 0; i < 30; i += 1) {
      const { codeValue, ...words } = { ...offer, title: `Title number ${i}` };
      const body = i % 2 ? words : { ...words, codeValue };
      expect((await test.call(who, { ...edit, body })).statusCode).toBe(200);
    }
    expect((await test.call(who, { ...edit, body: { ...offer, codeValue: 'A-NEW-CODE' } })).statusCode).toBe(
      200,
    );
  });

  it('reads the codes off 100 pictures an hour', async () => {
    const who = await veteran();
    const read = async (code: string) => {
      const { url: imageUrl } = await insertImage(test.ctx, who, { code });
      const body = { imageUrl, imageType: 'qrcode' };
      return (await test.call(who, { method: 'POST', url: '/api/extract-code', body })).statusCode;
    };
    for (let i = 0; i < 100; i += 1) expect(await read(`PICTURED-${i}`)).toBe(200);
    expect(await read('PICTURED-100')).toBe(429);
    expect(await read('PICTURED-0')).toBe(200);
  });
});

describe('proposing', () => {
  it('is limited to 60 exchanges an hour', async () => {
    const [who, owner] = [await veteran(), await veteran()];
    const propose = async () => {
      const [{ id }, offered] = [await createCoupon(test.ctx, owner), await createCoupon(test.ctx, who)];
      const body = { requestedCouponId: id, offeredCouponId: offered.id };
      return (await test.call(who, { method: 'POST', url: '/api/exchanges', body })).statusCode;
    };
    const statuses: number[] = [];
    for (let i = 0; i < 61; i += 1) statuses.push(await propose());
    expect(statuses.slice(0, 60)).toEqual(times(60, () => 201));
    expect(statuses[60]).toBe(429);
  });
});
