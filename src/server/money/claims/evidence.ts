import { t } from '@lingui/core/macro';
import { type UploadedImage, uploadExpiry } from '#contract/coupons/images.ts';
import { CLAIM_PICTURE_DAYS } from '#contract/money/claims.ts';
import { hasRole } from '#contract/people/roles.ts';
import type { Context, MemberContext } from '#server/context/context.ts';
import { addDays } from '#server/core/clock.ts';
import { fieldError, notFound } from '#server/core/errors.ts';
import { openKept, openUpload, storeImage } from '#server/coupons/images/service.ts';
import type { ImageFile } from '#server/coupons/images/view.ts';
import { inTransaction, type Trx } from '#server/database/client.ts';
import { audit } from '#server/people/audit/service.ts';
import { processUpload } from '#server/people/pictures/service.ts';
import * as evidence from './evidence-store.ts';
import { findClaim } from './store.ts';
import { evidenceUrl, seesPicturesOf } from './view.ts';

/**
 * Stores a picture as evidence, re-encoded and encrypted, until a claim or an answer takes it or it expires. Codes that
 * can be read in it are painted over.
 * @throws AppError rate_limited, payload_too_large, unsupported_media_type, bad_input (a code is left), unavailable
 */
export async function uploadEvidence(ctx: MemberContext, bytes: Uint8Array): Promise<UploadedImage> {
  const picture = await processUpload(ctx, 'picture', bytes, ({ pictures }) => pictures.cover(bytes));
  const url = evidenceUrl(await storeImage(ctx, 'evidence', picture));
  return { url, filePath: url };
}

/**
 * A picture of a claim for those who may see it, or an upload for its uploader. A moderator's look is recorded.
 * @throws AppError not_found for everybody else, and after it was deleted; unavailable
 */
export async function readEvidence(ctx: MemberContext, id: string): Promise<ImageFile> {
  const picture = await evidence.findEvidence(ctx.db, id);
  if (!picture) throw notFound(t`Image not found`);
  if (picture.claimId === null) return openUpload(ctx, picture);
  const claim = await findClaim(ctx.db, { id: picture.claimId });
  if (!claim) throw notFound(t`Image not found`);
  const isParty = [claim.claimantId, claim.giverId].includes(ctx.actor.id);
  const uploaderId = picture.uploaderId === claim.claimantId ? claim.claimantId : claim.giverId;
  const maySee = isParty
    ? seesPicturesOf(uploaderId, claim.status, ctx.actor.id)
    : hasRole(ctx.actor.role, 'moderator');
  if (!maySee) throw notFound(t`Image not found`);
  const file = await openKept(ctx, picture);
  if (isParty) return file;
  await inTransaction(ctx.db, (trx) =>
    audit(trx, ctx, {
      actorId: ctx.actor.id,
      action: 'claim_picture_seen',
      details: `Claim ${claim.id}`,
      targetUserId: uploaderId,
      at: ctx.clock(),
    }),
  );
  return file;
}

/** Gives a claim a person's own uploads. @throws AppError bad_input if one is not theirs, has expired or is taken */
export async function attachEvidence(
  trx: Trx,
  { claimId, urls, userId, at }: { claimId: number; urls: readonly string[]; userId: number; at: Date },
): Promise<void> {
  const after = uploadExpiry(at).members;
  for (const [index, url] of urls.entries()) {
    const upload = {
      id: url.slice(evidenceUrl('').length),
      claimId,
      place: index + 1,
      uploaderId: userId,
      after,
    };
    if (!(await evidence.attachEvidence(trx, upload)))
      throw fieldError(
        'bad_input',
        'pictures',
        t`We no longer have one of the pictures. Please upload it again.`,
      );
  }
}

/** Discards the pictures of claims that ended long ago: the clean-up of images removes them. */
export async function discardOldEvidence(ctx: Context): Promise<void> {
  const at = ctx.clock();
  await evidence.discardEvidence(ctx.db, { before: addDays(at, -CLAIM_PICTURE_DAYS), at });
}
