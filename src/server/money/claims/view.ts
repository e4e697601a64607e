import { centsToDecimal } from '#contract/base/money.ts';
import type {
  AnnouncedEnd,
  Claim,
  ClaimSide,
  ClaimStatus,
  Finding,
  LegClaim,
} from '#contract/money/claims.ts';
import type { Protection } from '#contract/money/payments.ts';
import type { Payment } from '#server/money/payments/store.ts';
import { shownNote } from '#server/texts/claim-notes.ts';
import type { Finding as Told } from './redemptions.ts';
import type { ClaimRow, LegClaimRow, SaleClaim } from './store.ts';

/** The address of a picture that was uploaded as evidence. */
export const evidenceUrl = (id: string) => `/api/evidence/${id}`;

/**
 * Whether a party to a claim sees the pictures of one side. Everybody sees their own, and those of the other side while
 * the claim is open: the coupon may go on to somebody else, and a picture may show its code.
 */
export function seesPicturesOf(sideId: number, status: ClaimStatus, partyId: number): boolean {
  return sideId === partyId || status === 'open';
}

/** How an open claim ends if nobody decides it; null: no end is announced. */
function announcedEnd(claim: Announced, status: ClaimStatus): AnnouncedEnd | null {
  const { defaultFor, defaultAt, appealedAt, findingFor, contestedAt } = claim;
  if (status !== 'open' || defaultAt === null) return null;
  return {
    at: defaultAt.toISOString(),
    isGranted: defaultFor === 'claimant',
    isAppealed: appealedAt !== null,
    isByFinding: findingFor !== null && contestedAt === null,
  };
}

type Announced = Pick<ClaimRow, 'defaultFor' | 'defaultAt' | 'appealedAt' | 'findingFor' | 'contestedAt'>;

/** What the merchant has told about the code of a claim; null: nothing yet. */
function findingOf(claim: Found): Finding | null {
  const { finding: kind, redeemedPlace: place, ...times } = claim;
  return kind === null ? null : toFinding({ kind, place, ...times });
}

type Found = Pick<ClaimRow, 'finding' | 'redeemedAt' | 'redeemedPlace' | 'comparedAt'>;

/** What the merchant has told about a code. */
export function toFinding({ kind, redeemedAt, place, comparedAt }: Told): Finding {
  return {
    ...{ kind, place },
    redeemedAt: redeemedAt?.toISOString() ?? null,
    comparedAt: comparedAt?.toISOString() ?? null,
  };
}

interface Sides {
  readonly claimantId: number;
  readonly giverId: number;
  readonly status: ClaimStatus;
  /** The ids of each side's pictures. */
  readonly claimantPictures: readonly string[];
  readonly giverPictures: readonly string[];
}

/** The addresses of the pictures that a party to the claim may see. */
function picturesFor({ claimantId, giverId, status, ...pictures }: Sides, viewerId: number) {
  const seen = (sideId: number, ids: readonly string[]) =>
    seesPicturesOf(sideId, status, viewerId) ? ids.map(evidenceUrl) : [];
  return {
    claimantPictures: seen(claimantId, pictures.claimantPictures),
    giverPictures: seen(giverId, pictures.giverPictures),
  };
}

/** A claim about a sale, for a party to it. */
export function toSaleClaim(claim: SaleClaim, viewerId: number): NonNullable<Protection['claim']> {
  const { id, status, reason, answer, isLate, shopAnswer, createdAt, answerBy } = claim;
  return {
    ...{ id, status, reason, answer, isLate, shopAnswer },
    ...picturesFor(claim, viewerId),
    announcedEnd: announcedEnd(claim, status),
    finding: findingOf(claim),
    note: shownNote(claim.note),
    createdAt: createdAt.toISOString(),
    answerBy: answerBy?.toISOString() ?? null,
  };
}

/** What a moderator sees at once of one side of a claim. @throws Error where the person is not among the sides that were read */
export function toClaimSide(side: Side | undefined): ClaimSide {
  if (!side) throw new Error('A side of a claim was not read');
  const { id: _, createdAt, ...counts } = side;
  return { memberSince: createdAt.toISOString(), ...counts };
}

type Side = Omit<ClaimSide, 'memberSince'> & { readonly id: number; readonly createdAt: Date };

/** A claim for a moderator who is no party to it. @param sale the payment of what it is about, if that is a sale */
export function toClaim(
  row: ClaimRow,
  sides: Pick<Claim, 'claimant' | 'giver'>,
  sale: Pick<Payment, 'buyerTotal' | 'isDisputed' | 'confirmedAt'> | undefined,
): Claim {
  const { id, bidId, exchangeId, isLate, shopAnswer, status, reason, answer } = row;
  const { couponTitle, merchant, claimantId, claimantUsername, giverId, giverUsername, isSameNetwork } = row;
  const { createdAt, decidedAt, answerBy } = row;
  return {
    ...{ id, bidId, exchangeId, isLate, shopAnswer, status, reason, answer },
    ...{ couponTitle, merchant, claimantId, claimantUsername, giverId, giverUsername, isSameNetwork },
    ...sides,
    announcedEnd: announcedEnd(row, status),
    finding: findingOf(row),
    note: shownNote(row.note),
    claimantPictures: row.claimantPictures.map(evidenceUrl),
    giverPictures: row.giverPictures.map(evidenceUrl),
    buyerTotal: sale ? centsToDecimal(sale.buyerTotal) : null,
    isDisputed: sale?.isDisputed ?? false,
    confirmedAt: sale?.confirmedAt?.toISOString() ?? null,
    answerBy: answerBy?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    decidedAt: decidedAt?.toISOString() ?? null,
  };
}

/** A leg with its claim, for its giver or its receiver. */
export function toLegClaim(row: LegClaimRow, viewerId: number, at: Date): LegClaim {
  const {
    isClaimable,
    claimBy,
    claimId,
    claimStatus,
    reason,
    claimedAt,
    answerBy,
    answer,
    note,
    couponId,
    couponTitle,
    exchangeId,
    giverId,
    giverUsername,
    receiverId,
    receiverUsername,
    claimantPictures,
    giverPictures,
  } = row;
  const leg = { couponId, couponTitle, exchangeId, giverId, giverUsername, receiverId, receiverUsername };
  const claim =
    claimId === null || claimStatus === null || reason === null || claimedAt === null
      ? null
      : {
          id: claimId,
          status: claimStatus,
          reason,
          createdAt: claimedAt.toISOString(),
          answerBy: answerBy?.toISOString() ?? null,
          announcedEnd: announcedEnd(row, claimStatus),
          finding: findingOf(row),
          answer,
          note: shownNote(note),
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
    mayClaim:
      isClaimable && claim === null && viewerId === row.receiverId && claimBy !== null && at < claimBy,
    claim,
  };
}
