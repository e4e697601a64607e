import type { CouponSummary } from '#contract/coupons.ts';
import type { Exchange } from '#contract/exchanges.ts';

function aCoupon(id: number, title: string, ownerId: number): CouponSummary {
  const merchant = 'Bakery Lane';
  return { id, title, merchant, value: 1_000, discountType: 'fixed', expiryDate: null, ownerId };
}

/** A pending exchange: rob (1) offers his Tea for olga's (2) Cake. `given` says what matters to the test. */
export function anExchange(given: Partial<Exchange> = {}): Exchange {
  return {
    id: 7,
    status: 'pending',
    reason: null,
    message: null,
    requesterId: 1,
    requesterUsername: 'rob',
    requestedCouponOwnerId: 2,
    requestedCouponOwnerUsername: 'olga',
    requestedCoupon: aCoupon(20, 'Cake', 2),
    offeredCoupon: aCoupon(10, 'Tea', 1),
    createdAt: '2026-11-01T12:00:00.000Z',
    updatedAt: '2026-11-01T12:00:00.000Z',
    acceptedAt: null,
    completedAt: null,
    deadlineAt: '2026-11-15T12:00:00.000Z',
    ...given,
  };
}
