import type { DealStatus } from '#contract/deals/deals.ts';
import { AppError } from '#server/core/errors.ts';
import type { Reissue } from '#server/coupons/codes/reissuing.ts';
import type { ExchangeHappening, ExchangeNow } from '#server/deals/exchanges/decide.ts';

/** Exchanges as plain data, and what happens to them: Ann (1) gives coupon 10 to Bo (2) for coupon 20. */

export const AT = new Date('2035-06-15T12:00:00Z');
export const BEFORE = new Date(AT.getTime() - 1);
const THEN = AT.toISOString();

type Exchange = ExchangeNow['exchange'];
type Leg = Exchange['legs'][number];

const leg = (couponId: number, giverId: number, receiverId: number): Leg => ({
  coupon: { id: couponId },
  ...{ giverId, receiverId, receiverUsername: `person${receiverId}` },
  price: null,
});
export const TO_ANN = leg(20, 2, 1);
export const TO_BO = leg(10, 1, 2);
export const price = (paidAt: string | null, amount = '5.00') => ({ amount, paidAt });
export const UNPAID = [{ ...TO_ANN, price: price(null) }, TO_BO];
export const PAID = [{ ...TO_ANN, price: price(THEN) }, TO_BO];

const coupon = (id: number, ownerId: number) => ({
  ...{ id, ownerId, title: `Coupon ${id}`, isActive: true, deletedAt: null, category: 'food' },
  expiresAt: AT,
  isSaleStopped: false,
});
export const [ANNS, BOS] = [coupon(10, 1), coupon(20, 2)];

/** A swap that Ann has proposed. Once it is accepted, both have agreed. */
export function swap(status: DealStatus, over: Partial<Exchange> = {}, coupons = [ANNS, BOS]): ExchangeNow {
  const agreed = status === 'accepted' || status === 'completed' ? THEN : null;
  return {
    exchange: {
      ...{ kind: 'swap', status, requesterId: 1, deadlineAt: null, deposit: null },
      parties: [
        { id: 1, username: 'ann', consentedAt: THEN, depositAt: null },
        { id: 2, username: 'bo', consentedAt: agreed, depositAt: null },
      ],
      legs: [TO_ANN, TO_BO],
      ...over,
    },
    coupons,
    at: AT,
  };
}

/** A ring of Ann, Bo and Cy, to which these have agreed. */
export const ring = (...agreed: readonly number[]): ExchangeNow =>
  swap(
    'pending',
    {
      kind: 'ring',
      parties: [1, 2, 3].map((id) => ({
        ...{ id, username: `p${id}`, depositAt: null },
        consentedAt: agreed.includes(id) ? THEN : null,
      })),
      legs: [TO_BO, leg(20, 2, 3), leg(30, 3, 1)],
    },
    [ANNS, BOS, coupon(30, 3)],
  );

type Asked = Extract<ExchangeHappening, { kind: 'asked' }>;
const NOBODY_REFUSES = { deals: null, fees: null, codes: null };

export function ask(to: Asked['to'], actorId: 1 | 2 | 3, over: Partial<Asked> = {}): Asked {
  const side = actorId === 1 ? 'requester' : 'owner';
  return {
    ...{ kind: 'asked', to, actorId, side, seen: {}, refusals: NOBODY_REFUSES, mintable: [] },
    ...over,
  };
}

export const REFUSAL = new AppError('conflict', 'Another room says no');
export const refusedBy = (room: keyof Asked['refusals']) => ({
  refusals: { ...NOBODY_REFUSES, [room]: REFUSAL },
});

export const SEEN = { prices: [{ couponId: 20, amount: '5.00' }] };

export const reissue = (state: Reissue['state']): Reissue => ({
  ...{ id: 1, couponId: 10, exchangeId: 5, timing: 'before', state, key: 'key', newCode: Buffer.of() },
  ...{ receiverId: 2, isPaid: false, actorId: 1, attempts: 1, nextTryAt: AT, createdAt: AT },
});
export const minted = (...codes: readonly Reissue[]) => ({ kind: 'minted', codes }) as const;
export const CODES = [reissue('minted')];
