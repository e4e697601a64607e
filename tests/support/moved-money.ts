import type { Totals } from '#server/money/books/ledger.ts';
import type { Change } from '#server/money/payments/changes.ts';
import { decideMovement, type Movement } from '#server/money/payments/decide-movement.ts';
import { AT, BOOKED, factsWith, type Given } from '#tests/support/payment-facts.ts';

/** Tables of how money moves, and of what follows. */

/** A change in a few words. */
function inWords(change: Change): string {
  if ('operation' in change) return `${change.do} ${change.operation}`;
  if (change.do === 'notify') return `tell ${change.notice}`;
  if (change.do === 'ask_person') return `ask: ${change.why}`;
  if (change.do === 'mark_price') return change.isPaid ? 'paid' : 'unpaid';
  if (change.do === 'keep_reserve') return change.isFinal ? 'final' : 'not final';
  if (change.do !== 'update') return change.do;
  const { status, endedAt } = change.set;
  return endedAt ? `${status} at the end` : `${status}`;
}

export type Moved = Partial<Pick<Movement, 'isDisputed' | 'evidenceDueAt' | 'refundFailed'>> &
  Partial<Totals>;
/** What is so; what was moved before, and what is moved now; what follows, in words. */
export type Row = [name: string, given: Given, before: Partial<Totals>, now: Moved, changes: string];

/** What follows when money moves from what is booked to what it is now. */
export function move(given: Given, booked: Partial<Totals>, now: Moved) {
  const { isDisputed = false, evidenceDueAt = null, refundFailed = 0, ...moved } = now;
  const before = { ...BOOKED, ...booked };
  const totals = { ...before, ...moved };
  return {
    before,
    totals,
    changes: decideMovement(factsWith(given), { before, totals, refundFailed, isDisputed, evidenceDueAt }),
  };
}

/** All or a part of the money is back, the bank has taken it for good, or the seller has it. */
export const all = { refunded: 1_050, feesRefunded: 100 };
export const part = { refunded: 300, feesRefunded: 29 };
export const lost = { withdrawn: 1_050, lost: 1_050 };
export const paidOut = { transferred: 950 };
/** How far the sale is. */
export const releasing: Given = { payment: { status: 'releasing' }, open: ['payout'] };
export const completed: Given = { payment: { status: 'completed', endedAt: AT } };
export const refunding: Given = { payment: { status: 'refunding' }, open: ['refund'] };
export const refunded: Given = { payment: { status: 'refunded', endedAt: AT } };
export const chargedBack: Given = { payment: { status: 'charged_back', endedAt: AT } };
/** The same with another payment. */
export const of = (given: Given, payment: Given['payment']): Given => ({
  ...given,
  payment: { ...given.payment, ...payment },
});

/** What follows, in words. */
export const movedInWords = (...row: Parameters<typeof move>) =>
  move(...row)
    .changes.map(inWords)
    .join(', ');
