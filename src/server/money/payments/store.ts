import { type Selectable, sql, type Updateable } from 'kysely';
import { type Cents, centsToDecimal, decimalToCents } from '#contract/base/money.ts';
import type { SaleClaimStatus } from '#contract/money/claims.ts';
import type { PaymentStatus, WaitReason } from '#contract/money/payments.ts';
import type { UserStatus } from '#contract/people/accounts.ts';
import type { PaymentProviderName } from '#contract/people/sellers.ts';
import { addDays } from '#server/core/clock.ts';
import type { Database, Trx } from '#server/database/client.ts';
import type { DB } from '#server/database/types.ts';
import { coverDeadline, holdDeadline } from '#server/deals/lifecycle/deadlines-sql.ts';
import { PAYPAL_HOLD_DAYS } from './rules.ts';

/** A payment. Amounts are cents of the base currency. */
export interface Payment {
  readonly id: number;
  /** Random, for the provider. */
  readonly publicId: string;
  readonly bidId: number;
  /** Buyer and seller. */
  readonly senderId: number;
  readonly receiverId: number;
  readonly provider: PaymentProviderName;
  /** The seller's account at the provider. */
  readonly receiverAccount: string;
  readonly amount: Cents;
  readonly buyerTotal: Cents;
  readonly platformFee: Cents;
  readonly netAmount: Cents;
  readonly providerFee: Cents | null;
  /** The sum of the refunds that have failed. */
  readonly refundFailed: Cents;
  readonly status: PaymentStatus;
  readonly isDisputed: boolean;
  /** When the evidence for an open dispute is due; null: the provider names no time, or wants none. */
  readonly evidenceDueAt: Date | null;
  /** Provider ids: intent or order; charge or capture; transfer or payout. */
  readonly ref: string | null;
  readonly chargeRef: string | null;
  readonly payoutRef: string | null;
  readonly paidAt: Date | null;
  readonly endedAt: Date | null;
  /** With the time for which the buyer could not act. */
  readonly holdUntil: Date | null;
  /** Until when a claim is heard after the hold; null without a guarantee. */
  readonly coverUntil: Date | null;
  /** When the buyer has said within the hold that the code works. */
  readonly confirmedAt: Date | null;
  /** The part of the fees that goes to the reserve, as it was in force. */
  readonly reservePercent: number;
  readonly createdAt: Date;
}

type Row = Selectable<DB['paymentTransactions']> & {
  status: PaymentStatus;
  provider: PaymentProviderName;
  coverUntil: Date | null;
};

function toPayment(row: Row): Payment {
  const amount = decimalToCents(row.amount);
  return {
    id: row.id,
    publicId: row.publicId,
    bidId: row.bidId,
    senderId: row.senderId,
    receiverId: row.receiverId,
    provider: row.provider,
    receiverAccount: row.receiverAccount,
    amount,
    buyerTotal: amount + decimalToCents(row.buyerFee),
    platformFee: decimalToCents(row.platformFee),
    netAmount: decimalToCents(row.netAmount),
    providerFee: row.providerFee === null ? null : decimalToCents(row.providerFee),
    refundFailed: decimalToCents(row.refundFailed),
    status: row.status,
    isDisputed: row.isDisputed,
    evidenceDueAt: row.evidenceDueAt,
    ref: row.stripePaymentIntentId ?? row.paypalOrderId,
    chargeRef: row.stripeChargeId ?? row.paypalCaptureId,
    payoutRef: row.stripeTransferId ?? row.paypalPayoutId,
    paidAt: row.paidAt,
    endedAt: row.endedAt,
    holdUntil: row.holdUntil,
    coverUntil: row.coverUntil,
    confirmedAt: row.confirmedAt,
    reservePercent: row.reservePercent,
    createdAt: row.createdAt,
  };
}

const HOLD_DEADLINE = holdDeadline('paymentTransactions');
const COVER_DEADLINE = coverDeadline('paymentTransactions');

function selectPayments(db: Database | Trx) {
  return db
    .selectFrom('paymentTransactions')
    .selectAll('paymentTransactions')
    .select([HOLD_DEADLINE.as('holdUntil'), COVER_DEADLINE.as('coverUntil')])
    .$narrowType<{ status: PaymentStatus; provider: PaymentProviderName }>();
}

export async function findPayment(db: Database | Trx, id: number): Promise<Payment | null> {
  const row = await selectPayments(db).where('id', '=', id).executeTakeFirst();
  return row ? toPayment(row) : null;
}

