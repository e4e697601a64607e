import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { startSession } from '#server/people/sessions/sessions.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createCoupon, createUser, TEST_PASSWORD } from '#tests/support/builders.ts';
import { checkInvariants } from '#tests/support/invariants.ts';
import { createRandom } from '#tests/support/random.ts';
import { freePort } from '../browser/site.ts';
import { drawFixture, SECOND_CODE } from '../fixtures/codes.ts';
import { type ServerProcess, spawnProgram, untilReady } from '../processes.ts';
import { addDisk } from './full-disk.ts';

const test = setUpApp({ withLimits: true });

describe('a database without room', () => {
  let one: Actor;
  let requestedCouponId: number;
  let offeredCouponId: number;
  let setFull: (isFull: boolean) => Promise<void>;
  beforeAll(async () => {
    [one] = [await createUser(test.ctx)];
    requestedCouponId = (await createCoupon(test.ctx, await createUser(test.ctx))).id;
    offeredCouponId = (await createCoupon(test.ctx, one)).id;
    setFull = await addDisk(test.database.db);
  });

  const read = () => test.call(null, { method: 'GET', url: '/api/coupons' });
  const writes = () => [
    test.call(one, { method: 'POST', url: '/api/save-coupon', body: { couponId: requestedCouponId } }),
    test.call(one, { method: 'POST', url: '/api/exchanges', body: { requestedCouponId, offeredCouponId } }),
    test.call(null, {
      method: 'POST',
      url: '/api/register',
      body: {
        username: 'late-comer',
        email: 'late@example.org',
        password: TEST_PASSWORD,
        acceptTerms: true,
        isAdult: true,
      },
    }),
  ];
  const counts = async () => {
    const of = (table: 'savedCoupons' | 'exchanges' | 'users' | 'auditLog' | 'mailOutbox') =>
      test.database.db
        .selectFrom(table)
        .select(({ fn }) => fn.countAll().as('rows'))
        .executeTakeFirst();
    return Promise.all([of('savedCoupons'), of('exchanges'), of('users'), of('auditLog'), of('mailOutbox')]);
  };

  it('refuses writes with 503 and stores no part of them, still shows coupons, and heals', async () => {
    // Sessions are opened while there is room.
    expect((await test.call(one, { method: 'GET', url: '/api/my-coupons' })).statusCode).toBe(200);
    const before = await counts();
    await setFull(true);
    for (const answer of await Promise.all(writes())) {
      expect([answer.statusCode, answer.headers['retry-after'], answer.json()]).toEqual([
        503,
        '2',
        {
          error: 'ClipSwap is not available right now. Please try again in a moment.',
          code: 'unavailable',
          requestId: expect.any(String),
        },
      ]);
    }
    expect((await read()).statusCode).toBe(200);
    expect(await counts()).toEqual(before);
    await setFull(false);
    expect((await Promise.all(writes())).map(({ statusCode }) => statusCode < 300)).toEqual([
      true,
      true,
      true,
    ]);
    expect(await checkInvariants(test.database.db)).toEqual([]);
  });
});

describe('a folder for pictures without room', () => {
  /** No file may have more: between 8 and 16 kilobytes, since shells count in different blocks. */
  const BLOCKS = 16;
  let folder: string;
  let server: ServerProcess;
  let cookie: string;
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'clipswap-full-'));
    const { token } = await startSession(test.ctx.db, () => new Date(), (await createUser(test.ctx)).id);
    cookie = `clipswap=${token}`;
    const settings = {
      DATABASE_URL: test.database.url,
      FILES_DIR: folder,
      SECRET_KEY: Buffer.alloc(32, 'test vault key').toString('base64'),
      PORT: String(await freePort()),
      PUBLIC_URL: 'http://localhost',
    };
    server = await spawnProgram(settings, { fileBlocks: BLOCKS });
    await untilReady(server);
  });
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  const files = () =>
    readdirSync(folder, { recursive: true, withFileTypes: true }).filter((at) => at.isFile());

  async function upload(picture: Buffer): Promise<{ status: number; said: unknown }> {
    const form = new FormData();
    form.set('image', new File([new Uint8Array(picture)], 'code.png', { type: 'image/png' }));
    const answer = await fetch(`${server.url}/api/upload/qrcode`, {
      method: 'POST',
      headers: { cookie },
      body: form,
    });
    return { status: answer.status, said: await answer.json() };
  }

  it('refuses a picture with 503, keeps no part of it, and keeps the next that has room', async () => {
    const random = createRandom(1);
    const noise = Buffer.from(Array.from({ length: 300 * 300 * 3 }, () => random(256)));
    const large = await sharp(noise, { raw: { width: 300, height: 300, channels: 3 } })
      .png()
      .toBuffer();
    expect(await upload(large)).toEqual({
      status: 503,
      said: {
        error: 'Pictures are not available right now. Please try again in a moment.',
        code: 'unavailable',
        requestId: expect.any(String),
      },
    });
    expect(files()).toEqual([]);
    expect(server.isAlive(), server.output()).toBe(true);
    expect((await upload(await drawFixture(SECOND_CODE))).status).toBe(201);
    expect(files()).toHaveLength(1);
  });
});
