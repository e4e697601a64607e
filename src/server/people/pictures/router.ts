import { uploadedImageSchema } from '#contract/coupons/images.ts';
import {
  pictureFileInputSchema,
  pictureFileSchema,
  uploadPictureInputSchema,
} from '#contract/people/pictures.ts';
import { publicProcedure, router } from '#server/trpc/procedures.ts';
import { readPicture, uploadPicture } from './service.ts';

/** Public pictures; visitors upload theirs while they register. */
export const picturesRouter = router({
  upload: publicProcedure
    .input(uploadPictureInputSchema)
    .output(uploadedImageSchema)
    .mutation(({ ctx, input }) => uploadPicture(ctx, input)),

  read: publicProcedure
    .input(pictureFileInputSchema)
    .output(pictureFileSchema)
    .query(({ ctx, input }) => readPicture(ctx, input)),
});
