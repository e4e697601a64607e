import type { ErrorCode } from '#contract/base/errors.ts';
import type { ApiScope } from '#contract/people/api-keys.ts';
import type { Actor } from '#server/context/context.ts';
import { PEOPLE, type Person } from './access-people.ts';

/** Those who can have a key. */
export type KeyHolder = Exclude<Person, 'anonymous'>;
export const KEY_HOLDERS = PEOPLE.filter((person): person is KeyHolder => person !== 'anonymous');

/** What the inputs of the tools refer to: the counterpart has proposed a swap for the owner's coupon, and bid on it. */
export interface ToolWorld {
  readonly people: Record<KeyHolder, Actor>;
  readonly couponIds: Record<KeyHolder, number>;
  /** Of somebody else. */
  readonly otherCouponId: number;
  readonly exchangeId: number;
  readonly bidId: number;
}

type Answer = 'ok' | ErrorCode;

interface ToolRow {
  readonly answers: Record<KeyHolder, Answer>;
  /** What a key needs for it, and nothing else. */
  readonly scopes: readonly ApiScope[];
  readonly input?: (world: ToolWorld, person: KeyHolder) => Record<string, unknown>;
}

const all = (answer: Answer) =>
  Object.fromEntries(KEY_HOLDERS.map((person) => [person, answer])) as Record<KeyHolder, Answer>;
const members = all('ok');
const activeMembers = { ...members, suspended: 'forbidden' } as const;
const parties = { ...all('not_found'), owner: 'ok', counterpart: 'ok' } as const;

const onCoupon = ({ couponIds }: ToolWorld) => ({ couponId: couponIds.owner });

/** A row a tool: the answer for each kind of person, the scopes, and an input. */
export const TOOL_ACCESS: Record<string, ToolRow> = {
  search_coupons: { answers: members, scopes: ['coupons:read'], input: () => ({ search: 'coupon' }) },
  get_coupon: { answers: members, scopes: ['coupons:read'], input: onCoupon },
  code_health: { answers: members, scopes: ['coupons:read'], input: onCoupon },
  merchant_health: { answers: members, scopes: ['coupons:read'], input: () => ({ name: 'Bakery Lane' }) },
  my_coupons: { answers: members, scopes: ['coupons:read'] },
  my_matches: { answers: members, scopes: ['deals:read'] },
  market_day: { answers: members, scopes: ['deals:read'] },
  deals_waiting: { answers: members, scopes: ['deals:read'] },
  get_deal: {
    answers: parties,
    scopes: ['deals:read'],
    input: ({ exchangeId }) => ({ dealType: 'exchange', dealId: exchangeId }),
  },
  'get_deal bid': {
    answers: parties,
    scopes: ['deals:read'],
    input: ({ bidId }) => ({ dealType: 'bid', dealId: bidId }),
  },
  my_wishes: { answers: members, scopes: ['coupons:read'] },
  add_wish: { answers: activeMembers, scopes: ['coupons:write'], input: () => ({ search: 'coffee' }) },
  propose_swap: {
    answers: activeMembers,
    scopes: ['deals:write'],
    input: ({ couponIds, otherCouponId }, person) => ({
      requestedCouponIds: [otherCouponId],
      offeredCouponIds: [couponIds[person]],
    }),
  },
  place_bid: {
    answers: activeMembers,
    scopes: ['deals:write'],
    input: ({ otherCouponId }) => ({ couponId: otherCouponId, amount: '3.50' }),
  },
  add_coupon_drafts: {
    answers: activeMembers,
    scopes: ['coupons:write'],
    input: () => ({ text: 'Corner Coffee: 10% off until 2035-12-31.' }),
  },
  // What an act needs shows when it is asked for, whether it is possible when it is done.
  ask_my_person: {
    answers: members,
    scopes: ['deals:write'],
    input: ({ exchangeId }) => ({ act: 'accept_swap', subjectId: exchangeId }),
  },
  'ask_my_person message': {
    answers: members,
    scopes: ['messages:write'],
    input: ({ bidId }) => ({ act: 'write_in_bid', subjectId: bidId, message: 'Is it still there?' }),
  },
  'ask_my_person receipt': {
    answers: members,
    scopes: ['payments:write'],
    input: ({ bidId }) => ({ act: 'confirm_receipt', subjectId: bidId }),
  },
  'ask_my_person code': {
    answers: members,
    scopes: ['coupons:read'],
    input: ({ couponIds }) => ({ act: 'show_code', subjectId: couponIds.owner }),
  },
  // There is none; confirming.test.ts has those of others.
  get_request: { answers: all('not_found'), scopes: [], input: () => ({ requestId: 1_000_000 }) },
};
