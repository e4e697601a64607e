import { expect, it } from 'vitest';
import { inTransaction } from '#server/database/client.ts';
import { setUpContext } from '#tests/support/builders.ts';
import { writePayment } from '#tests/support/ledger.ts';
import * as operations from './operations-store.ts';

const ctx = setUpContext();

it('an operation that is opened again was asked for nothing yet, and has a new key', async () => {
  const payment = await writePayment(ctx, 'held');
  const find = () => operations.findOperation(ctx.db, payment.id, 'payout');
  const at = ctx.clock();
  const open = () => inTransaction(ctx.db, (trx) => operations.openOperation(trx, payment, 'payout', at));
  await open();
  await operations.changeOperation(ctx.db, payment.id, 'payout', { attempts: 1, lastError: 'No answer' });
  await operations.notePayoutAsked(ctx.db, payment.id, 950);
  // One that is open stays.
  await open();
  expect(await find()).toMatchObject({ amount: 950, attempts: 1, lastError: 'No answer' });
  await inTransaction(ctx.db, (trx) => operations.closeOperation(trx, payment.id, 'payout', at));
  expect(await find()).toBeNull();
  await open();
  const attempts = operations.TRIES_PER_KEY;
  expect(await find()).toMatchObject({ amount: null, attempts, lastError: null, nextTryAt: at });
});
