import { merchantKey } from '#server/core/text.ts';
import { codeFingerprint } from '#server/coupons/core/code-fingerprint.ts';
import type { TestContext } from './builders.ts';

/** Inserts a public offer directly into the database; keeps one that exists. */
export async function insertFeedOffer(
  ctx: TestContext,
  { merchant, code }: { merchant: string; code: string },
): Promise<void> {
  const at = ctx.clock();
  const feed = 'test feed';
  await ctx.db
    .insertInto('feeds')
    .values({ name: feed })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await ctx.db
    .insertInto('feedOffers')
    .values({
      feed,
      merchant,
      merchantKey: merchantKey(merchant),
      code,
      identity: codeFingerprint(ctx.vault, merchant, code),
      title: `${code} at ${merchant}`,
      description: 'A public code that a test has made.',
      createdAt: at,
      updatedAt: at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await ctx.db
    .insertInto('feedMerchants')
    .values({ key: merchantKey(merchant), name: merchant, offers: 1 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
