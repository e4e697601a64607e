import type { Cents } from '#contract/base/money.ts';
import { firstCover, RESERVE_SHARES } from '#contract/money/guarantee.ts';
import type { PaymentProviderName } from '#contract/people/sellers.ts';

/** Positive entries are debits: money the provider holds for us, and our costs. */
export type LedgerAccount =
  | { readonly kind: 'provider_clearing'; readonly provider: PaymentProviderName }
  | { readonly kind: 'seller_payable'; readonly userId: number }
  | {
      readonly kind:
        | 'platform_fees'
        | 'provider_fees'
        | 'disputes'
        | 'losses'
        | 'offsets'
        /** What buyers of granted late claims still wait for. */
        | 'awards'
        /** The part of ClipSwap's fees that is kept for late claims; never a debit balance. */
        | 'reserve'
        /** What the reserve has laid out for sellers who still owe it. */
        | 'advances'
        /** Captured deposits whose claim is not decided, or that wait for their payout or refund. */
        | 'deposits';
    };

export interface LedgerEntry {
  readonly account: LedgerAccount;
  readonly amount: Cents;
}

/** The part of a payment that the ledger books; none of it changes. Amounts are cents of the base currency. */
export interface BookedPayment {
  readonly id: number;
  readonly provider: PaymentProviderName;
  readonly receiverId: number;
  readonly buyerTotal: Cents;
  readonly netAmount: Cents;
  readonly platformFee: Cents;
}

/** What has moved for one payment, in cents. Each total may rise and fall. */
export interface Totals {
  readonly captured: Cents;
  /** The provider's own fees, those of disputes included. */
  readonly providerFees: Cents;
  readonly refunded: Cents;
  /** The part of `refunded` that comes out of ClipSwap's fees. */
  readonly feesRefunded: Cents;
  /** Taken by disputes, less what came back. */
  readonly withdrawn: Cents;
  /** The part of `withdrawn` that is decided against us. */
  readonly lost: Cents;
  readonly transferred: Cents;
  /** The part of `transferred` that was taken back from the seller. */
  readonly reversed: Cents;
  /** Kept back from this payout for the seller's debts; below zero: this debt, covered by other payouts. */
  readonly offset: Cents;
  /** The part of the seller's debt that the provider has taken from the seller's account by itself. */
  readonly collected: Cents;
  /** The part of the seller's debt that we no longer ask for. */
  readonly writtenOff: Cents;
  /** What a granted late claim gives the buyer: all that was paid, or nothing. */
  readonly awarded: Cents;
  /** The part of ClipSwap's fees that is in the reserve. */
  readonly reserved: Cents;
  /** What the reserve has laid out for the seller's debt, less what came back from the seller. */
  readonly covered: Cents;
}

export const NO_TOTALS: Totals = {
  captured: 0,
  providerFees: 0,
  refunded: 0,
  feesRefunded: 0,
  withdrawn: 0,
  lost: 0,
  transferred: 0,
  reversed: 0,
  offset: 0,
  collected: 0,
  writtenOff: 0,
  awarded: 0,
  reserved: 0,
  covered: 0,
};

/** The journal that books each total's changes, in booking order. A refund's journal has `feesRefunded` too. */
export const JOURNALS = [
  ['capture', 'captured'],
  ['provider_fee', 'providerFees'],
  ['withdrawal', 'withdrawn'],
  ['refund', 'refunded'],
  ['loss', 'lost'],
  ['payout', 'transferred'],
  ['payout_reversal', 'reversed'],
  ['offset', 'offset'],
  ['collection', 'collected'],
  ['write_off', 'writtenOff'],
  ['award', 'awarded'],
  ['cover', 'covered'],
  ['reserve', 'reserved'],
] as const satisfies readonly (readonly [string, keyof Totals])[];
export type JournalKind = (typeof JOURNALS)[number][0];

/**
 * ClipSwap's part of money that goes back to the buyer: proportional, as Stripe shares out partial refunds
 * (docs.stripe.com/connect/destination-charges#issue-refunds), half a cent rounded up; the rest is the seller's part.
 * Of several refunds, pass the sum: so the parts of a full refund are exactly the fee and the seller's net.
 */
export function feeShareOf({ platformFee, buyerTotal }: BookedPayment, returned: Cents): Cents {
  return Math.floor((2 * Math.min(returned, buyerTotal) * platformFee + buyerTotal) / (2 * buyerTotal));
}

/** What the buyer has got back for good. */
export const returnedOf = ({ refunded, lost }: Totals): Cents => refunded + lost;

/** What is or will be with the buyer again. */
const givenBack = (totals: Totals): Cents => Math.max(returnedOf(totals), totals.awarded);

/** What a granted late claim has not paid yet. */
export const waitingAward = (totals: Totals): Cents => Math.max(0, totals.awarded - returnedOf(totals));

/** The seller's part of the money that is not returned, and the part of PayPal's fee that it bears. */
function sellersShare(payment: BookedPayment, totals: Totals): { share: Cents; fee: Cents } {
  const left = Math.max(0, totals.captured - givenBack(totals));
  const returned = returnedOf(totals) - totals.feesRefunded - feeShareOf(payment, totals.lost);
  const share = Math.min(left, Math.max(0, payment.netAmount - returned), payment.netAmount);
  // PayPal takes its fee from the seller, as far as there is something left; ClipSwap bears the rest, and all of Stripe's.
  return { share, fee: payment.provider === 'paypal' ? Math.min(totals.providerFees, share) : 0 };
}

