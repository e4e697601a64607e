import { t } from '@lingui/core/macro';
import { moneyText } from '#contract/base/money.ts';
import type { Cover } from '#contract/money/guarantee.ts';
import { HOLD_HOURS } from '#contract/money/payments.ts';
import { formatDate } from '#web/lib/format.ts';
import { guaranteeDaysNow } from '#web/lib/guarantee-days.ts';

/** What buyers are promised before they pay. @param isCovered whether the guarantee goes on after the hold */
export function moneyBack(isCovered: boolean): string {
  const days = guaranteeDaysNow();
  return isCovered && days > 0
    ? t`Money back for ${HOLD_HOURS} hours. After that, up to ${days} days from the seller.`
    : t`Money back for ${HOLD_HOURS} hours.`;
}

/** How long a claim of the buyer is heard about a sale that is paid. */
export function buyersCover({ until }: Pick<Cover, 'until'>): string {
  return t`Money back from the seller until ${formatDate(until)}, if the code does not work.`;
}

interface SellersCover {
  readonly cover: Pick<Cover, 'until'>;
  /** What the seller gets, a decimal text in the base currency. */
  readonly netAmount: string;
  /** Whether nothing is paid yet: then the end of the cover depends on the day of the payment. */
  readonly isOffer: boolean;
}

/** What the guarantee of a sale means for its seller. */
export function sellersCover({ cover, netAmount, isOffer }: SellersCover): string {
  const [day, net] = [formatDate(cover.until), moneyText(netAmount)];
  return isOffer
    ? t`If the buyer pays today, this sale is covered until ${day}: if a claim is upheld by then, you owe ${net}.`
    : t`Covered until ${day}: if a claim of the buyer is upheld, you owe ${net}.`;
}
