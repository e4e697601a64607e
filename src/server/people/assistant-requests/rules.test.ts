import { expect, it } from 'vitest';
import type { AskedAct, RequestState } from '#contract/people/assistant-requests.ts';
import { ACTS, type ActCall, stateAt } from './rules.ts';

const at = new Date('2026-11-30T12:00:00Z');
const seen = { couponIds: [1, 2], prices: [], deposit: '5.00', expectedAmount: '3.50' };
const seenSwap = { couponIds: [1, 2], prices: [], deposit: '5.00' };
const swap = (status: string): ActCall => ({
  procedure: 'exchanges.setStatus',
  input: { id: 7, status, ...seenSwap },
});
const bid = (input: object): ActCall => ({ procedure: 'bids.setStatus', input: { id: 7, ...input } });
const message = (dealType: string): ActCall => ({
  procedure: 'messages.send',
  input: { dealType, dealId: 7, content: 'Hello' },
});

const CALLS: Record<AskedAct, ActCall | null> = {
  accept_swap: swap('accepted'),
  decline_swap: swap('rejected'),
  complete_swap: swap('completed'),
  cancel_swap: swap('cancelled'),
  accept_bid: bid({ status: 'accepted', expectedAmount: '3.50' }),
  decline_bid: bid({ status: 'rejected' }),
  cancel_bid: bid({ status: 'cancelled' }),
  confirm_receipt: { procedure: 'payments.confirmReceipt', input: { bidId: 7 } },
  write_in_swap: message('exchange'),
  write_in_bid: message('bid'),
  buy_coupon: null,
  pay_bid: null,
  show_code: null,
};

it.each(Object.entries(CALLS) as [AskedAct, ActCall | null][])('%s is this call', (act, call) => {
  expect(ACTS[act].call?.({ subjectId: 7, message: 'Hello' }, seen) ?? null).toEqual(call);
});

it.each<['waiting' | 'confirmed' | 'declined', number, RequestState]>([
  ['waiting', 1, 'waiting'],
  ['waiting', 0, 'expired'],
  ['confirmed', -1, 'confirmed'],
  ['declined', -1, 'declined'],
])('a request that is %s, %i ms before its end, is %3$s', (state, left, now) => {
  expect(stateAt({ state, expiresAt: new Date(at.getTime() + left) }, at)).toBe(now);
});
