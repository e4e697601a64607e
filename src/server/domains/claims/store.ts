import { sql } from 'kysely';
import { COUNT_CAP } from '#contract/bounds.ts';
import type { ClaimStatus, LegClaimStatus, SaleClaimStatus } from '#contract/claims.ts';
import type { DealStatus } from '#contract/deals.ts';
import type { Database, Trx } from '#server/database/client.ts';
import { cappedTotal, type ListOrder, openPage, type Paging } from '#server/database/paging.ts';
import { picturesOf } from '../claim-pictures.ts';
import { ANSWER_DEADLINE, CLAIM_DEADLINE } from '../deadlines.ts';

export type SaleClaim = NonNullable<Awaited<ReturnType<typeof findSaleClaim>>>;

/** The claim about a payment. */
export async function findSaleClaim(db: Database | Trx, paymentId: number) {
  return db
    .selectFrom('claims')
    .innerJoin('paymentTransactions as payment', 'payment.id', 'claims.paymentId')
    .select(['claims.id', 'claims.status', 'claims.reason', 'claims.answer', 'claims.note'])
    .select(['claims.createdAt', 'payment.senderId as claimantId', 'payment.receiverId as giverId'])
    .select([
      picturesOf('claims.id', 'payment.senderId').as('claimantPictures'),
      picturesOf('claims.id', 'payment.receiverId').as('giverPictures'),
    ])
    .where('claims.paymentId', '=', paymentId)
    .$narrowType<{ status: SaleClaimStatus }>()
    .executeTakeFirst();
}

/** What a claim is about: a payment, or a leg of an exchange. */
export type ClaimSubject =
  | { readonly paymentId: number }
  | { readonly exchangeId: number; readonly couponId: number };

