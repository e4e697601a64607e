import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { pictureUrl } from '#contract/people/picture-addresses.ts';
import type { PictureKind } from '#contract/people/pictures.ts';
import { uploadPicture } from '#server/people/pictures/service.ts';
import type { TestContext } from './builders.ts';

/** A small PNG in one colour, without a code. */
export function plainPicture(width = 8, height = 6, background = 'teal'): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();
}

/** Stores the row of a picture without files, where the processes for pictures cannot run. @returns its address */
export async function insertPicture(ctx: TestContext, kind: PictureKind = 'offer'): Promise<string> {
  const id = `${randomBytes(16).toString('base64url')}-8x6`;
  const row = { id, kind, files: [`${id}-8-webp`], createdAt: ctx.clock(), attachedAt: ctx.clock() };
  await ctx.db.insertInto('pictures').values(row).execute();
  return pictureUrl(id);
}

/** Uploads a small picture as the context's person. @returns its address */
export async function uploadPlainPicture(
  ctx: Pick<TestContext, keyof TestContext>,
  kind: PictureKind = 'offer',
): Promise<string> {
  return (await uploadPicture(ctx, { kind, bytes: await plainPicture() })).url;
}
