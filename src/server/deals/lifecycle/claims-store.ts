import type { ClaimStatus } from '#contract/money/claims.ts';
import type { Trx } from '#server/database/client.ts';

/* Claims are decided in money/claims. Their rows are of this floor, whose lists, limits and messages read them. */

/** What a claim is about: a sale, or a leg of an exchange. */
type ClaimSubject = { readonly bidId: number } | { readonly exchangeId: number; readonly couponId: number };

export interface NewClaim {
  readonly about: ClaimSubject;
  readonly reason: string;
  /** Of a claim after the hold: what the merchant said about the code. Undefined: it is in time. */
  readonly late?: { readonly shopAnswer: string | null } | undefined;
  readonly at: Date;
}

/** @throws a unique violation of claims_bid_id_key or claims_leg_once on a second claim */
export async function insertClaim(trx: Trx, { about, reason, late, at }: NewClaim): Promise<number> {
  const { id } = await trx
    .insertInto('claims')
    .values({ ...about, ...(late && { isLate: true, ...late }), reason, createdAt: at })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** An end of a claim. */
export interface ClaimEnd {
  readonly claim: { readonly id: number } | { readonly bidId: number };
  readonly status: Exclude<ClaimStatus, 'open'>;
  readonly note: string | null;
  readonly decidedBy: number | null;
  /** Whether it ends by itself, as nobody has decided it. */
  readonly isDefault?: boolean;
  readonly at: Date;
}

/** Compare-and-set. @returns false when the claim is no longer open */
export async function endClaim(
  trx: Trx,
  { claim, status, note, decidedBy, isDefault = false, at }: ClaimEnd,
): Promise<boolean> {
  const ended = await trx
    .updateTable('claims')
    .set({ status, note, decidedBy, isDefault, decidedAt: at })
    .where((where) => ('id' in claim ? where('id', '=', claim.id) : where('bidId', '=', claim.bidId)))
    .where('status', '=', 'open')
    .returning('id')
    .executeTakeFirst();
  return ended !== undefined;
}
