import { expect, it } from 'vitest';
import { createCoupon, createTestContext, createUser } from '#tests/support/builders.ts';
import { setUpDatabase } from '#tests/support/database.ts';
import { createManySales } from '#tests/support/many-sales.ts';
import { planOf, recorded, rowsSeen, type Statement } from '#tests/support/plans.ts';
import { priceHint } from './sold-prices.ts';

const database = setUpDatabase();

it('a price hint reads the newest sales of a large merchant', async () => {
  const sent: Statement[] = [];
  const ctx = createTestContext({ db: recorded(database, sent) });
  await createManySales(ctx, database, 4_000);
  const { id } = await createCoupon(ctx, await createUser(ctx), { merchant: 'LARGE' });
  sent.length = 0;
  await priceHint(ctx, id);
  const plans = await Promise.all(sent.map((statement) => planOf(database, statement)));
  const sold = plans.flat().filter((node) => node['Relation Name'] === 'sold_prices');
  expect(sold.map(rowsSeen)).toEqual([200]);
});
