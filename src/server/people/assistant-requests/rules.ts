import type { ApiScope } from '#contract/people/api-keys.ts';
import type { AskedAct, RequestState, Seen } from '#contract/people/assistant-requests.ts';

/** A call that the server makes as the person, once they have confirmed it. */
export interface ActCall {
  readonly procedure: string;
  readonly input: Readonly<Record<string, unknown>>;
}

interface ActRule {
  /** What a key needs to ask for it. */
  readonly scope: ApiScope;
  /** Null: the person goes on in their browser. */
  readonly call: ((request: { subjectId: number; message: string | null }, seen: Seen) => ActCall) | null;
}

const moveSwap = (status: string): ActRule => ({
  scope: 'deals:write',
  call: ({ subjectId: id }, { expectedAmount: _, ...seen }) => ({
    procedure: 'exchanges.setStatus',
    input: { id, status, ...seen },
  }),
});

const moveBid = (status: string): ActRule => ({
  scope: 'deals:write',
  call: ({ subjectId: id }, { expectedAmount }) => ({
    procedure: 'bids.setStatus',
    input: { id, status, ...(status === 'accepted' && { expectedAmount }) },
  }),
});

const write = (dealType: string): ActRule => ({
  scope: 'messages:write',
  call: ({ subjectId: dealId, message }) => ({
    procedure: 'messages.send',
    input: { dealType, dealId, content: message },
  }),
});

/** Every act that an assistant may ask for. */
export const ACTS: Readonly<Record<AskedAct, ActRule>> = {
  accept_swap: moveSwap('accepted'),
  decline_swap: moveSwap('rejected'),
  complete_swap: moveSwap('completed'),
  cancel_swap: moveSwap('cancelled'),
  accept_bid: moveBid('accepted'),
  decline_bid: moveBid('rejected'),
  cancel_bid: moveBid('cancelled'),
  confirm_receipt: {
    scope: 'payments:write',
    call: ({ subjectId: bidId }) => ({ procedure: 'payments.confirmReceipt', input: { bidId } }),
  },
  write_in_swap: write('exchange'),
  write_in_bid: write('bid'),
  buy_coupon: { scope: 'deals:write', call: null },
  pay_bid: { scope: 'payments:write', call: null },
  show_code: { scope: 'coupons:read', call: null },
};

/** How a stored request stands at a time. */
export function stateAt(
  { state, expiresAt }: { state: Exclude<RequestState, 'expired'>; expiresAt: Date },
  at: Date,
): RequestState {
  return state === 'waiting' && expiresAt <= at ? 'expired' : state;
}