/** What the seller gets in all: the price less the fee, the seller's part of refunds, and PayPal's fee. */
export function shareOfSeller(payment: BookedPayment, totals: Totals): Cents {
  const { share, fee } = sellersShare(payment, totals);
  return share - fee;
}

/** What the seller still gets; negative: what the seller owes. */
export function dueToSeller(payment: BookedPayment, totals: Totals): Cents {
  const { transferred, reversed, offset, collected, writtenOff } = totals;
  return shareOfSeller(payment, totals) - transferred + reversed - offset + collected + writtenOff;
}

/** The part of a debt that is written off which the reserve has paid for good. */
const borneByReserve = ({ covered, writtenOff }: Totals): Cents => Math.min(covered, writtenOff);

/** The part of the seller's debt that the reserve has not laid out. */
export function uncoveredDebt(payment: BookedPayment, totals: Totals): Cents {
  const owed = Math.max(0, -dueToSeller(payment, totals));
  return Math.max(0, owed - (totals.covered - borneByReserve(totals)));
}

/**
 * What a payment should have in the reserve, and what the reserve should have laid out for it at most.
 * @param percent the part of the kept fees that goes to the reserve; less than a cent stays with ClipSwap
 * @param isFinal whether the sale is final; only then something is added
 */
export function reserveOf(
  payment: BookedPayment,
  totals: Totals,
  { percent, isFinal }: { percent: number; isFinal: boolean },
): Pick<Totals, 'reserved' | 'covered'> {
  const left = Math.max(0, totals.captured - givenBack(totals));
  const fees = Math.max(0, left - sellersShare(payment, totals).share);
  const share = Math.floor((fees * percent) / 100);
  const owed = Math.max(0, -dueToSeller(payment, totals)) + totals.writtenOff;
  return {
    reserved: isFinal ? share : Math.min(totals.reserved, share),
    covered: Math.min(totals.covered, owed),
  };
}

/**
 * The balances that a payment's totals leave on each account. They add up to zero. They depend on the totals alone, so
 * it does not matter in which order or how often the provider has reported them.
 */
export function balancesOf(payment: BookedPayment, totals: Totals): LedgerEntry[] {
  const { captured, providerFees, refunded, withdrawn, lost, transferred, reversed, offset } = totals;
  const { share, fee } = sellersShare(payment, totals);
  const left = Math.max(0, captured - givenBack(totals));
  const { reserved, covered } = totals;
  const borne = borneByReserve(totals);
  return [
    {
      account: { kind: 'provider_clearing', provider: payment.provider },
      amount: captured - providerFees - refunded - withdrawn - transferred + reversed + totals.collected,
    },
    {
      account: { kind: 'seller_payable', userId: payment.receiverId },
      amount: -dueToSeller(payment, totals),
    },
    { account: { kind: 'platform_fees' }, amount: share - left + reserved },
    { account: { kind: 'provider_fees' }, amount: providerFees - fee },
    { account: { kind: 'disputes' }, amount: withdrawn - lost },
    // The buyer got more than was paid, by a refund and by the bank; or the seller's debt is written off.
    {
      account: { kind: 'losses' },
      amount: Math.max(0, returnedOf(totals) - captured) + totals.writtenOff - borne,
    },
    // Over all payments of a seller this is zero: what one keeps back covers the others' debts.
    { account: { kind: 'offsets' }, amount: -offset },
    { account: { kind: 'awards' }, amount: -waitingAward(totals) },
    { account: { kind: 'reserve' }, amount: covered - reserved },
    { account: { kind: 'advances' }, amount: borne - covered },
  ];
}

/** The entries that lead from one balance to another, without zero amounts. */
export function differenceOf(payment: BookedPayment, from: Totals, to: Totals): LedgerEntry[] {
  const before = balancesOf(payment, from);
  return balancesOf(payment, to)
    .map(({ account, amount }, index) => ({ account, amount: amount - (before[index]?.amount ?? 0) }))
    .filter(({ amount }) => amount !== 0);
}

/**
 * What stays in the reserve of what leaves it, as others have been paid out of it meanwhile: it is never below zero.
 * @param given `leaves`, `cameBack`: cents that a payment no longer has in the reserve, and that it pays back to it; `holds`:
 *   what the reserve holds
 */
export const stayingInReserve = ({
  leaves,
  cameBack,
  holds,
}: Record<'leaves' | 'cameBack' | 'holds', Cents>): Cents => Math.max(0, leaves - cameBack - holds);

/** What the reserve has to do with a buyer and a seller. Amounts are cents. */
export interface ReserveUse {
  readonly holds: Cents;
  /** What the purchase itself has put into the reserve, which leaves it with the claim; null: the purchase is not final. */
  readonly own: Cents | null;
  /** What it has laid out in LATE_CLAIM_DAYS for claims of the buyer, and for claims against the seller. */
  readonly forBuyer: Cents;
  readonly againstSeller: Cents;
  /** The buyer's final purchases. */
  readonly purchases: number;
}

/**
 * What the reserve could pay for a buyer's claim against a seller: all that it holds, but for the claims of one person and
 * for claims against one person at most a part of it each (RESERVE_SHARES), and for a buyer without another final purchase
 * at most `firstCover`.
 */
export function payableFromReserve({ holds, own, forBuyer, againstSeller, purchases }: ReserveUse): Cents {
  const left = Math.max(0, holds - (own ?? 0));
  const shareAfter = (spent: Cents) => Math.floor((left + spent) / RESERVE_SHARES) - spent;
  const share = Math.min(shareAfter(forBuyer), shareAfter(againstSeller));
  const isFirst = purchases === (own === null ? 0 : 1);
  return Math.max(0, isFirst ? Math.min(share, firstCover() - forBuyer) : share);
}
