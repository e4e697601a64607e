import { randomBytes } from 'node:crypto';
import type { ImageKind } from '#contract/coupons/images.ts';
import type { Actor } from '#server/context/context.ts';
import type { TestContext } from './builders.ts';

/**
 * Inserts an uploaded picture directly into storage and database. Its bytes are not a real picture. `code` is the code
 * found in it.
 */
export async function insertImage(
  ctx: TestContext,
  uploader: Pick<Actor, 'id'> | null,
  given: { kind?: ImageKind | 'evidence'; code?: string; couponId?: number } = {},
): Promise<{ id: string; url: string; bytes: Buffer }> {
  const { kind = 'qrcode', code, couponId = null } = given;
  const id = randomBytes(16).toString('base64url');
  const bytes = Buffer.from(`the picture ${id}`);
  const position = [0, 1, 2, 3].map((corner) => ({ x: corner, y: corner }));
  const codes = code === undefined ? [] : [{ text: code, format: 'QRCode', position }];
  await ctx.providers.storage.put(id, ctx.vault.sealBytes(bytes, `image:${id}`));
  await ctx.db
    .insertInto('images')
    .values({
      id,
      uploaderId: uploader?.id ?? null,
      kind,
      couponId,
      contentType: 'image/png',
      width: 10,
      height: 10,
      codes: ctx.vault.seal(JSON.stringify(codes), `image-codes:${id}`),
      createdAt: ctx.clock(),
    })
    .execute();
  return { id, url: `/api/${kind === 'evidence' ? 'evidence' : 'images'}/${id}`, bytes };
}
