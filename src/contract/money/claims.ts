import { t } from '@lingui/core/macro';
import { z } from 'zod';
import { ofField } from '#contract/base/input-texts.ts';
import {
  amountSchema,
  idInputSchema,
  idSchema,
  instantSchema,
  optionalTextSchema,
  pagingSchema,
  REASON_MAX,
  textSchema,
} from '#contract/base/primitives.ts';
import { bytesSchema } from '#contract/coupons/images.ts';
import { dealTypeSchema } from '#contract/deals/deals.ts';

/** Hours after an exchange in which a claim can be made. */
export const CLAIM_HOURS = 72;
/** Hours after a claim in which the giver's word is awaited. */
export const ANSWER_HOURS = 72;
/** Hours after the merchant has told what decides a claim, in which whoever would lose can ask a moderator. */
export const CONTEST_HOURS = 24;

/** Days in which moderators have to decide a claim: see docs/claims.md. */
export const CLAIM_DAYS = { min: 5, max: 14, default: 5 } as const;

/** How an open claim ends if nobody decides it. */
export const announcedEndSchema = z.object({
  at: instantSchema,
  isGranted: z.boolean(),
  /** Whether whoever would lose has asked an admin, so that it does not end by itself. */
  isAppealed: z.boolean(),
  /** Whether it ends so by what the merchant has told; whoever would lose can ask a moderator. */
  isByFinding: z.boolean(),
});
announcedEndSchema.register(z.globalRegistry, { id: 'AnnouncedEnd' });
export type AnnouncedEnd = z.output<typeof announcedEndSchema>;

/** What a merchant's programme can tell about the uses of a code: see docs/claims.md. */
const FINDING_KINDS = ['redeemed_before', 'redeemed_after', 'works', 'refused', 'unclear'] as const;
export type FindingKind = (typeof FINDING_KINDS)[number];

/** What the merchant's programme has told about the code of a claim. */
export const findingSchema = z.object({
  kind: z.enum(FINDING_KINDS),
  /** When the code was first used; null: never, or that is not told. */
  redeemedAt: instantSchema.nullable(),
  /** Where, in the programme's words. */
  place: z.string().nullable(),
  /** When the coupon changed hands (`redeemed_before`), or whoever claims first saw the code (`redeemed_after`). */
  comparedAt: instantSchema.nullable(),
});
findingSchema.register(z.globalRegistry, { id: 'Finding' });
export type Finding = z.output<typeof findingSchema>;

/** Pictures that each side can add to its words. */
export const CLAIM_PICTURES_MAX = 3;
/** Days after the end of a claim until its pictures are deleted. */
export const CLAIM_PICTURE_DAYS = 30;

/** Pictures that the caller has uploaded as evidence. */
export const claimPicturesSchema = z
  .array(
    z.string().regex(/^\/api\/evidence\/[\w-]{22}$/, {
      error: ofField(() => t`Is not the address of an uploaded picture`),
    }),
  )
  .max(CLAIM_PICTURES_MAX, { error: () => t`Add at most ${CLAIM_PICTURES_MAX} pictures` })
  .optional()
  .describe('Addresses as POST /api/upload/evidence has answered them');

/** The addresses of both sides' pictures, as far as the viewer may see them. */
export const shownPicturesSchema = z.object({
  claimantPictures: z.array(z.string()),
  giverPictures: z.array(z.string()),
});

const SALE_CLAIM_STATUSES = ['open', 'refunded', 'released', 'withdrawn'] as const;
export const saleClaimStatusSchema = z.enum(SALE_CLAIM_STATUSES).meta({ id: 'SaleClaimStatus' });
export type SaleClaimStatus = z.output<typeof saleClaimStatusSchema>;

const LEG_CLAIM_STATUSES = ['open', 'upheld', 'refused', 'withdrawn'] as const;
const legClaimStatusSchema = z.enum(LEG_CLAIM_STATUSES).meta({ id: 'LegClaimStatus' });
export type LegClaimStatus = z.output<typeof legClaimStatusSchema>;

export type ClaimStatus = SaleClaimStatus | LegClaimStatus;

export const CLAIM_REASON_MIN = 10;

/** What somebody claims. */
export const claimReasonSchema = textSchema(
  REASON_MAX,
  CLAIM_REASON_MIN,
  () => t`Please say in at least ${CLAIM_REASON_MIN} characters what did not work`,
);

/** What the merchant said about a code, as the claimant tells it. */
export const shopAnswerSchema = optionalTextSchema(REASON_MAX).optional();

/** Why a claim was decided. Shown to both parties. */
export const claimNoteSchema = textSchema(REASON_MAX, 1, () => t`Please say why: we tell both parties`);

export const exchangeClaimsInputSchema = z.object({ exchangeId: idSchema });

/** A claim about a coupon that the caller got in an exchange. */
export const openLegClaimInputSchema = z.object({
  exchangeId: idSchema,
  couponId: idSchema,
  reason: claimReasonSchema,
  pictures: claimPicturesSchema,
});
export type OpenLegClaimInput = z.output<typeof openLegClaimInputSchema>;

/** The giver's word on a claim. */
export const answerClaimInputSchema = idInputSchema.extend({
  answer: textSchema(REASON_MAX, 1, () => t`Please write something`),
  pictures: claimPicturesSchema,
});
export type AnswerClaimInput = z.output<typeof answerClaimInputSchema>;

