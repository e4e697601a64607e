import type { Bid } from '#contract/bids.ts';
import type { Protection } from '#contract/payments.ts';

/** A pending bid of 20 CAD: bea (1) would like to buy olga's (2) Cake. `given` says what matters to the test. */
export function aBid(given: Partial<Bid> = {}): Bid {
  return {
    id: 7,
    couponId: 20,
    bidderId: 1,
    bidderUsername: 'bea',
    ownerId: 2,
    ownerUsername: 'olga',
    amount: '20.00',
    status: 'pending',
    reason: null,
    message: null,
    coupon: {
      id: 20,
      title: 'Cake',
      merchant: 'Bakery Lane',
      value: 2_500,
      discountType: 'fixed',
      expiryDate: null,
      ownerId: 2,
    },
    isHighest: null,
    isSellerReady: true,
    protection: null,
    createdAt: '2026-11-01T12:00:00.000Z',
    updatedAt: '2026-11-01T12:00:00.000Z',
    acceptedAt: null,
    completedAt: null,
    deadlineAt: '2026-11-08T12:00:00.000Z',
    ...given,
  };
}

/** A payment that was made and is held until the fourth of November, noon UTC. */
export function aProtection(given: Partial<Protection> = {}): Protection {
  return {
    paymentId: 3,
    status: 'held',
    provider: 'stripe',
    holdUntil: '2026-11-04T12:00:00.000Z',
    claim: null,
    isDisputed: false,
    ...given,
  };
}
