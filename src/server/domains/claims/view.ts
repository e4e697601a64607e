import type { Claim, LegClaim } from '#contract/claims.ts';
import { centsToDecimal, decimalToCents } from '#contract/money.ts';
import { picturesFor } from '../claim-pictures.ts';
import type { ClaimRow, LegClaimRow } from './store.ts';

/** A claim for a moderator. */
export function toClaim(row: ClaimRow, viewerId: number): Claim {
  const { amount, buyerFee, createdAt, decidedAt, answerBy, isDisputed, ...rest } = row;
  const { couponId: _, paymentId: __, claimantLeftAt: ___, giverLeftAt: ____, ...claim } = rest;
  return {
    ...claim,
    ...picturesFor(row, viewerId),
    buyerTotal:
      amount === null || buyerFee === null
        ? null
        : centsToDecimal(decimalToCents(amount) + decimalToCents(buyerFee)),
    isDisputed: isDisputed ?? false,
    answerBy: answerBy?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    decidedAt: decidedAt?.toISOString() ?? null,
  };
}

/** A leg with its claim, for its giver or its receiver. */
export function toLegClaim(row: LegClaimRow, viewerId: number, at: Date): LegClaim {
  const {
    status: _,
    claimBy,
    claimId,
    claimStatus,
    reason,
    claimedAt,
    answerBy,
    answer,
    note,
    ...rest
  } = row;
  const { claimantPictures, giverPictures, ...leg } = rest;
  const claim =
    claimId === null || claimStatus === null || reason === null || claimedAt === null
      ? null
      : {
          id: claimId,
          status: claimStatus,
          reason,
          createdAt: claimedAt.toISOString(),
          answerBy: answerBy?.toISOString() ?? null,
          answer,
          note,
          ...picturesFor(
            {
              claimantId: row.receiverId,
              giverId: row.giverId,
              status: claimStatus,
              claimantPictures,
              giverPictures,
            },
            viewerId,
          ),
        };
  return {
    ...leg,
    claimBy: claimBy?.toISOString() ?? null,
    mayClaim: claim === null && viewerId === row.receiverId && claimBy !== null && at < claimBy,
    claim,
  };
}
