import { TEST_PASSWORD } from '#tests/support/builders.ts';
import { ACCOUNTS, newBrowser } from './access-accounts.ts';
import { MATCHES_AND_MARKET_DAYS } from './access-matches.ts';
import { OF_OPERATORS } from './access-operators.ts';
import { CLAIMS_AND_PAYMENTS, ofPayment } from './access-payments.ts';
import {
  type AccessRow,
  activeMembers,
  activeParties,
  admins,
  all,
  hiddenFromOthers,
  members,
  moderators,
  onlyOwner,
  parties,
  sellers,
  type World,
  withoutPrice,
} from './access-people.ts';
import { WALLET_INPUTS } from './wallet-inputs.ts';
import { aWebhook } from './webhook-inputs.ts';

const newCoupon = {
  title: 'Two coffees for one',
  description: 'Valid at every branch, weekdays only.',
  value: 450,
  merchant: 'Corner Coffee',
  category: 'food',
  hasNoExpiry: true,
};
const noFilters = () => ({});
const atMerchant = () => ({ merchant: 'Harbour Books' });
const onCoupon = ({ couponId }: World) => ({ id: couponId });
const aWant = { search: 'coffee', category: 'food', gives: 'any' };
const onWant = ({ wantId }: World) => ({ id: wantId });
const ofWebhook = ({ webhookId }: World) => ({ id: webhookId });
const changesWebhook = { ...hiddenFromOthers, suspended: 403 };
const inExchange = ({ exchangeId }: World) => ({ dealType: 'exchange', dealId: exchangeId });
const inBid = ({ bidId }: World) => ({ dealType: 'bid', dealId: bidId });
const inSale = ({ sale }: World) => ({ dealType: 'bid', dealId: sale.bidId });
const noIssue = () => ({ kind: 'operation', ref: '1-payout' });
const message = { content: 'Is it still good?' };

