import { Text } from '@mantine/core';
import { centsToDecimal, decimalToCents } from '#contract/base/money.ts';
import type { Bid } from '#contract/deals/bids.ts';
import { feesOf } from '#contract/money/fees.ts';
import { moneyBack, sellersCover } from '#web/deals/core/cover-words.ts';
import { feeRatesNow } from '#web/lib/fee-rates.ts';
import { trpc } from '#web/lib/trpc.ts';
import { typedBidSchema } from './bid-fields.tsx';

interface OfferedCoverProps {
  readonly couponId: number;
  /** In the base currency as it is typed, also an unfinished one. */
  readonly amount: string;
  readonly side: 'bidder' | 'owner';
  /** The bid that would be accepted. */
  readonly bid?: Pick<Bid, 'id' | 'feeRates'>;
}

/** For how long a buyer gets the money back if it were paid today, and what that means for the seller; to whom it matters. */
export function OfferedCover({ couponId, amount, side, bid }: OfferedCoverProps) {
  const { data } = trpc.payments.offeredCover.useQuery({ couponId, bidId: bid?.id });
  if (side === 'bidder') return <Text size="sm">{moneyBack(data?.cover !== null)}</Text>;
  const parsed = typedBidSchema.safeParse(amount);
  if (!data?.cover || !parsed.success) return null;
  const netAmount = centsToDecimal(
    feesOf(decimalToCents(parsed.data), bid?.feeRates ?? feeRatesNow()).netAmount,
  );
  return <Text size="sm">{sellersCover({ cover: data.cover, netAmount, isOffer: true })}</Text>;
}
