import { sql } from 'kysely';
import { COUNT_CAP } from '#contract/base/bounds.ts';
import type { DealStatus } from '#contract/deals/deals.ts';
import type {
  ClaimCounts,
  ClaimStatus,
  ClaimWait,
  FindingKind,
  LegClaimStatus,
  SaleClaimStatus,
} from '#contract/money/claims.ts';
import type { UserRole } from '#contract/people/roles.ts';
import type { Database, Trx } from '#server/database/client.ts';
import { cappedTotal, type ListOrder, openPage, type Paging } from '#server/database/paging.ts';
import { ANSWER_DEADLINE, CLAIM_DEADLINE } from '#server/deals/lifecycle/deadlines-sql.ts';
import { notOwnCase } from '#server/people/audit/own-cases-sql.ts';
import type { Side } from './defaults.ts';
import { picturesOf } from './evidence-store.ts';

/** What the merchant's programme has told about a claim, and whether it decides. */
const FINDING = [
  'claims.finding',
  'claims.findingFor',
  'claims.redeemedAt',
  'claims.redeemedPlace',
  'claims.comparedAt',
  'claims.contestedAt',
] as const;
interface NarrowFinding {
  finding: FindingKind | null;
  findingFor: Side | null;
}

export type SaleClaim = Awaited<ReturnType<typeof listSaleClaims>>[number];

/** The claims about sales. */
export async function listSaleClaims(db: Database | Trx, bidIds: readonly number[]) {
  return db
    .selectFrom('claims')
    .innerJoin('bids', 'bids.id', 'claims.bidId')
    .innerJoin('users as giver', 'giver.id', 'bids.ownerId')
    .select(['claims.id', 'bids.id as bidId', 'claims.status', 'claims.reason', 'claims.answer'])
    .select(['claims.note', 'claims.createdAt', 'claims.isLate', 'claims.shopAnswer'])
    .select(['claims.defaultFor', 'claims.defaultAt', 'claims.appealedAt'])
    .select(FINDING)
    .select(ANSWER_DEADLINE.as('answerBy'))
    .select(['bids.bidderId as claimantId', 'bids.ownerId as giverId'])
    .select([
      picturesOf('claims.id', 'bids.bidderId').as('claimantPictures'),
      picturesOf('claims.id', 'bids.ownerId').as('giverPictures'),
    ])
    .where('bids.id', '=', sql<number>`any(${bidIds})`)
    .$narrowType<{ status: SaleClaimStatus; defaultFor: Side | null } & NarrowFinding>()
    .execute();
}

/** Whether a claim about what a bid has paid for is open. */
export async function hasOpenClaim(db: Database | Trx, paidBidId: number): Promise<boolean> {
  const claim = await db
    .selectFrom('claims')
    .select('id')
    .where('paidBidId', '=', paidBidId)
    .where('status', '=', 'open')
    .executeTakeFirst();
  return claim !== undefined;
}

