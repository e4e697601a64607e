import sharp from 'sharp';
import type { PictureKind } from '#contract/pictures.ts';
import { uploadPicture } from '#server/domains/pictures/service.ts';
import type { TestContext } from './builders.ts';

/** A small PNG in one colour, without a code. */
export function plainPicture(width = 8, height = 6, background = 'teal'): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();
}

/** Uploads a small picture as the context's person. @returns its address */
export async function uploadPlainPicture(
  ctx: Pick<TestContext, keyof TestContext>,
  kind: PictureKind = 'offer',
): Promise<string> {
  return (await uploadPicture(ctx, { kind, bytes: await plainPicture() })).url;
}
