import { sql } from 'kysely';
import type { ClaimStatus } from '#contract/claims.ts';

const PREFIX = '/api/evidence/';

/** The address of a picture that was uploaded as evidence. */
export function evidenceUrl(id: string): string {
  return `${PREFIX}${id}`;
}

/** The id in such an address. */
export function evidenceIdOf(url: string): string {
  return url.slice(PREFIX.length);
}

/**
 * Whether a party to a claim sees the pictures of one side. Everybody sees their own, and those of the other side while
 * the claim is open: the coupon may go on to somebody else, and a picture may show its code.
 */
export function seesPicturesOf(sideId: number, status: ClaimStatus, partyId: number): boolean {
  return sideId === partyId || status === 'open';
}

/** The ids of the pictures that one side has added to a claim. */
export function picturesOf(claimId: string, sideId: string) {
  return sql<string[]>`array(select images.id from images where images.claim_id = ${sql.ref(claimId)}
    and images.uploader_id = ${sql.ref(sideId)} and images.discarded_at is null order by images.place)`;
}

interface Sides {
  readonly claimantId: number;
  readonly giverId: number;
  readonly status: ClaimStatus;
  /** The ids of each side's pictures. */
  readonly claimantPictures: readonly string[];
  readonly giverPictures: readonly string[];
}

/** The addresses of the pictures that a party to the claim, or a moderator, may see. */
export function picturesFor({ claimantId, giverId, status, ...pictures }: Sides, viewerId: number) {
  const isParty = [claimantId, giverId].includes(viewerId);
  const seen = (sideId: number, ids: readonly string[]) =>
    !isParty || seesPicturesOf(sideId, status, viewerId) ? ids.map(evidenceUrl) : [];
  return {
    claimantPictures: seen(claimantId, pictures.claimantPictures),
    giverPictures: seen(giverId, pictures.giverPictures),
  };
}