/** The deal in which somebody got a coupon that they still have; none where they got it back. */
export async function findDealOfHolder(
  db: Database,
  { couponId, userId }: { couponId: number; userId: number },
): Promise<{ readonly bidId: number | null; readonly exchangeId: number | null } | undefined> {
  const last = await db
    .selectFrom('couponTransfers')
    .innerJoin('coupons', (join) =>
      join
        .onRef('coupons.id', '=', 'couponTransfers.couponId')
        .onRef('coupons.ownerId', '=', 'couponTransfers.toUserId'),
    )
    .select(['couponTransfers.bidId', 'couponTransfers.exchangeId', 'couponTransfers.isReturn'])
    .where('couponTransfers.couponId', '=', couponId)
    .where('couponTransfers.toUserId', '=', userId)
    .orderBy('couponTransfers.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last?.isReturn === false ? last : undefined;
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
    .leftJoin('bids', 'bids.id', 'claims.bidId')
    .leftJoin('exchangeLegs as leg', (join) =>
      join.onRef('leg.exchangeId', '=', 'claims.exchangeId').onRef('leg.couponId', '=', 'claims.couponId'),
    )
    .innerJoin('coupons', (join) =>
      join.on('coupons.id', '=', sql<number>`coalesce(bids.coupon_id, claims.coupon_id)`),
    )
    .innerJoin('users as claimant', (join) =>
      join.on('claimant.id', '=', sql<number>`coalesce(bids.bidder_id, leg.receiver_id)`),
    )
    .innerJoin('users as giver', (join) =>
      join.on('giver.id', '=', sql<number>`coalesce(bids.owner_id, leg.giver_id)`),
    )
    .select(['claims.id', 'claims.exchangeId', 'claims.bidId', 'claims.paidBidId'])
    .select(['claims.status', 'claims.reason', 'claims.answer', 'claims.note'])
    .select(['claims.isLate', 'claims.shopAnswer'])
    .select(['claims.createdAt', 'claims.decidedAt', ANSWER_DEADLINE.as('answerBy')])
    .select(['claims.remindedAt', 'claims.toldAdminsAt'])
    .select(['claims.defaultFor', 'claims.defaultAt', 'claims.appealedAt', 'claims.isDefault'])
    .select(FINDING)
    .select(['coupons.id as couponId', 'coupons.title as couponTitle', 'coupons.merchant'])
    .select(['claimant.id as claimantId', 'claimant.username as claimantUsername'])
    .select(['claimant.deletedAt as claimantLeftAt', 'giver.deletedAt as giverLeftAt'])
    .select(['giver.id as giverId', 'giver.username as giverUsername'])
    .select(
      sql<boolean>`exists (select from uncounted_pairs as pair where pair.lower_id = least(claimant.id, giver.id)
        and pair.higher_id = greatest(claimant.id, giver.id))`.as('isSameNetwork'),
    )
    .select([
      picturesOf('claims.id', 'claimant.id').as('claimantPictures'),
      picturesOf('claims.id', 'giver.id').as('giverPictures'),
    ])
    .$narrowType<{ status: ClaimStatus; defaultFor: Side | null } & NarrowFinding>();
}

/** The late claims of a person since an instant that are open or upheld. */
export async function countLateClaims(trx: Trx, claimantId: number, since: Date): Promise<number> {
  const { count } = await trx
    .selectFrom('claims')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('claimantId', '=', claimantId)
    .where('isLate', '=', true)
    .where('createdAt', '>', since)
    .where('status', 'in', ['open', 'refunded'])
    .executeTakeFirstOrThrow();
  return count;
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

/** Whether the giver of a claim (`claims`, `giver`) can still answer it. */
const isAwaited = (at: Date) => sql<boolean>`coalesce(${ANSWER_DEADLINE} > ${at}, false)`;

const openOrder = (at: Date): ListOrder => ({
  name: 'open claims',
  direction: 'asc',
  by: [
    [sql`(${isAwaited(at)})::integer`, 'integer'],
    ['id', 'integer'],
  ],
});
const ALL: ListOrder = { name: 'claims', direction: 'desc', by: [['id', 'integer']] };

/** The claims that a judge may decide, who is no party to them. */
const ofJudge = (judgeId: number) => notOwnCase(judgeId, ['claims.claimantId', 'claims.giverId']);

interface ClaimFilter {
  readonly judgeId: number;
  readonly onlyOpen: boolean;
  /** Of open ones. */
  readonly waitsFor: ClaimWait | undefined;
  readonly at: Date;
}

/**
 * The claims that a judge may decide: of open ones first those that can be decided now, each the oldest first; or all, the
 * newest first.
 */
export async function listClaims(
  db: Database,
  { judgeId, onlyOpen, waitsFor, at }: ClaimFilter,
  paging: Paging,
) {
  const page = openPage(paging, onlyOpen ? openOrder(at) : ALL, COUNT_CAP);
  const isOpen = sql<boolean>`claims.status = 'open'`;
  const isWaiting = waitsFor === 'answer' ? isAwaited(at) : sql<boolean>`not ${isAwaited(at)}`;
  const isFound = sql<boolean>`${ofJudge(judgeId)}
    and ${onlyOpen || waitsFor ? isOpen : sql`true`} and ${waitsFor ? isWaiting : sql`true`}`;
  const rows = await page.select(selectClaims(db).where(isFound), 'claims').execute();
  const counted = db
    .selectFrom('claims')
    .innerJoin('users as giver', 'giver.id', 'claims.giverId')
    .select('claims.id')
    .where(isFound);
  return { ...page.finish(rows), ...(await cappedTotal(db, counted, COUNT_CAP)) };
}

/** How many open claims that a judge may decide wait for what. */
export async function countOpenClaims(db: Database, judgeId: number, at: Date): Promise<ClaimCounts> {
  return db
    .selectFrom('claims')
    .innerJoin('users as giver', 'giver.id', 'claims.giverId')
    .select(sql<number>`count(*) filter (where not ${isAwaited(at)})`.as('decision'))
    .select(sql<number>`count(*) filter (where ${isAwaited(at)})`.as('answer'))
    .where('claims.status', '=', 'open')
    .where(ofJudge(judgeId))
    .executeTakeFirstOrThrow();
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

/** A person's open claims, also about final sales, and unfinished payments, as buyer or seller, with deposits. */
export async function countUnderWay(trx: Trx, userId: number): Promise<{ claims: number; payments: number }> {
  const found = await sql<{ claims: number; payments: number }>`
    select count(*) + (select count(*) from deposits where status in ('authorised', 'captured') and (
        user_id = ${userId} and (status = 'authorised' or receiver_id is null) or receiver_id = ${userId})) as payments,
      count(*) filter (where exists (
      select from claims where claims.paid_bid_id = under_way.bid_id and claims.status = 'open')) as claims
    from (
      select id, bid_id from payment_transactions where sender_id = ${userId} and (
        status in ('processing', 'held', 'releasing', 'refunding') or is_disputed)
      union
      select id, bid_id from payment_transactions where receiver_id = ${userId} and (
        status in ('processing', 'held', 'releasing', 'refunding') or is_disputed)
      union
      select payment.id, payment.bid_id from claims
      join payment_transactions as payment on payment.bid_id = claims.paid_bid_id
      where claims.status = 'open' and claims.is_late and ${userId} in (claims.claimant_id, claims.giver_id)) as under_way`.execute(
    trx,
  );
  return found.rows[0] ?? { claims: 0, payments: 0 };
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
    .leftJoin('bids as price', (join) =>
      join.onRef('price.exchangeId', '=', 'leg.exchangeId').onRef('price.couponId', '=', 'leg.couponId'),
    )
    .select('price.id as priceBidId')
    .select(
      sql<boolean>`price.id is null or coupons.owner_id = leg.receiver_id and coupons.used_at is null
        and coupons.deleted_at is null`.as('isClaimable'),
    )
    .select(['leg.exchangeId', 'leg.couponId', 'coupons.title as couponTitle', 'exchanges.status'])
    .select(['leg.giverId', 'giver.username as giverUsername'])
    .select(['leg.receiverId', 'receiver.username as receiverUsername', CLAIM_DEADLINE.as('claimBy')])
    .select(['claims.id as claimId', 'claims.status as claimStatus', 'claims.reason', 'claims.answer'])
    .select(['claims.note', 'claims.createdAt as claimedAt', ANSWER_DEADLINE.as('answerBy')])
    .select(['claims.defaultFor', 'claims.defaultAt', 'claims.appealedAt'])
    .select(FINDING)
    .select([
      picturesOf('claims.id', 'leg.receiverId').as('claimantPictures'),
      picturesOf('claims.id', 'leg.giverId').as('giverPictures'),
    ])
    .$narrowType<
      { status: DealStatus; claimStatus: LegClaimStatus | null; defaultFor: Side | null } & NarrowFinding
    >()
    .where('leg.exchangeId', '=', exchangeId)
    .orderBy('leg.place')
    .execute();
}

/** Those who may decide a claim. @param parties to the sale, who may not */
export async function listDeciders(
  trx: Trx,
  parties: readonly number[],
  roles: readonly UserRole[] = ['moderator', 'admin'],
): Promise<number[]> {
  const rows = await trx
    .selectFrom('users')
    .select('id')
    .where('role', 'in', roles)
    .where('status', 'not in', ['suspended', 'banned'])
    .where('deletedAt', 'is', null)
    .where('id', 'not in', parties)
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}
