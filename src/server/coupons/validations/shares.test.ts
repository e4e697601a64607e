import { beforeEach, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { createRateLimiter } from '#server/database/rate-limits.ts';
import { openValidators } from '#server/providers/validators/open-validators.ts';
import {
  actingAs,
  createCoupon,
  createTestContext,
  createUser,
  type TestContext,
} from '#tests/support/builders.ts';
import { MERCHANT, setUpVouchers, voucherifyAt } from '#tests/support/voucher-sandbox.ts';
import { validateCode } from './service.ts';

/** Nobody uses up the questions that a merchant's own account answers in a day. */

const { ctx, database, sandbox } = setUpVouchers();
let limited: TestContext;
let couponId = 0;
beforeEach(async () => {
  const adapter = voucherifyAt(sandbox.baseUrl, { merchants: [MERCHANT], failuresToOpen: 1_000 });
  const validators = openValidators({ adapters: [adapter] });
  const base = createTestContext(database, { clock: ctx.clock, providers: { validators } });
  limited = { ...base, limiter: createRateLimiter(database.pool) };
  couponId = (await createCoupon(ctx, await createUser(ctx), { merchant: MERCHANT })).id;
});

let asked = 0;
/** How many of these questions about the codes of listed coupons are answered. */
async function answered(who: Actor, questions: number): Promise<number> {
  let count = 0;
  for (let i = 0; i < questions; i += 1) {
    asked += 1;
    const question = {
      merchant: MERCHANT,
      code: `LISTED-${asked}`,
      source: 'auto',
      couponId,
      disclaimer: null,
    } as const;
    const isAnswered = await validateCode(actingAs(limited, who), question).then(
      () => true,
      () => false,
    );
    if (isAnswered) count += 1;
  }
  return count;
}

it('one person asks a quarter of them, strangers all, and established people as before', async () => {
  const strangers = [];
  for (let i = 0; i < 5; i += 1) strangers.push(await createUser(ctx, { establishedAt: null }));
  const counts = [];
  for (const stranger of strangers) counts.push(await answered(stranger, 26));
  expect(counts).toEqual([25, 25, 25, 25, 0]);
  expect(await answered(await createUser(ctx), 26)).toBe(25);
});