/** Payments with their bid, coupon and people. */
function selectSales(db: Database) {
  return db
    .selectFrom('paymentTransactions as payment')
    .innerJoin('bids', 'bids.id', 'payment.bidId')
    .innerJoin('coupons', 'coupons.id', 'bids.couponId')
    .innerJoin('users as buyer', 'buyer.id', 'payment.senderId')
    .innerJoin('users as seller', 'seller.id', 'payment.receiverId');
}

/** The coupon and the people of a payment, and the state of a claim about it. */
export async function findDealOf(db: Database, id: number) {
  return selectSales(db)
    .leftJoin('claims', 'claims.bidId', 'bids.id')
    .select('claims.status as claim')
    .select(['payment.paidAt', 'bids.couponId', 'coupons.title as couponTitle'])
    .select(['buyer.username as buyerUsername', 'buyer.status as buyerStatus'])
    .select(['seller.username as sellerUsername', 'seller.status as sellerStatus'])
    .where('payment.id', '=', id)
    .$narrowType<{ claim: SaleClaimStatus | null; buyerStatus: UserStatus; sellerStatus: UserStatus }>()
    .executeTakeFirst();
}

/** The latest payment of each of these bids: the one that counts. */
export async function listPaymentsOfBids(db: Database | Trx, bidIds: readonly number[]): Promise<Payment[]> {
  const rows = await selectPayments(db)
    .distinctOn('bidId')
    .where('bidId', '=', sql<number>`any(${bidIds})`)
    .orderBy('bidId')
    .orderBy('id', 'desc')
    .execute();
  return rows.map(toPayment);
}

export async function findPaymentOfBid(db: Database | Trx, bidId: number): Promise<Payment | null> {
  const [payment] = await listPaymentsOfBids(db, [bidId]);
  return payment ?? null;
}

/** Locks the latest payments of the prices of an exchange, in id order. Lock its coupons and the exchange first. */
export async function lockPaymentsOfExchange(trx: Trx, exchangeId: number): Promise<Payment[]> {
  const rows = await selectPayments(trx)
    .where('id', 'in', (from) =>
      from
        .selectFrom('bids')
        .innerJoin('paymentTransactions as made', 'made.bidId', 'bids.id')
        .where('bids.exchangeId', '=', exchangeId)
        .groupBy('bids.id')
        .select(({ fn }) => fn.max('made.id').as('id')),
    )
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  return rows.map(toPayment);
}

/**
 * Held payments for exchanges, whose holds have not begun: the exchange is not completed. First those of exchanges that have
 * ended.
 */
