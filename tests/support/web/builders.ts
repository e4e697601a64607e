import type { CouponSummary } from '#contract/coupons/coupons.ts';
import type { ValidationDetails, ValidationResult } from '#contract/coupons/validation.ts';
import type { Bid } from '#contract/deals/bids.ts';
import type { Exchange } from '#contract/deals/exchanges.ts';
import { DEFAULT_FEE_RATES } from '#contract/money/fees.ts';
import type { Protection } from '#contract/money/payments.ts';

/** The standing of somebody new. */
const newcomer = { memberSince: '2035-06-01T12:00:00.000Z', dealPartners: 0, failedCodes: 0 };

/** A pending bid of 20 CAD by bea (1) on olga's (2) Cake. `given` overrides fields. */
export function aBid(given: Partial<Bid> = {}): Bid {
  return {
    id: 7,
    couponId: 20,
    exchangeId: null,
    bidderId: 1,
    bidderUsername: 'bea',
    ownerId: 2,
    ownerUsername: 'olga',
    bidderStanding: newcomer,
    ownerStanding: newcomer,
    amount: '20.00',
    round: 1,
    counterAmount: null,
    counters: [],
    status: 'pending',
    reason: null,
    isAutomatic: false,
    beginBy: null,
    message: null,
    coupon: {
      id: 20,
      title: 'Cake',
      merchant: 'Bakery Lane',
      value: 2_500,
      discountType: 'fixed',
      expiryDate: null,
      expiresAt: null,
      regions: [],
      transferable: 'unknown',
      imageUrl: null,
      ownerId: 2,
      ownerUsername: 'olga',
      hasCode: true,
      reissuedAt: null,
    },
    isHighest: null,
    isBelowFloor: null,
    feeRates: DEFAULT_FEE_RATES,
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

/** A payment that is held until 4 November, noon UTC. `given` overrides fields. */
export function aProtection(given: Partial<Protection> = {}): Protection {
  return {
    paymentId: 3,
    status: 'held',
    provider: 'stripe',
    holdUntil: '2026-11-04T12:00:00.000Z',
    claim: null,
    cover: null,
    mayClaimLate: false,
    waiting: '0.00',
    isDisputed: false,
    refunded: '0.00',
    takenByBank: '0.00',
    refundFailed: '0.00',
    sellerShare: null,
    keptBack: '0.00',
    waitsFor: null,
    ...given,
  };
}

function aCoupon(id: number, title: string, ownerId: number): CouponSummary {
  const merchant = 'Bakery Lane';
  return {
    id,
    title,
    merchant,
    value: 1_000,
    discountType: 'fixed',
    expiryDate: null,
    expiresAt: null,
    regions: [],
    transferable: 'unknown',
    imageUrl: null,
    ownerId,
    ownerUsername: 'olga',
    hasCode: true,
    reissuedAt: null,
  };
}

/** A pending exchange: rob (1) offers his Tea for olga's (2) Cake. `given` overrides fields. */
export function anExchange(given: Partial<Exchange> = {}): Exchange {
  const [cake, tea] = [aCoupon(20, 'Cake', 2), aCoupon(10, 'Tea', 1)];
  const [rob, olga] = [
    { id: 1, username: 'rob' },
    { id: 2, username: 'olga' },
  ];
  const leg = (place: number, coupon: CouponSummary, giver: typeof rob, receiver: typeof rob) => ({
    place,
    coupon,
    giverId: giver.id,
    giverUsername: giver.username,
    receiverId: receiver.id,
    receiverUsername: receiver.username,
    price: null,
  });
  return {
    id: 7,
    kind: 'swap',
    status: 'pending',
    reason: null,
    endedById: null,
    marketDay: null,
    message: null,
    requesterId: rob.id,
    requesterUsername: rob.username,
    legs: [leg(1, cake, olga, rob), leg(2, tea, rob, olga)],
    parties: [
      { ...rob, ...newcomer, consentedAt: '2026-11-01T12:00:00.000Z', depositAt: null },
      { ...olga, ...newcomer, consentedAt: null, depositAt: null },
    ],
    deposit: null,
    consentBy: null,
    requestedCouponOwnerId: olga.id,
    requestedCouponOwnerUsername: olga.username,
    requestedCoupon: cake,
    offeredCoupon: tea,
    createdAt: '2026-11-01T12:00:00.000Z',
    updatedAt: '2026-11-01T12:00:00.000Z',
    acceptedAt: null,
    completedAt: null,
    deadlineAt: '2026-11-15T12:00:00.000Z',
    round: 1,
    replacesId: null,
    replacedById: null,
    ...given,
  };
}

/** A ring that rob (1) has proposed: he gives his Tea to bo (3), who gives Pie to olga (2), who gives Cake to rob. */
export function aRing({
  agreed = [1],
  ...given
}: Partial<Exchange> & { agreed?: readonly number[] } = {}): Exchange {
  const swap = anExchange();
  const [cake, tea] = swap.legs;
  if (!cake || !tea) throw new Error('A swap has two legs');
  const bo = { id: 3, username: 'bo' };
  const toBo = { receiverId: bo.id, receiverUsername: bo.username };
  const pie = {
    ...cake,
    place: 3,
    coupon: aCoupon(30, 'Pie', bo.id),
    giverId: bo.id,
    giverUsername: bo.username,
    receiverId: tea.receiverId,
    receiverUsername: tea.receiverUsername,
  };
  return {
    ...swap,
    kind: 'ring',
    legs: [cake, { ...tea, ...toBo }, pie],
    parties: [...swap.parties, { ...bo, ...newcomer, consentedAt: null, depositAt: null }].map((party) => ({
      ...party,
      consentedAt: agreed.includes(party.id) ? swap.createdAt : null,
    })),
    consentBy: '2026-11-03T12:00:00.000Z',
    ...given,
  };
}

type Given = Partial<Omit<ValidationResult, 'details'>> & { details?: Partial<ValidationDetails> };

/** An unconfirmed verdict on a code with a valid format. `given` overrides fields. */
export function aVerdict({ details, ...given }: Given = {}): ValidationResult {
  return {
    valid: true,
    message: 'The format looks right, but Knit Nook has not confirmed it.',
    validatedWith: 'pattern',
    ...given,
    details: {
      merchantName: 'Knit Nook',
      couponCode: 'WOOL-2026',
      value: null,
      discountType: null,
      expiryDate: null,
      description: null,
      requirement: null,
      confirmed: false,
      dead: false,
      confidence: 'format-only',
      checks: [{ name: 'form', passed: true, text: 'It looks like a code.' }],
      ...details,
    },
  };
}

/** The answer of a tRPC call, instead of an external provider's result. */
export function answerOf(data: unknown): Response {
  return Response.json({ result: { data } });
}
