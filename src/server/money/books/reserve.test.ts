import { expect, it } from 'vitest';
import { inTransaction } from '#server/database/client.ts';
import { setUpContext } from '#tests/support/builders.ts';
import { writePayment } from '#tests/support/ledger.ts';
import { bookTotals, readTotals, type Totals } from './ledger.ts';
import { coverFromReserve, type GuaranteedPayment, keepReserve } from './reserve.ts';
import { readReserve } from './reserve-store.ts';

const ctx = setUpContext();

const RESERVE_PERCENT = 20;

async function finalSale(): Promise<GuaranteedPayment> {
  const payment = {
    ...(await writePayment(ctx, 'completed')),
    senderId: 0,
    reservePercent: RESERVE_PERCENT,
  };
  await keep(payment, true);
  return payment;
}

const keep = (payment: GuaranteedPayment, isFinal: boolean) =>
  inTransaction(ctx.db, (trx) => keepReserve(trx, { payment, isFinal, at: ctx.clock() }));

const book = (payment: GuaranteedPayment, change: Partial<Totals>) =>
  inTransaction(ctx.db, async (trx) => {
    const totals = { ...(await readTotals(trx, payment.id)), ...change };
    await bookTotals(trx, { payment, totals, at: ctx.clock() });
  });

it('of what leaves an empty reserve, only as much goes as comes back to it; the rest stays', async () => {
  const [claimed, other] = [await finalSale(), await finalSale()];
  expect(await readReserve(ctx.db)).toBe(40);
  // All that the reserve holds is laid out: 15 for one claim, 25 for another.
  await book(claimed, { awarded: 1_050, covered: 15 });
  await book(other, { awarded: 1_050, covered: 25 });
  expect(await readReserve(ctx.db)).toBe(0);
  await book(claimed, { collected: 950 });
  await keep(claimed, false);
  expect(await readTotals(ctx.db, claimed.id)).toMatchObject({ covered: 0, reserved: 5 });
  expect(await readReserve(ctx.db)).toBe(0);
});

it('pays nothing for a debt without a granted claim', async () => {
  const owing = await finalSale();
  const before = await readReserve(ctx.db);
  await book(owing, { transferred: 950, refunded: 1_050, feesRefunded: 100 });
  const left = await inTransaction(ctx.db, (trx) =>
    coverFromReserve(trx, { payment: owing, at: ctx.clock() }),
  );
  expect(left).toBe(0);
  expect(await readTotals(ctx.db, owing.id)).toMatchObject({ covered: 0 });
  expect(await readReserve(ctx.db)).toBe(before);
});