/** A row a procedure; `'messages.list bid'` is a second one, for the REST lines with this constant in their input. */
export const ACCESS: Record<string, AccessRow> = {
  ...ACCOUNTS,

  'coupons.list': [all(200), noFilters],
  'coupons.byId': [all(200), onCoupon],
  'coupons.related': [all(200), onCoupon],
  'coupons.viewed': [all(200), ({ couponId }) => ({ ids: [couponId] })],
  'coupons.ofMerchant': [all(200), () => ({ merchant: newCoupon.merchant })],
  'search.merchants': [all(200), () => ({ typed: 'co' })],
  'search.help': [all(200), () => ({ search: 'cofee' })],
  'search.count': [all(200), noFilters],
  'coupons.mine': [members, noFilters],
  'coupons.atTill': [members, onCoupon],
  'coupons.askable': [members, ({ people }) => ({ userId: people.owner?.id })],
  'coupons.create': [activeMembers, () => newCoupon],
  'coupons.readTable': [activeMembers, () => ({ text: 'LATTE-1', dateOrder: 'dayFirst' })],
  // Neither tRPC nor the JSON of REST takes bytes: uploads have their own route.
  'coupons.readTableFile': [{ ...all(400), anonymous: 401, suspended: 403 }, () => ({ bytes: 'a table' })],
  'coupons.update': [onlyOwner, ({ couponId }) => ({ ...newCoupon, id: couponId })],
  'coupons.remove': [onlyOwner, onCoupon],
  'coupons.markUsed': [onlyOwner, onCoupon],
  'coupons.unmarkUsed': [onlyOwner, onCoupon],
  // The suspended person does not own the coupon. An owner who is suspended may still read the code.
  'coupons.reveal': [onlyOwner, onCoupon],
  'coupons.keepCodes': [members, ({ couponId }) => ({ known: [], only: [couponId] })],
  'coupons.reportViews': [members, ({ couponId }) => ({ views: [{ couponId, secondsAgo: 60 }] })],
  'coupons.feedback': [all(200), onCoupon],
  'health.ofCoupon': [all(200), onCoupon],
  // Nobody has got the coupon in a deal.
  'coupons.giveFeedback': [
    { ...all(403), anonymous: 401 },
    ({ couponId }) => ({ id: couponId, worked: true }),
  ],
  'coupons.codeImage': [onlyOwner, ({ couponId }) => ({ id: couponId, kind: 'qrcode' })],
  // Nobody saves their own coupon.
  'coupons.save': [{ ...activeMembers, owner: 403 }, ({ couponId }) => ({ couponId })],
  'coupons.unsave': [activeMembers, ({ couponId }) => ({ couponId })],
  'coupons.saved': [members, noFilters],
  // Without a coupon it is public.
  'coupons.validate': [members, ({ couponId }) => ({ couponId, ownershipConfirmation: true })],

  'discover.list': [members, noFilters],
  'discover.offers': [members, atMerchant],
  'discover.import': [activeMembers, () => ({ ...atMerchant(), code: 'READ10' })],
  'discover.importAll': [activeMembers, atMerchant],
  'discover.giveFeedback': [activeMembers, ({ offerId }) => ({ id: offerId, worked: true })],

  // Neither tRPC nor the JSON of REST takes bytes: uploads have their own route.
  'images.upload': [all(400), () => ({ kind: 'qrcode', bytes: 'a picture' })],
  'images.read': [{ ...all(404), owner: 200 }, ({ imageId }) => ({ id: imageId })],
  'images.extractCode': [
    { ...all(404), owner: 200 },
    ({ imageId }) => ({ imageUrl: `/api/images/${imageId}`, imageType: 'qrcode' }),
  ],
  // The owner's picture is none: it is found, but cannot be read.
  'images.extractFacts': [
    { ...hiddenFromOthers, suspended: 403, owner: 415 },
    ({ imageId }) => ({ imageUrl: `/api/images/${imageId}` }),
  ],

  'pictures.upload': [all(400), () => ({ kind: 'offer', bytes: 'a picture' })],
  'pictures.read': [all(404), () => ({ id: `${'x'.repeat(22)}-9x9`, width: 9, format: 'webp' })],

  'deals.list': [members, noFilters],
  'deals.count': [members],
  'exchanges.list': [members, noFilters],
  'exchanges.byId': [parties, ({ exchangeId }) => ({ id: exchangeId })],
  'exchanges.rounds': [parties, ({ exchangeId }) => ({ id: exchangeId })],
  // The counterpart has asked already; the owner cannot ask for their own coupon.
  'exchanges.propose': [
    { ...activeMembers, counterpart: 409, owner: 403 },
    ({ couponId, ownCouponIds }, person) => ({
      requestedCouponId: couponId,
      offeredCouponId: ownCouponIds[person],
    }),
  ],
  'exchanges.revise': [
    { ...activeParties, owner: 403 },
    ({ exchangeId }) => ({ id: exchangeId, message: 'How about now?' }),
  ],
  // The owner offers what they have been asked for: that is no other offer.
  'exchanges.counter': [
    { ...activeParties, counterpart: 403, owner: 400 },
    ({ exchangeId, ownCouponIds }) => ({
      id: exchangeId,
      requestedCouponIds: [ownCouponIds.counterpart],
      offeredCouponIds: [ownCouponIds.owner],
    }),
  ],
  'exchanges.setStatus': [
    { ...activeParties, counterpart: 403 },
    ({ exchangeId }) => ({ id: exchangeId, status: 'accepted' }),
  ],

  'bids.priceHint': [all(200), onCoupon],
  'bids.list': [members, noFilters],
  'bids.byId': [parties, ({ bidId }) => ({ id: bidId })],
  // The counterpart has bid already; the owner cannot bid on their own coupon.
  'bids.place': [
    { ...activeMembers, counterpart: 409, owner: 403 },
    ({ couponId }) => ({ couponId, amount: '12.50' }),
  ],
  'bids.buy': [withoutPrice, ({ couponId }) => ({ couponId, expectedAmount: '12.50' })],
  'bids.counter': [
    { ...activeParties, counterpart: 409 },
    ({ bidId }) => ({ id: bidId, amount: '15', expectedAmount: '10.00' }),
  ],
  'bids.setStatus': [
    { ...activeParties, counterpart: 403 },
    ({ bidId }) => ({ id: bidId, status: 'accepted' }),
  ],

  'wants.list': [members],
  'wants.create': [activeMembers, () => aWant],
  'wants.update': [{ ...hiddenFromOthers, suspended: 403 }, ({ wantId }) => ({ ...aWant, id: wantId })],
  'wants.pause': [hiddenFromOthers, ({ wantId }) => ({ id: wantId, isPaused: true })],
  'wants.remove': [hiddenFromOthers, onWant],
  'wants.found': [hiddenFromOthers, onWant],
  'wants.look': [hiddenFromOthers, onWant],

  'health.ofMerchant': [all(200), () => ({ name: 'Harbour Books' })],
  'merchants.byName': [all(200), () => ({ name: 'Harbour Books' })],
  ...MATCHES_AND_MARKET_DAYS,

  'away.get': [members],
  'away.set': [members, () => ({ until: null })],

  'calendar.address': [members],
  'calendar.renewAddress': [members],
  'calendar.removeAddress': [members],
  // This token is nobody's.
  'calendar.feed': [all(404), () => ({ token: 'none' })],

  'dataExports.latest': [members],
  'dataExports.request': [members, () => ({})],
  // Nobody has one that is ready.
  'dataExports.part': [{ ...all(404), anonymous: 401 }, () => ({ part: 0 })],

  'drafts.address': [members],
  // The operator takes no mail.
  'drafts.renewAddress': [{ ...all(404), anonymous: 401 }],
  'drafts.removeAddress': [members],
  'drafts.list': [members],
  'drafts.count': [members],
  // It is nobody's.
  'drafts.discard': [{ ...all(404), anonymous: 401 }, () => ({ id: 1 })],
  // No wallet is set up.
  'walletPasses.add': [
    { ...all(404), anonymous: 401 },
    ({ couponId }) => ({ id: couponId, wallet: 'apple' }),
  ],
  'walletPasses.file': [{ ...all(404), anonymous: 401 }, onCoupon],
  ...Object.fromEntries(
    Object.entries(WALLET_INPUTS).map(([call, input]) => [call, [all(404), () => input]]),
  ),
  'drafts.receiveMail': [all(400), () => ({ provider: 'postmark', read: 'a mail' })],

  'blocks.list': [members],
  // Nobody blocks themselves.
  'blocks.add': [{ ...members, owner: 403 }, ({ people }) => ({ userId: people.owner?.id })],
  'blocks.remove': [members, ({ people }) => ({ userId: people.owner?.id })],

  'messages.conversations': [members, noFilters],
  'messages.conversation': [parties, inExchange],
  'messages.list exchange': [parties, inExchange],
  'messages.list bid': [parties, inBid],
  'messages.send exchange': [parties, (world) => ({ ...inExchange(world), ...message })],
  'messages.send bid': [parties, (world) => ({ ...inBid(world), ...message })],
  'messages.markRead exchange': [parties, inExchange],
  'messages.markRead bid': [parties, inBid],
  'messages.unreadCount': [members],

  'push.settings': [members],
  'push.subscribe': [members, () => newBrowser],
  // It is nobody's.
  'push.remove': [{ ...all(404), anonymous: 401 }, () => ({ id: 1 })],
  'push.setQuietHours': [members, () => ({ quietHours: null })],
  // Nobody has one.
  'push.sendTest': [{ ...all(409), anonymous: 401 }],

  'webhooks.list': [members],
  'webhooks.create': [activeMembers, () => aWebhook],
  'webhooks.update': [changesWebhook, (world) => ({ ...ofWebhook(world), isOn: false })],
  'webhooks.remove': [hiddenFromOthers, ofWebhook],
  'webhooks.renewSecret': [changesWebhook, ofWebhook],
  'webhooks.deliveries': [hiddenFromOthers, ofWebhook],
  'webhooks.sendTest': [changesWebhook, ofWebhook],
  // Nothing was sent there.
  'webhooks.sendAgain': [
    { ...changesWebhook, owner: 404 },
    (world) => ({ ...ofWebhook(world), deliveryId: 1 }),
  ],

  'notifications.list': [members, noFilters],
  'notifications.unreadCount': [members],
  'notifications.markRead': [hiddenFromOthers, ({ notificationId }) => ({ id: notificationId })],
  'notifications.markAllRead': [members],
  'notifications.transactionLogs': [members, noFilters],
  'notifications.preferences': [members],
  'notifications.setPreference': [members, () => ({ type: 'message', inApp: true, mail: false })],
  // The link works without signing in; this token is not valid.
  'notifications.unsubscribe': [all(400), () => ({ token: '1.message.none' })],

  'sellers.accountStatus': [members],
  'sellers.createAccountLink': [sellers],
  'sellers.paypalStatus': [members],
  'sellers.createPaypalOnboardingLink': [sellers],
  'sellers.readiness': [members],

  'ratings.create': [activeParties, (world) => ({ ...inSale(world), rating: 8, comment: 'Quick and kind.' })],
  'ratings.ofDeal': [parties, inSale],
  'ratings.ofUser': [all(200), ({ people }) => ({ id: people.owner?.id })],
  'proofs.exposure': [all(200), onCoupon],
  'proofs.issue': [onlyOwner, onCoupon],
  'proofs.check': [all(200), () => ({ statement: 'a.b.c' })],
  'proofs.keys': [all(200)],
  'proofs.roots': [all(200), noFilters],
  'proofs.openBooks': [all(200)],
  'leaderboard.list': [all(200), () => ({ category: 'bids' })],
  'leaderboard.mine': [members, () => ({ category: 'bids' })],
  'profiles.byId': [all(200), ({ people }) => ({ id: people.suspended?.id })],
  'profiles.ofCouponOwner': [all(200), onCoupon],
  'profiles.stats': [members],
  'profiles.firstSteps': [members],

  ...CLAIMS_AND_PAYMENTS,

  'seo.merchantKeys': [all(200)],
  'seo.parts': [all(200)],
  'seo.card': [all(200), () => ({ file: 'site.png' })],
  'seo.couponUrls': [all(200), () => ({ part: 0 })],

  // Nobody reports themselves.
  'moderation.report': [
    { ...activeMembers, owner: 403 },
    ({ people }) => ({ reportedUserId: people.owner?.id, description: 'The code did not work.' }),
  ],
  'moderation.reports': [moderators, noFilters],
  'moderation.review': [moderators, ({ reportId }) => ({ id: reportId, action: 'warn', notes: 'Stop it.' })],
  'moderation.reportRows': [moderators, noFilters],
  'moderation.reviewSeveral': [
    moderators,
    ({ reportId }) => ({ ids: [reportId], action: 'warn', notes: 'Stop it.' }),
  ],
  'moderation.removePicture': [
    { ...moderators, moderator: 404, admin: 404 },
    () => ({ url: `/api/pictures/${'x'.repeat(22)}-9x9/9.webp`, reason: 'Not yours.' }),
  ],

  'moderation.personRecord': [moderators, ({ people }) => ({ id: people.owner?.id })],
  'moderation.claimCase': [moderators, ({ legClaimId }) => ({ id: legClaimId })],
  'moderation.waitingCoupons': [moderators],
  // It does not wait.
  'moderation.decideCoupons': [
    { ...moderators, moderator: 404, admin: 404 },
    ({ couponId }) => ({ ids: [couponId], decision: 'list' }),
  ],

  'admin.users': [admins, () => ({ search: 'person' })],
  'admin.setUserStatus': [
    admins,
    ({ people }) => ({ id: people.stranger?.id, status: 'suspended', reason: 'It was too much.' }),
  ],
  'admin.userRows': [admins, noFilters],
  'admin.setUserStatuses': [
    admins,
    ({ people }) => ({ ids: [people.stranger?.id], status: 'suspended', reason: 'It was too much.' }),
  ],
  // The stranger has none.
  'admin.resetSecondFactor': [
    { ...admins, admin: 409 },
    ({ people }) => ({ id: people.stranger?.id, reason: 'Showed a passport.', password: TEST_PASSWORD }),
  ],
  'paymentIssues.list': [admins, noFilters],
  // There is none.
  'paymentIssues.retry': [{ ...admins, admin: 409 }, noIssue],
  'paymentIssues.note': [{ ...admins, admin: 409 }, () => ({ ...noIssue(), text: 'Looked at it.' })],
  'paymentIssues.handle': [{ ...admins, admin: 409 }, noIssue],
  'paymentIssues.payment': [admins, ofPayment],
  'paymentIssues.evidence': [admins, ofPayment],
  // The sale was inserted without a capture: nothing was paid.
  'paymentIssues.refund': [
    { ...admins, admin: 409 },
    (world) => ({ ...ofPayment(world), amount: '3.00', returned: '0.00', reason: 'A part is missing.' }),
  ],

  ...OF_OPERATORS,
  'admin.auditLog': [admins, noFilters],
  'admin.auditRows': [admins, noFilters],
  'admin.deniedRequests': [admins, noFilters],
  'admin.deniedRequestRows': [admins, noFilters],
  'admin.weeklyFees': [admins, noFilters],
  'admin.feeRows': [admins, noFilters],
  'admin.journalRows': [admins, () => ({ from: '2035-06-01', to: '2035-06-30' })],
  'admin.stats': [admins],
  'admin.debts': [admins],
  // Nothing is owed for this sale.
  'admin.settleDebt': [
    { ...admins, admin: 409 },
    ({ sale }) => ({ paymentId: sale.paymentId, how: 'written_off', reason: 'It is too little.' }),
  ],
  'admin.platformFees': [admins, () => ({ period: 'week' })],
  'admin.platformFeeLogs': [admins, noFilters],
  'admin.feeLogRows': [admins, noFilters],
};