export const LEG_CLAIM_DECISIONS = ['upheld', 'refused'] as const;
export const decideLegClaimInputSchema = idInputSchema.extend({
  decision: z.enum(LEG_CLAIM_DECISIONS),
  note: claimNoteSchema,
});
export type DecideLegClaimInput = z.output<typeof decideLegClaimInputSchema>;

/** A coupon that the viewer gave or got in an exchange, and the claim about it. */
export const legClaimSchema = z.object({
  exchangeId: idSchema,
  couponId: idSchema,
  couponTitle: z.string(),
  giverId: idSchema,
  giverUsername: z.string(),
  receiverId: idSchema,
  receiverUsername: z.string(),
  /** Until when the receiver can claim; null before the exchange is completed. */
  claimBy: instantSchema.nullable(),
  /** Whether the viewer can claim now. */
  mayClaim: z.boolean(),
  claim: shownPicturesSchema
    .extend({
      id: idSchema,
      status: legClaimStatusSchema,
      reason: z.string(),
      createdAt: instantSchema,
      /** Until when the giver's word is awaited; null if a moderator can decide. */
      answerBy: instantSchema.nullable(),
      announcedEnd: announcedEndSchema.nullable(),
      finding: findingSchema.nullable(),
      answer: z.string().nullable(),
      note: z.string().nullable(),
    })
    .nullable(),
});
legClaimSchema.register(z.globalRegistry, { id: 'LegClaim' });
export type LegClaim = z.output<typeof legClaimSchema>;

export const couponClaimInputSchema = z.object({ couponId: idSchema });

/** What whoever got a coupon in a deal can claim about its code; null for everybody else. */
export const couponClaimSchema = z
  .object({
    dealType: dealTypeSchema,
    dealId: idSchema,
    mayClaim: z.boolean(),
    isLate: z.boolean().describe('The sale is final: a claim is one under the guarantee'),
    leg: legClaimSchema.nullable().describe('Null: of a sale'),
  })
  .nullable();
export type CouponClaim = z.output<typeof couponClaimSchema>;

/** An uploaded file, unchanged. Only REST takes files. */
export const uploadEvidenceInputSchema = z.object({ bytes: bytesSchema });

/** What an open claim waits for: a moderator, who can decide it now, or the giver, who can still answer. */
export const CLAIM_WAITS = ['decision', 'answer'] as const;
export type ClaimWait = (typeof CLAIM_WAITS)[number];

export const listClaimsInputSchema = pagingSchema.extend({
  onlyOpen: z.boolean().default(true),
  waitsFor: z.enum(CLAIM_WAITS).optional().describe('Only open claims that wait for this'),
});
export type ListClaimsInput = z.output<typeof listClaimsInputSchema>;

/** How many open claims wait for what. */
export const claimCountsSchema = z.object({ decision: z.int(), answer: z.int() });
export type ClaimCounts = z.output<typeof claimCountsSchema>;

/** Days in which the granted claims of both sides are counted for moderators. */
export const RECORD_DAYS = 90;

/** What moderators see at once of one side of a claim. */
const claimSideSchema = z.object({
  memberSince: instantSchema,
  /** Claims about what they gave that were granted in RECORD_DAYS. */
  grantedAgainst: z.int(),
  /** Their own claims that were granted in RECORD_DAYS. */
  granted: z.int(),
  /** Their own claims that were ever declined. */
  declined: z.int(),
});
export type ClaimSide = z.output<typeof claimSideSchema>;

/** Somebody who cannot sell until a moderator has looked at the claims about what they gave. */
export const stoppedSellerSchema = z.object({ id: idSchema, username: z.string(), since: instantSchema });
export type StoppedSeller = z.output<typeof stoppedSellerSchema>;

/** A claim about a sale or about a coupon of an exchange, as moderators see it. */
export const claimSchema = shownPicturesSchema.extend({
  id: idSchema,
  /** Null: of an exchange. */
  bidId: idSchema.nullable(),
  /** Null: of a sale. */
  exchangeId: idSchema.nullable(),
  /** Whether it was made after the hold of the sale, under the guarantee. */
  isLate: z.boolean(),
  /** What the merchant said about the code, as the claimant tells it. */
  shopAnswer: z.string().nullable(),
  status: z.enum([...SALE_CLAIM_STATUSES, ...LEG_CLAIM_STATUSES]),
  reason: z.string(),
  /** The giver's word. */
  answer: z.string().nullable(),
  /** Until when the giver's word is awaited; null if the claim can be decided. */
  answerBy: instantSchema.nullable(),
  announcedEnd: announcedEndSchema.nullable(),
  finding: findingSchema.nullable(),
  note: z.string().nullable(),
  couponTitle: z.string(),
  merchant: z.string(),
  claimantId: idSchema,
  claimantUsername: z.string(),
  giverId: idSchema,
  giverUsername: z.string(),
  claimant: claimSideSchema,
  giver: claimSideSchema,
  /** Whether both have lately signed in at the same internet address: they may be one person. */
  isSameNetwork: z.boolean(),
  /** When the buyer said early that the code works; null: never, or of an exchange. */
  confirmedAt: instantSchema.nullable(),
  /** What a refund would return to the buyer; null for an exchange. */
  buyerTotal: amountSchema.nullable(),
  isDisputed: z.boolean(),
  createdAt: instantSchema,
  decidedAt: instantSchema.nullable(),
});
claimSchema.register(z.globalRegistry, { id: 'Claim' });
export type Claim = z.output<typeof claimSchema>;
