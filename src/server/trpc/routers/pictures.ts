import { uploadedImageSchema } from '#contract/images.ts';
import { pictureFileInputSchema, pictureFileSchema, uploadPictureInputSchema } from '#contract/pictures.ts';
import { readPicture, uploadPicture } from '#server/domains/pictures/service.ts';
import { publicProcedure, router } from '../procedures.ts';

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
