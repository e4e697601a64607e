import { expect, it } from 'vitest';
import { createTestContext, createUser } from '#tests/support/builders.ts';
import { setUpDatabase } from '#tests/support/database.ts';
import { createManyCoupons } from '#tests/support/many-coupons.ts';
import { planOf, recorded, rowsSeen, type Statement } from '#tests/support/plans.ts';
import { listSitemapParts } from './service.ts';

const database = setUpDatabase();

it('the index of the sitemap reads a few coupons of each part, in the size that it has', async () => {
  const sent: Statement[] = [];
  const ctx = createTestContext({ db: recorded(database, sent) });
  const { id: ownerId } = await createUser(ctx);
  await createManyCoupons(database, { ownerId, now: ctx.clock(), count: 12_000 });
  sent.length = 0;
  expect(await listSitemapParts(ctx)).toHaveLength(1);
  const [statement] = sent;
  if (!statement) throw new Error('Nothing was asked');
  const nodes = (await planOf(database, statement)).filter(({ 'Relation Name': of }) => of === 'coupons');
  expect(nodes.length).toBeGreaterThan(0);
  // Expired coupons are passed over.
  expect(Math.max(...nodes.map(rowsSeen))).toBeLessThan(100);
});
