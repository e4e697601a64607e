import {
  type AccessRow,
  all,
  buyers,
  hiddenFromOthers,
  members,
  moderators,
  parties,
  payers,
  type World,
} from './access-people.ts';

const ofAcceptedBid = ({ acceptedBidId }: World) => ({ bidId: acceptedBidId });
const ofSale = ({ sale }: World) => ({ bidId: sale.bidId });
const onCard = ({ cardId }: World) => ({ id: cardId });
const onLegClaim = ({ legClaimId }: World) => ({ id: legClaimId });

/** Of a payment. */
export const ofPayment = ({ sale }: World) => ({ paymentId: sale.paymentId });

/** The rows of claims and payments. */
export const CLAIMS_AND_PAYMENTS: Record<string, AccessRow> = {
  'claims.list': [moderators, () => ({})],
  'claims.counts': [moderators],
  'claims.stoppedSellers': [moderators],
  // Nobody is stopped.
  'claims.resumeSales': [
    { ...moderators, moderator: 404, admin: 404 },
    ({ people }) => ({ id: people.owner?.id }),
  ],
  'claims.ofExchange': [parties, ({ exchangeId }) => ({ exchangeId })],
  'claims.ofCoupon': [members, ({ couponId }) => ({ couponId })],
  'deals.forCoupon': [members, ({ couponId }) => ({ id: couponId })],
  // It is pending; the counterpart would get the owner's coupon.
  'claims.open': [
    { ...parties, counterpart: 409, owner: 403 },
    ({ exchangeId, couponId }) => ({ exchangeId, couponId, reason: 'The till did not take it.' }),
  ],
  'claims.withdraw': [{ ...parties, owner: 403 }, onLegClaim],
  'claims.answer': [
    { ...parties, counterpart: 403 },
    (world) => ({ ...onLegClaim(world), answer: 'It did.' }),
  ],
  // No end is announced.
  'claims.appeal': [{ ...parties, counterpart: 409, owner: 409 }, onLegClaim],
  // Neither tRPC nor the JSON of REST takes bytes: uploads have their own route.
  'claims.uploadPicture': [{ ...all(400), anonymous: 401 }, () => ({ bytes: 'a picture' })],
  'claims.picture': [
    { ...all(404), anonymous: 401, counterpart: 200, owner: 200, moderator: 200, admin: 200 },
    ({ evidenceId }) => ({ id: evidenceId }),
  ],
  // The owner has not answered yet.
  'claims.decide': [
    { ...moderators, moderator: 409, admin: 409 },
    (world) => ({ ...onLegClaim(world), decision: 'refused', note: 'It works here.' }),
  ],

  'exchanges.depositTerms': [members, ({ people }) => ({ userIds: [people.owner?.id] })],
  'deposits.own': [parties, ({ exchangeId }) => ({ exchangeId })],
  // It asks for none.
  'deposits.createIntent': [
    { ...parties, counterpart: 409, owner: 409 },
    ({ exchangeId }) => ({ exchangeId }),
  ],
  // Nobody has begun to put one up.
  'deposits.refresh': [{ ...parties, counterpart: 404, owner: 404 }, ({ exchangeId }) => ({ exchangeId })],

  'payments.client': [all(200)],
  'payments.checkout': [payers, ofAcceptedBid],
  'payments.offeredCover': [members, ({ couponId }) => ({ couponId })],
  'payments.createIntent': [payers, ofAcceptedBid],
  'payments.payWithCard': [
    payers,
    ({ acceptedBidId, cardId }) => ({ bidId: acceptedBidId, paymentMethodId: cardId }),
  ],
  'payments.createPaypalOrder': [payers, ofAcceptedBid],
  'payments.capturePaypalOrder': [payers, ofAcceptedBid],
  'payments.refresh': [parties, ofSale],
  'payments.confirmReceipt': [buyers(200), ofSale],
  'payments.openClaim': [buyers(200), (world) => ({ ...ofSale(world), reason: 'The till did not take it.' })],
  // The sale has no claim.
  'payments.withdrawClaim': [buyers(409), ofSale],
  // Nor about the sale.
  'payments.decideClaim': [
    { ...moderators, moderator: 409, admin: 409 },
    ({ claimed }) => ({ id: claimed.claimId, decision: 'release', note: 'The code works here.' }),
  ],
  'payments.receipt': [{ ...parties, admin: 200 }, ofPayment],
  'payments.sellerStatement': [members, () => ({ month: '2035-06' })],
  'payments.debts': [members],
  'payments.sellerStatementRows': [members, () => ({ month: '2035-06' })],
  'payments.paymentMethods': [members],
  'payments.removePaymentMethod': [hiddenFromOthers, onCard],
  'payments.setDefaultPaymentMethod': [hiddenFromOthers, onCard],
  // No payment provider is set up here.
  'payments.receiveEvent': [all(400), () => ({ provider: 'stripe', read: 'an event', headers: {} })],
};
