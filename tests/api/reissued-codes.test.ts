import { beforeAll, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { continueReissues } from '#server/deals/exchanges/reissuing.ts';
import { keptLog, OUR_PAGE, setUpApp, type TestCall } from '#tests/support/app.ts';
import { createCoupon, createUser, type TestCoupon } from '#tests/support/builders.ts';
import { insertImage } from '#tests/support/images.ts';
import { setUpProgramme } from '#tests/support/voucher-programme.ts';
import { MERCHANT } from '#tests/support/voucher-sandbox.ts';

/** Codes that a programme replaces, seen from the API: who is told what, and that no answer or log line has a code. */

const programme = setUpProgramme();
const { log, lines: written } = keptLog('trace');
const test = setUpApp({ providers: { validators: programme.validators }, log });
let [ana, ben] = [{} as Actor, {} as Actor];
beforeAll(async () => {
  [ana, ben] = [await createUser(test.ctx), await createUser(test.ctx)];
});

async function call(who: Actor | null, request: TestCall) {
  const answer = await test.call(who, request);
  const isReveal = request.url.endsWith('/reveal');
  if (!isReveal) written.push(answer.body);
  return answer;
}

async function issued(owner: Actor, code: string): Promise<TestCoupon> {
  programme.issue(code);
  return createCoupon(test.ctx, owner, { merchant: MERCHANT, code });
}

const reveal = (who: Actor, { id }: TestCoupon) =>
  call(who, { method: 'POST', url: `/api/coupons/${id}/reveal` });
const read = async (who: Actor, { id }: TestCoupon) =>
  (await call(who, { method: 'GET', url: `/api/coupons/${id}` })).json();
const complete = (who: Actor, id: number) =>
  call(who, { method: 'PATCH', url: `/api/exchanges/${id}/status`, body: { status: 'completed' } });

/** The codes that the programme has made and issued. */
const everyCode = () => [...programme.vouchers.keys()];

it('a swap gives both a new code that no answer and no log line has', async () => {
  const [offered, requested] = [await issued(ana, 'ANA-KQZ-4711'), await issued(ben, 'BEN-KQZ-4712')];
  await insertImage(test.ctx, ana, { kind: 'qrcode', couponId: offered.id });
  expect(await read(ben, offered)).toMatchObject({ isReissuable: true, reissuedAt: null });
  const body = { offeredCouponId: offered.id, requestedCouponId: requested.id };
  const { id } = (await call(ana, { method: 'POST', url: '/api/exchanges', body })).json();
  const accepted = { status: 'accepted' };
  await call(ben, { method: 'PATCH', url: `/api/exchanges/${id}/status`, body: accepted });
  let count = 0;
  programme.stopping = (request) => {
    if (request.includes('/v1/vouchers')) count += 1;
    return count > 6 ? 'before' : null;
  };
  const failed = await complete(ana, id);
  expect([failed.statusCode, failed.json().code]).toEqual([409, 'conflict']);
  expect(failed.json().error).toContain('did not answer when we asked for a new code');
  expect((await reveal(ana, offered)).json().code).toBe('code_on_its_way');
  const picture = { method: 'GET', url: `/api/coupons/${offered.id}/qrcode`, headers: OUR_PAGE } as const;
  expect((await call(ana, picture)).statusCode).toBe(409);
  programme.stopping = null;
  for (let minutes = 0; minutes < 3; minutes += 1) {
    test.ctx.clock.advanceDays(2 / 1_440);
    await continueReissues(test.ctx);
  }
  expect((await reveal(ana, offered)).json().codeValue).toBe('ANA-KQZ-4711');
  const done = await complete(ana, id);
  expect(done.statusCode, done.body).toBe(200);
  expect(done.json().offeredCoupon).toMatchObject({ ownerId: ben.id, reissuedAt: expect.any(String) });
  const got = await read(ben, offered);
  expect(got).toMatchObject({ reissuedAt: expect.any(String), isVerified: true, qrCodeUrl: null });
  // Drawn from the new code instead of the old picture.
  expect(got.drawnQrCodeUrl).toEqual(expect.any(String));
  const { codeValue } = (await reveal(ben, offered)).json();
  expect(programme.isValid(codeValue)).toBe(true);
  expect(programme.isValid('ANA-KQZ-4711')).toBe(false);
  await call(ben, { method: 'GET', url: '/api/user/history' });
  expect(everyCode().length).toBeGreaterThan(3);
  for (const code of everyCode()) expect(written.join('\n')).not.toContain(code);
});
