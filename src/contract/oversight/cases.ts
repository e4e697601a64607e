import { z } from 'zod';
import { idSchema, instantSchema } from '#contract/base/primitives.ts';
import { claimSchema } from '#contract/money/claims.ts';
import { userStatusSchema } from '#contract/people/accounts.ts';
import { reportSchema } from './moderation.ts';

/** What moderators read of a person before they decide about them: never a code, never a message. */
export const personRecordSchema = z.object({
  id: idSchema,
  username: z.string(),
  status: userStatusSchema,
  createdAt: instantSchema,
  /** Completed. */
  exchanges: z.int(),
  /** Completed purchases and sales. */
  sales: z.int(),
  averageRating: z.number().nullable(),
  ratingCount: z.int(),
  /** Codes given in exchanges that did not work, by upheld claims. */
  failedCodes: z.int(),
  /** The latest claims that the person made, or that are about what they gave; newest first. */
  claims: z.array(
    claimSchema
      .pick({ id: true, status: true, couponTitle: true, note: true, createdAt: true })
      .extend({ side: z.enum(['claimant', 'giver']), otherUsername: z.string() }),
  ),
  /** The latest reports on the person; newest first. */
  reports: z.array(
    reportSchema.pick({
      id: true,
      reason: true,
      status: true,
      actionTaken: true,
      moderatorNotes: true,
      createdAt: true,
    }),
  ),
  /** The latest changes of the person's status by moderators, admins and rules; newest first. */
  statusChanges: z.array(
    z.object({
      id: idSchema,
      details: z.string(),
      username: z.string().nullable(),
      createdAt: instantSchema,
    }),
  ),
});
export type PersonRecord = z.output<typeof personRecordSchema>;

/** What a moderator reads before deciding a claim. */
export const claimCaseSchema = z.object({
  claimant: personRecordSchema,
  giver: personRecordSchema,
  /** The deal's lines in the history of the claimant, oldest first. */
  events: z.array(z.object({ id: idSchema, details: z.string(), createdAt: instantSchema })),
  /** When the two saw the code, since the deal began; oldest first. */
  reveals: z.array(z.object({ id: idSchema, username: z.string(), revealedAt: instantSchema })),
  /** The coupon now: who has it, whether it is marked as used, and who else has seen its code since the deal began. */
  coupon: z.object({
    ownerUsername: z.string(),
    isUsed: z.boolean(),
    seenBy: z.array(z.string()),
  }),
  /** The latest decided claims about the same merchant, newest first. */
  similar: z.array(
    claimSchema.pick({
      id: true,
      status: true,
      couponTitle: true,
      reason: true,
      note: true,
      decidedAt: true,
    }),
  ),
});
export type ClaimCase = z.output<typeof claimCaseSchema>;
