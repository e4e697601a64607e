import { Text } from '@mantine/core';
import { centsToDecimal, decimalToCents } from '#contract/base/money.ts';
import { feesOf } from '#contract/money/fees.ts';
import { buyersCover, sellersCover } from '#web/deals/core/cover-words.ts';
import { feeRatesNow } from '#web/lib/fee-rates.ts';
import { trpc } from '#web/lib/trpc.ts';
import { typedBidSchema } from './bid-fields.tsx';

interface OfferedCoverProps {
  readonly couponId: number;
  /** In the base currency as it is typed, also an unfinished one. */
  readonly amount: string;
  readonly side: 'bidder' | 'owner';
}

/** What the guarantee would be at this price if it were paid today; nothing where there is none. */
export function OfferedCover({ couponId, amount, side }: OfferedCoverProps) {
  const { data } = trpc.payments.offeredCover.useQuery({ couponId });
  const parsed = typedBidSchema.safeParse(amount);
  if (!data?.cover || !parsed.success) return null;
  const fees = feesOf(decimalToCents(parsed.data), feeRatesNow());
  const sale = {
    cover: data.cover,
    buyerTotal: centsToDecimal(fees.buyerTotal),
    netAmount: centsToDecimal(fees.netAmount),
    isOffer: true,
  };
  return <Text size="sm">{side === 'bidder' ? buyersCover(sale) : sellersCover(sale)}</Text>;
}
