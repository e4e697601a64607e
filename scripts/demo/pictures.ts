import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { PICTURE_FORMATS } from '#contract/people/picture-addresses.ts';
import type { PictureKind } from '#contract/people/pictures.ts';
import type { PublicPicture } from '#server/readers/pictures/pictures.ts';
import type { appRouter } from '#server/router.ts';

/** The drawings as files: searching each for codes and encoding it at every first start would take seconds. */
export const ENCODED_FILE = new URL('pictures.json', import.meta.url);

/** By the hash of the drawing. */
const encodedSchema = z.record(
  z.string(),
  z.object({
    width: z.int(),
    height: z.int(),
    files: z.array(z.object({ width: z.int(), format: z.enum(PICTURE_FORMATS), bytes: z.base64() })),
  }),
);

export function hashOf(drawing: string | Uint8Array): string {
  return createHash('sha256').update(drawing).digest('base64url');
}

let encoded: Promise<z.output<typeof encodedSchema>> | undefined;

/** In place of the processes' `publish`: the files of a drawing, which `npm run demo:pictures` has made with it. */
export async function publishDrawing(drawing: Uint8Array): Promise<PublicPicture> {
  encoded ??= readFile(ENCODED_FILE, 'utf8').then((text) => encodedSchema.parse(JSON.parse(text)));
  const picture = (await encoded)[hashOf(drawing)];
  if (!picture) throw new Error('A drawing of the demo has changed: run npm run demo:pictures');
  const files = picture.files.map((file) => ({ ...file, bytes: Buffer.from(file.bytes, 'base64') }));
  return { ...picture, hasCode: false, files };
}

/** Uploads a drawing as the browser uploads a picture. @returns its address; null without a drawing */
export async function uploadDrawing(
  calls: Pick<ReturnType<typeof appRouter.createCaller>, 'pictures'>,
  kind: PictureKind,
  drawing: string | undefined,
): Promise<string | null> {
  return drawing === undefined
    ? null
    : (await calls.pictures.upload({ kind, bytes: Buffer.from(drawing) })).url;
}