export async function listHeldPrices(db: Database, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('paymentTransactions')
    .innerJoin('bids', 'bids.id', 'paymentTransactions.bidId')
    .select('paymentTransactions.id')
    .where('paymentTransactions.status', '=', 'held')
    .where('paymentTransactions.holdUntil', 'is', null)
    .orderBy('bids.status', 'desc')
    .orderBy('paymentTransactions.id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

export async function findPaymentByRef(
  db: Database,
  provider: PaymentProviderName,
  ref: string,
): Promise<Payment | null> {
  const column = provider === 'stripe' ? 'stripePaymentIntentId' : 'paypalOrderId';
  const row = await selectPayments(db).where(column, '=', ref).executeTakeFirst();
  return row ? toPayment(row) : null;
}

export async function findPaymentByPublicId(db: Database, publicId: string): Promise<Payment | null> {
  const row = await selectPayments(db).where('publicId', '=', publicId).executeTakeFirst();
  return row ? toPayment(row) : null;
}

/** Lock its coupon and its bid first. */
export async function lockPayment(trx: Trx, id: number): Promise<Payment> {
  return toPayment(await selectPayments(trx).where('id', '=', id).forNoKeyUpdate().executeTakeFirstOrThrow());
}

/** @throws a unique violation of payments_one_live while another payment of the bid can still be paid */
export async function insertPayment(
  trx: Trx,
  given: {
    publicId: string;
    bidId: number;
    senderId: number;
    receiverId: number;
    provider: PaymentProviderName;
    receiverAccount: string;
    amount: Cents;
    buyerFee: Cents;
    sellerFee: Cents;
    platformFee: Cents;
    netAmount: Cents;
    guaranteeDays: number;
    reservePercent: number;
    at: Date;
    nextTryAt: Date;
  },
): Promise<Payment> {
  const { at, amount, buyerFee, sellerFee, platformFee, netAmount, ...columns } = given;
  const row = await trx
    .insertInto('paymentTransactions')
    .values({
      ...columns,
      amount: centsToDecimal(amount),
      buyerFee: centsToDecimal(buyerFee),
      sellerFee: centsToDecimal(sellerFee),
      platformFee: centsToDecimal(platformFee),
      netAmount: centsToDecimal(netAmount),
      createdAt: at,
      updatedAt: at,
    })
    .returningAll()
    .$narrowType<{ status: PaymentStatus; provider: PaymentProviderName }>()
    .executeTakeFirstOrThrow();
  return toPayment({ ...row, coverUntil: null });
}

/** Undefined values stay unchanged. */
export interface PaymentChange {
  readonly status?: PaymentStatus;
  readonly isDisputed?: boolean;
  readonly disputedAt?: Date | null | undefined;
  readonly evidenceDueAt?: Date | null;
  readonly ref?: string;
  readonly chargeRef?: string;
  readonly payoutRef?: string;
  readonly providerFee?: Cents;
  readonly refundFailed?: Cents;
  readonly paymentMethodId?: number;
  readonly details?: string;
  readonly holdUntil?: Date;
  readonly paidAt?: Date;
  readonly confirmedAt?: Date;
  readonly endedAt?: Date | null;
  readonly nextTryAt?: Date | null;
}

export async function updatePayment(
  trx: Trx,
  { id, provider }: Pick<Payment, 'id' | 'provider'>,
  change: PaymentChange,
  at: Date,
): Promise<void> {
  const { ref, chargeRef, payoutRef, providerFee, refundFailed, ...columns } = change;
  const decimal = (cents: Cents | undefined) => (cents === undefined ? undefined : centsToDecimal(cents));
  const refs: Updateable<DB['paymentTransactions']> =
    provider === 'stripe'
      ? { stripePaymentIntentId: ref, stripeChargeId: chargeRef, stripeTransferId: payoutRef }
      : { paypalOrderId: ref, paypalCaptureId: chargeRef, paypalPayoutId: payoutRef };
  await trx
    .updateTable('paymentTransactions')
    .set({
      ...columns,
      ...refs,
      providerFee: decimal(providerFee),
      refundFailed: decimal(refundFailed),
      updatedAt: at,
    })
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}

/** Takes unsettled payments that are due, by moving their next look to `until`, so that no other process takes them. */
export async function takeUnsettled(
  db: Database,
  given: { provider: PaymentProviderName; now: Date; until: Date; limit: number },
): Promise<number[]> {
  const rows = await db
    .updateTable('paymentTransactions')
    .set({ nextTryAt: given.until })
    .where('id', 'in', (due) =>
      due
        .selectFrom('paymentTransactions')
        .select('id')
        .where('status', 'in', ['created', 'open', 'processing'])
        .where('provider', '=', given.provider)
        .where('nextTryAt', '<=', given.now)
        .orderBy('nextTryAt')
        .limit(given.limit)
        .forUpdate()
        .skipLocked(),
    )
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Why a payment's seller must not be paid now; null if nothing speaks against it. Once PayPal has paid by itself, asking
 * pays nobody: it tells us of the payout, which PayPal does not report.
 */
export async function findObstacle(db: Database, id: number, now: Date): Promise<WaitReason | null> {
  const { rows } = await sql<{ obstacle: WaitReason | null }>`
    select case
      when p.is_disputed then 'dispute'
      when exists (select from provider_operations r where r.payment_id = p.id and r.kind = 'refund' and r.next_try_at is not null)
        then 'refund'
      when p.provider = 'paypal' and p.paid_at < ${addDays(now, -PAYPAL_HOLD_DAYS)} then null
      when u.status = 'banned' then 'seller_banned'
      when u.status = 'suspended' then 'seller_suspended'
      when a.account_ref is distinct from p.receiver_account or a.is_restricted or not a.is_ready
        then 'account_restricted'
      when exists (select from user_reports r where r.status = 'pending' and (
        (r.related_entity_type = 'bid' and r.related_entity_id = p.bid_id)
        or (r.reported_user_id = p.receiver_id and r.related_entity_type = 'coupon' and r.related_entity_id =
          (select coupon_id from bids where id = p.bid_id)))) then 'report'
      end as obstacle
    from payment_transactions p join users u on u.id = p.receiver_id
    left join seller_accounts a on a.user_id = p.receiver_id and a.provider = p.provider
    where p.id = ${id}`.execute(db);
  return rows[0]?.obstacle ?? null;
}
