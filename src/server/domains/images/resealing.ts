import { ClosedError } from '#server/core/crypto.ts';
import type { Context } from '../context.ts';
import * as store from './store.ts';
import { resealCodesOf, resealPicture } from './view.ts';

const PORTION = 8;

/**
 * Seals pictures and what was found in them under the newest secret key, a portion at a time. `closed` names those
 * that no key opens. Discarded ones are left: nobody opens them.
 */
export async function* resealPictures(
  ctx: Pick<Context, 'db' | 'vault' | 'providers'>,
): AsyncGenerator<{ resealed: number; closed: string[] }> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const images = await store.listKept(ctx.db, after, PORTION);
    const closed: string[] = [];
    const outcomes = await Promise.all(
      images.map(async (image) => {
        try {
          return await resealOne(ctx, image);
        } catch (error) {
          if (!(error instanceof ClosedError)) throw error;
          closed.push(`the picture ${image.id}`);
          return false;
        }
      }),
    );
    yield { resealed: outcomes.filter(Boolean).length, closed };
    after = images.at(-1)?.id;
  }
}

/** Seals the file before the row: a row under the newest key implies its file is, too. @returns whether it did anything */
async function resealOne(
  { db, vault, providers: { storage } }: Pick<Context, 'db' | 'vault' | 'providers'>,
  { id, codes }: { readonly id: string; readonly codes: Buffer },
): Promise<boolean> {
  const now = resealCodesOf(vault, { id, codes });
  if (!now) return false;
  const sealed = await storage.get(id);
  const renewed = sealed && resealPicture(vault, id, sealed);
  if (renewed) await storage.put(id, renewed);
  const isReplaced = await store.replaceCodes(db, { id, before: codes, now });
  // Discarded meanwhile: its file may have been removed before ours was put.
  if (!isReplaced && !(await store.isKept(db, id))) await storage.remove(id);
  return isReplaced;
}
