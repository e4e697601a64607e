import { expect, it } from 'vitest';
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
