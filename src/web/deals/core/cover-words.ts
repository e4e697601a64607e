import { t } from '@lingui/core/macro';
import { decimalToCents, moneyText } from '#contract/base/money.ts';
import type { Cover } from '#contract/money/guarantee.ts';
import { formatDate } from '#web/lib/format.ts';

/** A sale that the guarantee is about. Amounts are decimal texts in the base currency. */
interface CoveredSale {
  readonly cover: Cover;
  /** What the buyer gets back, and the part of it that the seller has to pay. */
  readonly buyerTotal: string;
  readonly netAmount: string;
  /** Whether nothing is paid yet: then the end of the cover depends on the day of the payment. */
  readonly isOffer: boolean;
}

/** How long a claim of the buyer is heard, and out of what it is paid: never more than the reserve could pay now. */
export function buyersCover({ cover, buyerTotal, netAmount, isOffer }: CoveredSale): string {
  const [day, total] = [formatDate(cover.until), moneyText(buyerTotal)];
  const reserve = decimalToCents(cover.fromReserve);
  const part = moneyText(cover.fromReserve);
  if (isOffer) {
    if (reserve === 0)
      return t`If you pay today, you are covered until ${day}: up to ${total} from the seller.`;
    return reserve >= decimalToCents(netAmount)
      ? t`If you pay today, you are covered until ${day}: up to ${total} from the seller, else from the reserve, as long as it lasts.`
      : t`If you pay today, you are covered until ${day}: up to ${total} from the seller, else up to ${part} from the reserve, as long as it lasts.`;
  }
  if (reserve === 0) return t`Covered until ${day}: up to ${total} from the seller.`;
  return reserve >= decimalToCents(netAmount)
    ? t`Covered until ${day}: up to ${total} from the seller, else from the reserve, as long as it lasts.`
    : t`Covered until ${day}: up to ${total} from the seller, else up to ${part} from the reserve, as long as it lasts.`;
}

/** What the guarantee of a sale means for its seller. */
export function sellersCover({
  cover,
  netAmount,
  isOffer,
}: Pick<CoveredSale, 'cover' | 'netAmount' | 'isOffer'>): string {
  const [day, net] = [formatDate(cover.until), moneyText(netAmount)];
  return isOffer
    ? t`If the buyer pays today, this sale is covered until ${day}: if a claim is upheld by then, you owe ${net}.`
    : t`Covered until ${day}: if a claim of the buyer is upheld, you owe ${net}.`;
}
