import type { RevealedCode } from '#contract/coupons.ts';
import type { ImageKind } from '#contract/images.ts';
import { AppError, notFound } from '#server/core/errors.ts';
import { inTransaction, type Trx } from '#server/database/client.ts';
import type { MemberContext } from '../context.ts';
import { imageOfCoupon } from '../images/service.ts';
import type { ImageFile } from '../images/view.ts';
import * as store from './codes-store.ts';
import { codeContext } from './view.ts';

/** The owner sees so many of the latest looks at a code. */
const REVEALS_SHOWN = 20;

/** Looks at the pictures of one code within this time are one look: a dialog asks for each of them. */
const ONE_LOOK_MS = 60_000;

/**
 * The code, for the coupon's owner alone, and who has seen it when. Each look is recorded, this one too.
 * @throws AppError not_found (no such coupon, or one without a code), forbidden
 */
export async function revealCode(ctx: MemberContext, id: number): Promise<RevealedCode> {
  return inTransaction(ctx.db, async (trx) => {
    const { code } = await openCode(ctx, trx, id);
    await store.insertReveal(trx, id, ctx.actor.id, ctx.clock());
    const reveals = await store.listReveals(trx, id, REVEALS_SHOWN);
    return {
      id,
      codeValue: code,
      code,
      reveals: reveals.map(({ username, revealedAt }) => ({
        username,
        revealedAt: revealedAt.toISOString(),
      })),
    };
  });
}

/**
 * An own coupon's code as a picture: the uploaded one, else one drawn from the code. A look like any other: it is
 * recorded, but not anew for each picture of one look.
 * @throws AppError not_found (also where the code cannot be drawn that way), forbidden
 */
export async function codeImage(
  ctx: MemberContext,
  { id, kind }: { id: number; kind: ImageKind },
): Promise<ImageFile> {
  const { code } = await inTransaction(ctx.db, async (trx) => {
    const opened = await openCode(ctx, trx, id);
    const since = new Date(ctx.clock().getTime() - ONE_LOOK_MS);
    if (!(await store.hasReveal(trx, id, ctx.actor.id, since)))
      await store.insertReveal(trx, id, ctx.actor.id, ctx.clock());
    return opened;
  });
  // The storage may be far away: no lock waits for it.
  const image = await imageOfCoupon(ctx, ctx.db, id, kind);
  if (image) return image;
  const drawn = code === null ? null : await ctx.providers.pictures.draw(kind, code);
  if (!drawn || code === null) throw notFound('Picture');
  // Keyed: the name of a version must not tell whether a guessed code is the right one.
  const version = ctx.vault.fingerprint(`picture ${kind} ${id} ${code}`).slice(0, 32);
  return { ...drawn, etag: `"${version}"` };
}

/** @throws AppError not_found, forbidden */
async function openCode(ctx: MemberContext, trx: Trx, id: number): Promise<{ code: string | null }> {
  const secret = await store.readSecretOf(trx, id, ctx.actor.id);
  if (!secret) throw notFound('Coupon');
  if (secret.ownerId !== ctx.actor.id) {
    throw new AppError('forbidden', 'Only the owner of a coupon can see its code.');
  }
  if (secret.sealedCode) return { code: ctx.vault.open(secret.sealedCode, codeContext(id)) };
  if (!secret.hasPicture) throw new AppError('not_found', 'This coupon has no code');
  return { code: null };
}
