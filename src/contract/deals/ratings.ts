import { t } from '@lingui/core/macro';
import { z } from 'zod';
import { RATING_MAX, RATING_MIN } from '#contract/base/bounds.ts';
import { idSchema, instantSchema, optionalTextSchema, pagingSchema } from '#contract/base/primitives.ts';
import { dealRefSchema, dealTypeSchema } from './deals.ts';

/** A rating is shown when both sides have rated, or this many days after it was given (decisions 5.5). */
export const RATING_HIDDEN_DAYS = 7;
export const RATING_COMMENT_MAX = 1_000;

/** A deal. In a ring, `otherId` says which of the two neighbours; by default the one who gave to the caller. */
export const dealRatingsInputSchema = dealRefSchema.extend({ otherId: idSchema.optional() });
export type DealRatingsInput = z.output<typeof dealRatingsInputSchema>;

export const createRatingInputSchema = dealRatingsInputSchema.extend({
  rating: z
    .int({ error: () => t`Choose a rating from 1 to 10` })
    .min(RATING_MIN, { error: () => t`Choose a rating from 1 to 10` })
    .max(RATING_MAX, { error: () => t`Choose a rating from 1 to 10` }),
  comment: optionalTextSchema(RATING_COMMENT_MAX),
});
export type CreateRatingInput = z.output<typeof createRatingInputSchema>;

export const ratingSchema = z.object({
  id: idSchema,
  raterId: idSchema,
  raterUsername: z.string(),
  raterProfileImageUrl: z.string().nullable(),
  ratedUserId: idSchema,
  rating: z.int(),
  comment: z.string().nullable(),
  dealType: dealTypeSchema,
  /** Whether people other than its writer can see it. */
  isVisible: z.boolean(),
  createdAt: instantSchema,
});
ratingSchema.register(z.globalRegistry, { id: 'Rating' });
export type Rating = z.output<typeof ratingSchema>;

export const listRatingsInputSchema = pagingSchema.extend({ id: idSchema });
export type ListRatingsInput = z.output<typeof listRatingsInputSchema>;

/** The ratings of a deal, for one of its parties. */
export const dealRatingsSchema = z.object({
  /** Whether the deal is completed and the viewer has not rated it. */
  canRate: z.boolean(),
  otherId: idSchema,
  otherUsername: z.string(),
  mine: ratingSchema.nullable(),
  /** Null also while it is hidden. */
  theirs: ratingSchema.nullable(),
});
export type DealRatings = z.output<typeof dealRatingsSchema>;