/** @throws a unique violation of claims_payment_id_key or claims_leg_once on a second claim */
export async function insertClaim(
  trx: Trx,
  { about, reason, at }: { about: ClaimSubject; reason: string; at: Date },
): Promise<number> {
  const { id } = await trx
    .insertInto('claims')
    .values({ ...about, reason, createdAt: at })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** An end of a claim. */
export interface ClaimEnd {
  readonly claim: { readonly id: number } | { readonly paymentId: number };
  readonly status: Exclude<ClaimStatus, 'open'>;
  readonly note: string | null;
  readonly decidedBy: number | null;
  readonly at: Date;
}

/** Compare-and-set. @returns false when the claim is no longer open */
export async function endClaim(trx: Trx, { claim, status, note, decidedBy, at }: ClaimEnd): Promise<boolean> {
  const ended = await trx
    .updateTable('claims')
    .set({ status, note, decidedBy, decidedAt: at })
    .where((where) => ('id' in claim ? where('id', '=', claim.id) : where('paymentId', '=', claim.paymentId)))
    .where('status', '=', 'open')
    .returning('id')
    .executeTakeFirst();
  return ended !== undefined;
}

/** Compare-and-set. @returns false when the claim is no longer open or has an answer */
export async function answerClaim(trx: Trx, id: number, answer: string, at: Date): Promise<boolean> {
  const answered = await trx
    .updateTable('claims')
    .set({ answer, answeredAt: at })
    .where('id', '=', id)
    .where('status', '=', 'open')
    .where('answer', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return answered !== undefined;
}

function selectClaims(db: Database | Trx) {
  return db
    .selectFrom('claims')
    .leftJoin('paymentTransactions as payment', 'payment.id', 'claims.paymentId')
    .leftJoin('bids', 'bids.id', 'payment.bidId')
    .leftJoin('exchangeLegs as leg', (join) =>
      join.onRef('leg.exchangeId', '=', 'claims.exchangeId').onRef('leg.couponId', '=', 'claims.couponId'),
    )
    .innerJoin('coupons', (join) =>
      join.on('coupons.id', '=', sql<number>`coalesce(bids.coupon_id, claims.coupon_id)`),
    )
    .innerJoin('users as claimant', (join) =>
      join.on('claimant.id', '=', sql<number>`coalesce(payment.sender_id, leg.receiver_id)`),
    )
    .innerJoin('users as giver', (join) =>
      join.on('giver.id', '=', sql<number>`coalesce(payment.receiver_id, leg.giver_id)`),
    )
    .select(['claims.id', 'claims.paymentId', 'claims.exchangeId', 'bids.id as bidId'])
    .select(['claims.status', 'claims.reason', 'claims.answer', 'claims.note'])
    .select(['claims.createdAt', 'claims.decidedAt', ANSWER_DEADLINE.as('answerBy')])
    .select(['payment.amount', 'payment.buyerFee', 'payment.isDisputed'])
    .select(['coupons.id as couponId', 'coupons.title as couponTitle', 'coupons.merchant'])
    .select(['claimant.id as claimantId', 'claimant.username as claimantUsername'])
    .select(['claimant.deletedAt as claimantLeftAt', 'giver.deletedAt as giverLeftAt'])
    .select(['giver.id as giverId', 'giver.username as giverUsername'])
    .select([
      picturesOf('claims.id', 'claimant.id').as('claimantPictures'),
      picturesOf('claims.id', 'giver.id').as('giverPictures'),
    ])
    .$narrowType<{ status: ClaimStatus }>();
}

export type ClaimRow = NonNullable<Awaited<ReturnType<typeof findClaim>>>;

/** A claim, by its id or by its leg. */
export async function findClaim(
  db: Database | Trx,
  claim: { id: number } | { exchangeId: number; couponId: number },
) {
  return selectClaims(db)
    .where((where) =>
      'id' in claim
        ? where('claims.id', '=', claim.id)
        : where.and([
            where('claims.exchangeId', '=', claim.exchangeId),
            where('claims.couponId', '=', claim.couponId),
          ]),
    )
    .executeTakeFirst();
}

const OPEN: ListOrder = { name: 'open claims', direction: 'asc', by: [['id', 'integer']] };
const ALL: ListOrder = { name: 'claims', direction: 'desc', by: [['id', 'integer']] };

/** Open claims oldest first, all claims newest first. */
export async function listClaims(db: Database, onlyOpen: boolean, paging: Paging) {
  const page = openPage(paging, onlyOpen ? OPEN : ALL, COUNT_CAP);
  const found = selectClaims(db).$if(onlyOpen, (query) => query.where('claims.status', '=', 'open'));
  const rows = await page.select(found, 'claims').execute();
  const counted = db
    .selectFrom('claims')
    .select('id')
    .$if(onlyOpen, (query) => query.where('status', '=', 'open'));
  return { ...page.finish(rows), ...(await cappedTotal(db, counted, COUNT_CAP)) };
}

/**
 * What keeps a party of exchanges here: whether a claim by or against them is open, and until when one can still be made,
 * by them or by others; null if none can.
 */
export async function findObligations(
  trx: Trx,
  userId: number,
  at: Date,
): Promise<{ isOpen: boolean; claimableUntil: Date | null }> {
  const { rows } = await sql<{ isOpen: boolean; claimableUntil: Date | null }>`
    select coalesce(bool_or(claims.status = 'open'), false) as is_open,
      max(${CLAIM_DEADLINE}) filter (where claims.id is null and ${CLAIM_DEADLINE} > ${at}) as claimable_until
    from exchange_parties as party join exchanges on exchanges.id = party.exchange_id
    join exchange_legs as leg on leg.exchange_id = exchanges.id
    left join claims on claims.exchange_id = leg.exchange_id and claims.coupon_id = leg.coupon_id
    where party.user_id = ${userId} and party.status = 'completed' and ${userId} in (leg.giver_id, leg.receiver_id)`.execute(
    trx,
  );
  return rows[0] ?? { isOpen: false, claimableUntil: null };
}

export type LegClaimRow = Awaited<ReturnType<typeof listLegs>>[number];

/** The legs of an exchange, each with its claim. */
export async function listLegs(db: Database | Trx, exchangeId: number) {
  return db
    .selectFrom('exchangeLegs as leg')
    .innerJoin('exchanges', 'exchanges.id', 'leg.exchangeId')
    .innerJoin('coupons', 'coupons.id', 'leg.couponId')
    .innerJoin('users as giver', 'giver.id', 'leg.giverId')
    .innerJoin('users as receiver', 'receiver.id', 'leg.receiverId')
    .leftJoin('claims', (join) =>
      join.onRef('claims.exchangeId', '=', 'leg.exchangeId').onRef('claims.couponId', '=', 'leg.couponId'),
    )
    .select(['leg.exchangeId', 'leg.couponId', 'coupons.title as couponTitle', 'exchanges.status'])
    .select(['leg.giverId', 'giver.username as giverUsername'])
    .select(['leg.receiverId', 'receiver.username as receiverUsername', CLAIM_DEADLINE.as('claimBy')])
    .select(['claims.id as claimId', 'claims.status as claimStatus', 'claims.reason', 'claims.answer'])
    .select(['claims.note', 'claims.createdAt as claimedAt', ANSWER_DEADLINE.as('answerBy')])
    .select([
      picturesOf('claims.id', 'leg.receiverId').as('claimantPictures'),
      picturesOf('claims.id', 'leg.giverId').as('giverPictures'),
    ])
    .$narrowType<{ status: DealStatus; claimStatus: LegClaimStatus | null }>()
    .where('leg.exchangeId', '=', exchangeId)
    .orderBy('leg.place')
    .execute();
}
