import { centsToDecimal } from '#contract/base/money.ts';
import { CATEGORIES } from '#contract/coupons/choices.ts';
import type { Context } from '#server/context/context.ts';
import { codeContext, pinContext } from '#server/coupons/core/view.ts';
import { inTransaction } from '#server/database/client.ts';
import * as store from './codes-store.ts';

/** Coupons per transaction. */
const AT_ONCE = 200;

/** A person's coupon as a row of a table that `readTable` reads, with '' for what it does not have. */
export interface CouponTableRow {
  readonly merchant: string;
  readonly title: string;
  readonly discount: string;
  readonly end: string;
  readonly code: string;
  readonly pin: string;
  readonly category: string;
  readonly description: string;
  readonly terms: string;
  readonly price: string;
  readonly regions: string;
}

/**
 * A person's coupons, oldest first. With their codes, each is recorded as a view of its owner.
 * The caller has checked that the person may have them.
 */
export async function* exportCoupons(
  ctx: Context,
  { ownerId, hasCodes }: { ownerId: number; hasCodes: boolean },
): AsyncGenerator<CouponTableRow> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const from: number = after;
    const coupons = await inTransaction(ctx.db, async (trx) => {
      const listed = await store.listOwnSecrets(trx, { ownerId, after: from, limit: AT_ONCE });
      const seen = listed.filter(({ sealedCode, hasPicture }) => hasCodes && (sealedCode || hasPicture));
      const couponIds = seen.map(({ id }) => id);
      await store.insertReveals(trx, { couponIds, userId: ownerId, at: ctx.clock() });
      return listed;
    });
    for (const { id, sealedCode, sealedPin, value, discountType, ...coupon } of coupons) {
      const decimal = centsToDecimal(value);
      yield {
        merchant: coupon.merchant,
        title: coupon.title,
        discount: discountType === 'percentage' ? `${decimal}%` : `$${decimal}`,
        end: coupon.expiryDate ?? 'never',
        code: hasCodes && sealedCode ? ctx.vault.open(sealedCode, codeContext(id)) : '',
        pin: hasCodes && sealedPin ? ctx.vault.open(sealedPin, pinContext(id)) : '',
        category: CATEGORIES.find((category) => category === coupon.category) ?? '',
        description: coupon.description,
        terms: coupon.terms ?? '',
        price: coupon.askingPrice === null ? '' : `$${coupon.askingPrice}`,
        regions: coupon.regions.join(' '),
      };
    }
    after = coupons.at(-1)?.id;
  }
}
