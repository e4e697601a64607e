import { expect, it } from 'vitest';
import { updateCouponInputSchema } from '#contract/coupons/coupons.ts';
import type { Actor } from '#server/context/context.ts';
import { inTransaction } from '#server/database/client.ts';
import { updateCoupon } from '#server/deals/coupon-changes/service.ts';
import { actingAs, createUser, setUpContext } from '#tests/support/builders.ts';
import { listCoupon } from '#tests/support/coupons.ts';
import { move, propose, twoPeople } from '#tests/support/exchanges.ts';
import { exportCoupons } from './exporting.ts';
import { keepCodes } from './kept-codes.ts';
import { replaceCode } from './reissues-store.ts';
import { revealCode } from './reveals.ts';

const ctx = setUpContext();

const PIN = { pin: '4471' };
const NO_CODE = { code: 'bad_input', issues: [{ path: 'pin' }] };
const pinOf = async (owner: Actor, id: number) => (await revealCode(actingAs(ctx, owner), id)).pin;
const edit = (owner: Actor, fields: { id: number } & Record<string, unknown>) =>
  updateCoupon(actingAs(ctx, owner), updateCouponInputSchema.parse(fields));

async function exported(ownerId: number, hasCodes: boolean): Promise<string[]> {
  const pins: string[] = [];
  for await (const { pin } of exportCoupons(ctx, { ownerId, hasCodes })) pins.push(pin);
  return pins;
}

it('a PIN is shown wherever its code is shown to its owner, and nowhere else', async () => {
  const owner = await createUser(ctx);
  const coupon = await listCoupon(ctx, owner, { codeValue: 'CARD-0001', ...PIN });
  expect(JSON.stringify(coupon)).not.toContain(PIN.pin);
  expect(await pinOf(owner, coupon.id)).toBe(PIN.pin);
  const { codes } = await keepCodes(actingAs(ctx, owner), { known: [], only: null });
  expect(codes).toMatchObject([PIN]);
  expect([await exported(owner.id, true), await exported(owner.id, false)]).toEqual([[PIN.pin], ['']]);
  const stranger = await createUser(ctx);
  await expect(pinOf(stranger, coupon.id)).rejects.toMatchObject({ code: 'forbidden' });
  const { pin } = await ctx.db.selectFrom('couponSecrets').select('pin').executeTakeFirstOrThrow();
  expect(pin?.toString('latin1')).not.toContain(PIN.pin);
});

it('a PIN goes with its code to the next owner', async () => {
  const { requester, owner, offered, requested } = await twoPeople(ctx);
  await edit(owner, { id: requested.id, ...PIN });
  const { id: swapId } = await propose(ctx, requester, { offered, requested });
  await move(ctx, owner, swapId, 'accepted');
  await move(ctx, owner, swapId, 'completed');
  expect(await pinOf(requester, requested.id)).toBe(PIN.pin);
  await expect(pinOf(owner, requested.id)).rejects.toMatchObject({ code: 'forbidden' });
});

it('a PIN belongs to one code: an edit keeps, removes or replaces it, and a new code has its own or none', async () => {
  const owner = await createUser(ctx);
  const { id } = await listCoupon(ctx, owner, { codeValue: 'CARD-0002', ...PIN });
  const after = async (fields: Record<string, unknown>) => {
    await edit(owner, { id, ...fields });
    return pinOf(owner, id);
  };
  expect(await after({ title: 'A better title' })).toBe(PIN.pin);
  expect(await after({ codeValue: 'CARD-0002' })).toBe(PIN.pin);
  expect(await after({ pin: '9' })).toBe('9');
  expect(await after({ pin: null })).toBeNull();
  expect(await after({ codeValue: 'CARD-0003', ...PIN })).toBe(PIN.pin);
  expect(await after({ codeValue: 'CARD-0004' })).toBeNull();
  await edit(owner, { id, ...PIN });
  const made = { couponId: id, receiverId: owner.id, code: ctx.vault.seal('NEW', `coupon:${id}`) };
  await inTransaction(ctx.db, (trx) =>
    replaceCode(trx, { ...made, codeHash: 'a'.repeat(64), at: ctx.clock() }),
  );
  expect(await pinOf(owner, id)).toBeNull();
});

it('a PIN without a code is refused, and nothing is stored', async () => {
  const owner = await createUser(ctx);
  const listed = listCoupon(ctx, owner, { codeValue: null, ...PIN });
  await expect(listed).rejects.toMatchObject(NO_CODE);
  const { id } = await listCoupon(ctx, owner, { codeValue: null });
  await expect(edit(owner, { id, ...PIN })).rejects.toMatchObject(NO_CODE);
  expect(await ctx.db.selectFrom('coupons').select('id').where('ownerId', '=', owner.id).execute()).toEqual([
    { id },
  ]);
});
