import type { Cents } from '#contract/money.ts';
import type { PaymentProviderName } from '#contract/sellers.ts';

/** Positive entries are debits: money the provider holds for us, and our costs. */
export type LedgerAccount =
  | { readonly kind: 'provider_clearing'; readonly provider: PaymentProviderName }
  | { readonly kind: 'seller_payable'; readonly userId: number }
  | { readonly kind: 'platform_fees' | 'provider_fees' | 'disputes' };

export interface LedgerEntry {
  readonly account: LedgerAccount;
  readonly amount: Cents;
}

/** The part of a payment that the ledger books. Amounts are CAD cents. */
export interface BookedPayment {
  readonly id: number;
  readonly provider: PaymentProviderName;
  readonly receiverId: number;
  readonly buyerTotal: Cents;
  readonly netAmount: Cents;
  readonly platformFee: Cents;
  /** The provider's fee; null until it is known. */
  readonly providerFee: Cents | null;
}

export const JOURNAL_KINDS = [
  'capture',
  'provider_fee',
  'payout',
  'payout_reversal',
  'refund',
  'dispute_opened',
  'dispute_won',
  'dispute_lost',
] as const;
export type JournalKind = (typeof JOURNAL_KINDS)[number];

/** What the seller is paid. PayPal takes its fee from the seller's share; ClipSwap bears Stripe's. */
export function payoutOf({ provider, netAmount, providerFee }: BookedPayment): Cents {
  return provider === 'paypal' ? netAmount - (providerFee ?? 0) : netAmount;
}

/** The entries of a journal, which add up to zero. Zero amounts are left out. */
export function entriesOf(kind: JournalKind, payment: BookedPayment): LedgerEntry[] {
  const { buyerTotal, netAmount, platformFee } = payment;
  const fee = payment.providerFee ?? 0;
  const clearing: LedgerAccount = { kind: 'provider_clearing', provider: payment.provider };
  const seller: LedgerAccount = { kind: 'seller_payable', userId: payment.receiverId };
  const fees: LedgerAccount = { kind: 'platform_fees' };
  const costs: LedgerAccount = { kind: 'provider_fees' };
  const disputes: LedgerAccount = { kind: 'disputes' };
  const isSellersFee = payment.provider === 'paypal';
  const payout = payoutOf(payment);
  const entries: Record<JournalKind, [LedgerAccount, Cents][]> = {
    capture: [
      [clearing, buyerTotal],
      [seller, -netAmount],
      [fees, -platformFee],
    ],
    provider_fee: [
      [isSellersFee ? seller : costs, fee],
      [clearing, -fee],
    ],
    payout: [
      [seller, payout],
      [clearing, -payout],
    ],
    payout_reversal: [
      [clearing, payout],
      [seller, -payout],
    ],
    // The provider keeps its fee on a refund. The seller receives nothing, so ClipSwap bears it.
    refund: [
      [seller, isSellersFee ? netAmount - fee : netAmount],
      [costs, isSellersFee ? fee : 0],
      [fees, platformFee],
      [clearing, -buyerTotal],
    ],
    dispute_opened: [
      [disputes, buyerTotal],
      [clearing, -buyerTotal],
    ],
    dispute_won: [
      [clearing, buyerTotal],
      [disputes, -buyerTotal],
    ],
    dispute_lost: [
      [seller, isSellersFee ? netAmount - fee : netAmount],
      [costs, isSellersFee ? fee : 0],
      [fees, platformFee],
      [disputes, -buyerTotal],
    ],
  };
  return entries[kind].filter(([, amount]) => amount !== 0).map(([account, amount]) => ({ account, amount }));
}
