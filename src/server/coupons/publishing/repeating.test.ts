import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { removeCoupon } from '#server/deals/coupon-changes/service.ts';
import { proposeExchange } from '#server/deals/exchanges/proposing.ts';
import { setExchangeStatus } from '#server/deals/exchanges/service.ts';
import { actingAs, createUser, setUpContext } from '#tests/support/builders.ts';
import { listCoupon } from '#tests/support/coupons.ts';
import { MANY_CONNECTIONS, setUpDatabase } from '#tests/support/database.ts';

/** A coupon that is sent again, since the answer was lost on its way to the browser. */

const database = setUpDatabase({ connections: MANY_CONNECTIONS });
const ctx = setUpContext(database);

const idsOf = async ({ id }: Actor) =>
  (await ctx.db.selectFrom('coupons').select('id').where('ownerId', '=', id).orderBy('id').execute()).map(
    (row) => row.id,
  );

it.each([{ codeValue: null }, { codeValue: 'SENT-TWICE-1' }])('is listed once: %o', async (fields) => {
  const owner = await createUser(ctx);
  const clientKey = randomUUID();
  const first = await listCoupon(ctx, owner, { ...fields, clientKey });
  expect(await listCoupon(ctx, owner, { ...fields, clientKey })).toEqual(first);
  expect(await idsOf(owner)).toEqual([first.id]);
});

it('is listed once when it is sent several times at the same moment', async () => {
  for (const fields of [{ codeValue: null }, { codeValue: 'SENT-AT-ONCE' }]) {
    const owner = await createUser(ctx);
    const clientKey = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => listCoupon(ctx, owner, { ...fields, clientKey })),
    );
    expect(await idsOf(owner)).toEqual([answers[0]?.id]);
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  }
});

it('is another one with another key, with none, of somebody else, or once the first is deleted', async () => {
  const [owner, other] = [await createUser(ctx), await createUser(ctx)];
  const clientKey = randomUUID();
  const first = await listCoupon(ctx, owner, { clientKey });
  await listCoupon(ctx, other, { clientKey });
  expect(await idsOf(other)).not.toContain(first.id);
  await listCoupon(ctx, owner, { clientKey: randomUUID() });
  await listCoupon(ctx, owner);
  await listCoupon(ctx, owner);
  expect(await idsOf(owner)).toHaveLength(4);
  await removeCoupon(actingAs(ctx, owner), first.id);
  const again = await listCoupon(ctx, owner, { clientKey });
  expect(again.id).not.toBe(first.id);
});

it('can be swapped for one with the same key, and is then no longer the former owner’s', async () => {
  const [owner, requester] = [await createUser(ctx), await createUser(ctx)];
  const clientKey = randomUUID();
  const wanted = await listCoupon(ctx, owner, { clientKey, codeValue: 'SWAPPED-AWAY' });
  const offered = await listCoupon(ctx, requester, { clientKey });
  const offer = { requestedCouponId: wanted.id, offeredCouponId: offered.id, message: null };
  const { id } = await proposeExchange(actingAs(ctx, requester), offer);
  for (const status of ['accepted', 'completed'] as const)
    await setExchangeStatus(actingAs(ctx, owner), { id, status });
  const repeat = listCoupon(ctx, owner, { clientKey, codeValue: 'SWAPPED-AWAY' });
  await expect(repeat).rejects.toMatchObject({ code: 'code_listed' });
});
