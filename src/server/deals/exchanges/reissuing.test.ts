import { expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import type { Replacement } from '#server/providers/validators/adapter.ts';
import { actingAs, createCoupon, createTestContext, createUser } from '#tests/support/builders.ts';
import { setUpDatabase } from '#tests/support/database.ts';
import { move, propose } from '#tests/support/exchanges.ts';
import { setUpProgramme } from '#tests/support/voucher-programme.ts';
import { MERCHANT } from '#tests/support/voucher-sandbox.ts';
import { continueReissues, exchangeById } from './service.ts';

const database = setUpDatabase();
const programme = setUpProgramme();

it('codes of a programme that did not answer are restored by the job, and new ones made at the next try', async () => {
  const ctx = createTestContext(database, { providers: { validators: programme.validators } });
  const [one, other] = [await createUser(ctx), await createUser(ctx)];
  programme.issue('ROOM-KQZ-4711');
  const offered = await createCoupon(ctx, one, { merchant: MERCHANT, code: 'ROOM-KQZ-4711' });
  const requested = await createCoupon(ctx, other);
  const { id } = await propose(ctx, one, { offered, requested });
  await move(ctx, other, id, 'accepted');
  programme.stopping = (request) => (request.startsWith('POST /v1/vouchers') ? 'before' : null);
  await expect(move(ctx, one, id, 'completed')).rejects.toMatchObject({ code: 'conflict' });
  expect(await exchangeById(actingAs(ctx, one), id)).toMatchObject({ status: 'accepted' });
  await expect(move(ctx, one, id, 'cancelled')).rejects.toMatchObject({ code: 'code_on_its_way' });
  programme.stopping = null;
  for (let minutes = 0; minutes < 3; minutes += 1) {
    ctx.clock.advanceDays(2 / 1_440);
    await continueReissues(ctx);
  }
  expect(await continueReissues(ctx)).toBe(0);
  expect(await move(ctx, one, id, 'completed')).toMatchObject({
    status: 'completed',
    offeredCoupon: { ownerId: other.id, reissuedAt: expect.any(String) },
  });
  expect(programme.isValid('ROOM-KQZ-4711')).toBe(false);
});

it('after a crash the job does not complete with an old code that nobody has agreed to: it restores the others', async () => {
  let isCrashing = true;
  const validators = {
    ...programme.validators,
    async reissue(given: Replacement) {
      const answer = await programme.validators.reissue(given);
      if (isCrashing) throw new Error('The process ends here');
      return answer;
    },
  };
  const ctx = createTestContext(database, { providers: { validators } });
  const [one, other] = [await createUser(ctx), await createUser(ctx)];
  const couponOf = (owner: Actor, code: string) => createCoupon(ctx, owner, { merchant: MERCHANT, code });
  programme.issue('CRASH-KQZ-1');
  programme.issue('CRASH-KQZ-2');
  const [offered, requested] = [await couponOf(one, 'CRASH-KQZ-1'), await couponOf(other, 'CRASH-KQZ-2')];
  const { id } = await propose(ctx, one, { offered, requested });
  await move(ctx, other, id, 'accepted');
  await expect(move(ctx, one, id, 'completed')).rejects.toThrow('The process ends here');
  isCrashing = false;
  // Nobody can copy this one any more.
  programme.issue('CRASH-KQZ-2', { type: 'LOYALTY_CARD' });
  for (let minutes = 0; minutes < 5; minutes += 1) {
    ctx.clock.advanceDays(5 / 1_440);
    await continueReissues(ctx);
  }
  expect(await exchangeById(actingAs(ctx, one), id)).toMatchObject({
    status: 'accepted',
    offeredCoupon: { ownerId: one.id },
  });
  expect(['CRASH-KQZ-1', 'CRASH-KQZ-2'].map(programme.isValid)).toEqual([true, true]);
});
