import {
  extractCodeInputSchema,
  extractedCodeSchema,
  extractFactsInputSchema,
  imageInputSchema,
  statedFactsSchema,
  storedImageSchema,
  uploadedImageSchema,
  uploadImageInputSchema,
} from '#contract/coupons/images.ts';
import { activeMemberProcedure, publicProcedure, router } from '#server/trpc/procedures.ts';
import { extractFacts } from './facts.ts';
import { extractCode, readImage, uploadImage } from './images.ts';

/** Uploaded pictures of codes; visitors may upload, too. */
export const imagesRouter = router({
  upload: publicProcedure
    .input(uploadImageInputSchema)
    .output(uploadedImageSchema)
    .mutation(({ ctx, input }) => uploadImage(ctx, input)),

  read: publicProcedure
    .meta({ recordsView: true })
    .input(imageInputSchema)
    .output(storedImageSchema)
    .query(({ ctx, input }) => readImage(ctx, input.id)),

  extractCode: publicProcedure
    .meta({ summary: 'Reads the code off an uploaded picture' })
    .input(extractCodeInputSchema)
    .output(extractedCodeSchema)
    .mutation(({ ctx, input }) => extractCode(ctx, input)),

  extractFacts: activeMemberProcedure
    .meta({ summary: 'Reads merchant, value, last day and title off an uploaded picture of a coupon' })
    .input(extractFactsInputSchema)
    .output(statedFactsSchema)
    .mutation(({ ctx, input }) => extractFacts(ctx, input)),
});
