import type { Cents } from '#contract/base/money.ts';
import type { Totals } from '#server/money/books/ledger.ts';
import type { KeptCard } from '#server/providers/payments.ts';
import type { PaymentFacts } from './facts.ts';
import type { PaymentNotice, Said } from './notices.ts';
import type { OperationKind } from './operations-store.ts';
import type { PaymentChange } from './store.ts';

/** One thing that follows from a decision about a payment; apply.ts writes it. */
export type Change =
  | { readonly do: 'update'; readonly set: PaymentChange }
  /** Opens an operation at the provider, due at once or at `at`. `target`: how much shall be back in the end; default: all. */
  | {
      readonly do: 'open';
      readonly operation: OperationKind;
      readonly at?: Date;
      readonly target?: Cents | null;
    }
  | { readonly do: 'close' | 'hurry'; readonly operation: OperationKind }
  /** The operation, also one that was done, waits for a person. */
  | { readonly do: 'give_up'; readonly operation: OperationKind; readonly why: string }
  | { readonly do: 'ask_person'; readonly why: string }
  | { readonly do: 'book'; readonly totals: Totals }
  /** Fills the reserve of the guarantee, or takes from it, as what is booked demands. */
  | { readonly do: 'keep_reserve'; readonly isFinal: boolean }
  | { readonly do: 'note_begun' }
  | { readonly do: 'complete_sale' }
  | { readonly do: 'mark_price'; readonly isPaid: boolean }
  | { readonly do: 'complete_exchange_if_paid' }
  | { readonly do: 'keep_card'; readonly card: KeptCard }
  /** Reserves the coupon until the money is back; refuses the whole decision if it cannot go back. */
  | { readonly do: 'hold_coupon' }
  | { readonly do: 'free_coupon' }
  | { readonly do: 'return_coupon' }
  | { readonly do: 'notify'; readonly notice: PaymentNotice; readonly said?: Said };

/** These changes, or none. */
export const when = (isSo: boolean, ...changes: Change[]): Change[] => (isSo ? changes : []);

/** What is known once these changes are made. */
export function after(facts: PaymentFacts, changes: readonly Change[]): PaymentFacts {
  return changes.reduce(afterOne, facts);
}

function afterOne(facts: PaymentFacts, change: Change): PaymentFacts {
  const open = new Map(facts.open);
  switch (change.do) {
    case 'update':
      return { ...facts, payment: { ...facts.payment, ...definedOf(change.set) } };
    case 'open':
      return { ...facts, open: open.set(change.operation, { target: change.target ?? null }) };
    case 'give_up':
      return { ...facts, open: open.set(change.operation, { target: null }) };
    case 'close':
      open.delete(change.operation);
      return { ...facts, open };
    case 'book':
      return { ...facts, booked: change.totals };
    case 'complete_sale':
      return { ...facts, bid: { ...facts.bid, status: 'completed' } };
    default:
      return facts;
  }
}

/** Undefined values stay as they are. */
const definedOf = (set: PaymentChange): PaymentChange =>
  Object.fromEntries(Object.entries(set).filter(([, value]) => value !== undefined));
