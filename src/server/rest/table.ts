import type { appRouter } from '#server/router.ts';
import type { Deprecation } from './deprecation.ts';

type Router = (typeof appRouter)['_def']['record'];

/** The place of a call in the router: 'exchanges.setStatus'. */
type ProcedurePath = {
  [Domain in keyof Router & string]: `${Domain}.${keyof Router[Domain] & string}`;
}[keyof Router & string];

export interface RestCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /**
   * In Fastify's notation. Path parameters, query (of a GET) and JSON body together are the procedure's
   * input.
   */
  readonly path: `/api/${string}`;
  readonly procedure: ProcedurePath;
  /** The status of success: 201 when the call creates something. */
  readonly status: 200 | 201;
  /** A GET that changes something: only our own pages may send it. */
  readonly changesState: boolean;
  /** The part of the procedure's input that the path implies; a client cannot change it. */
  readonly input: Readonly<Record<string, string>>;
  /** That the call goes away; null: it stays. A line for the page of `paths.developers` belongs to it. */
  readonly deprecation: Deprecation | null;
}

/**
 * Whether a call makes something for somebody, so that it must not be done twice by mistake. A registration is done once by its
 * username, and its answer opens an account: it is kept for nobody.
 */
export const takesKey = ({ method, status, procedure }: RestCall): boolean =>
  method === 'POST' && status === 201 && procedure !== 'accounts.register';

type Options = Partial<Pick<RestCall, 'status' | 'changesState' | 'input' | 'deprecation'>>;

const line =
  (method: RestCall['method']) =>
  (path: RestCall['path'], procedure: ProcedurePath, options: Options = {}): RestCall => ({
    method,
    path,
    procedure,
    status: 200,
    changesState: false,
    input: {},
    deprecation: null,
    ...options,
  });
const get = line('GET');
const post = line('POST');
const put = line('PUT');
const patch = line('PATCH');
const del = line('DELETE');

const CREATED = { status: 201 } as const;

/**
 * The REST API, one line a call. The procedure defines the input, the output, the permissions and the
 * summary.
 */
export const REST_CALLS: readonly RestCall[] = [
  get('/api/user', 'accounts.currentUser'),
  post('/api/register', 'accounts.register', CREATED),
  post('/api/login', 'accounts.login'),
  post('/api/logout', 'accounts.logout'),
  put('/api/user/profile', 'accounts.updateProfile'),
  put('/api/user/language', 'accounts.chooseLanguage'),
  put('/api/user/password', 'accounts.changePassword'),
  post('/api/user/send-verification', 'accounts.sendVerification'),
  post('/api/user/verify-email', 'accounts.verifyEmail'),
  get('/api/user/sessions', 'accounts.sessions'),
  get('/api/user/second-factor', 'accounts.secondFactor'),
  post('/api/user/second-factor', 'accounts.startSecondFactor'),
  post('/api/user/second-factor/enable', 'accounts.enableSecondFactor'),
  post('/api/user/second-factor/confirm', 'accounts.confirmSecondFactor'),
  post('/api/user/second-factor/recovery-codes', 'accounts.renewRecoveryCodes'),
  post('/api/user/second-factor/disable', 'accounts.disableSecondFactor'),
  get('/api/user/passkeys', 'accounts.passkeys'),
  patch('/api/user/passkeys/:id', 'accounts.renamePasskey'),
  del('/api/user/passkeys/:id', 'accounts.removePasskey'),
  get('/api/user/key', 'apiKeys.whose'),
  get('/api/user/keys', 'apiKeys.list'),
  post('/api/user/keys', 'apiKeys.make', CREATED),
  del('/api/user/keys/:id', 'apiKeys.revoke'),
  get('/api/user/identities', 'identities.list'),
  del('/api/user/identities/:id', 'identities.remove'),
  get('/api/user/sign-ins', 'accounts.signIns'),
  del('/api/user/sessions/:id', 'accounts.endSession'),
  post('/api/user/sessions/end-others', 'accounts.endOtherSessions'),
  post('/api/password-reset/request', 'accounts.requestPasswordReset'),
  post('/api/password-reset', 'accounts.resetPassword'),

  get('/api/coupons', 'coupons.list'),
  post('/api/coupons', 'coupons.create', CREATED),
  get('/api/coupons/:id', 'coupons.byId'),
  patch('/api/coupons/:id', 'coupons.update'),
  del('/api/coupons/:id', 'coupons.remove'),
  post('/api/coupons/:id/used', 'coupons.markUsed'),
  del('/api/coupons/:id/used', 'coupons.unmarkUsed'),
  post('/api/coupons/:id/reveal', 'coupons.reveal'),
  post('/api/coupons/:id/wallet-passes', 'walletPasses.add'),
  get('/api/coupons/:id/owner', 'profiles.ofCouponOwner'),
  get('/api/coupons/:id/related', 'coupons.related'),
  get('/api/coupons/:id/price-hint', 'bids.priceHint'),
  get('/api/coupons/:id/feedback', 'coupons.feedback'),
  get('/api/coupons/:id/health', 'health.ofCoupon'),
  post('/api/coupons/:id/feedback', 'coupons.giveFeedback'),
  get('/api/coupons/:couponId/claim', 'claims.ofCoupon'),
  get('/api/my-coupons', 'coupons.mine'),
  get('/api/users/:userId/askable-coupons', 'coupons.askable'),

  post('/api/validate-coupon', 'coupons.validate'),
  post('/api/coupons/validate', 'coupons.validate'),
  post('/api/extract-code', 'images.extractCode'),
  post('/api/extract-facts', 'images.extractFacts'),
  post('/api/save-coupon', 'coupons.save'),
  del('/api/save-coupon/:couponId', 'coupons.unsave'),
  get('/api/saved-coupons', 'coupons.saved'),
  get('/api/merchants/:name', 'merchants.byName'),
  get('/api/merchants/:name/health', 'health.ofMerchant'),
  get('/api/merchants/:merchant/coupons', 'coupons.ofMerchant'),
  get('/api/coupons/discover', 'discover.list'),
  get('/api/discover-offers', 'discover.offers'),
  post('/api/discover-offers/:id/feedback', 'discover.giveFeedback'),
  post('/api/coupons/import', 'discover.import', CREATED),
  post('/api/coupons/import-all', 'discover.importAll', CREATED),

  get('/api/deals', 'deals.list'),
  get('/api/deals/count', 'deals.count'),

  get('/api/exchanges', 'exchanges.list'),
  post('/api/exchanges', 'exchanges.propose', CREATED),
  get('/api/exchanges/:id', 'exchanges.byId'),
  get('/api/exchanges/:id/rounds', 'exchanges.rounds'),
  patch('/api/exchanges/:id', 'exchanges.revise'),
  post('/api/exchanges/:id/counter', 'exchanges.counter', CREATED),
  patch('/api/exchanges/:id/status', 'exchanges.setStatus'),
  get('/api/exchanges/:exchangeId/claims', 'claims.ofExchange'),
  post('/api/exchanges/:exchangeId/claims', 'claims.open', CREATED),
  del('/api/claims/:id', 'claims.withdraw'),
  post('/api/claims/:id/answer', 'claims.answer'),
  post('/api/claims/:id/appeal', 'claims.appeal'),
  post('/api/claims/:id/verdict', 'claims.decide'),

  get('/api/bids', 'bids.list'),
  post('/api/bids', 'bids.place', CREATED),
  post('/api/coupons/:couponId/buy', 'bids.buy', CREATED),
  get('/api/bids/:id', 'bids.byId'),
  post('/api/bids/:id/counter', 'bids.counter'),
  put('/api/bids/:id/status', 'bids.setStatus'),

  get('/api/conversations', 'messages.conversations'),
  get('/api/conversations/:dealType/:dealId', 'messages.conversation'),
  get('/api/exchanges/:dealId/messages', 'messages.list', { input: { dealType: 'exchange' } }),
  post('/api/exchanges/:dealId/messages', 'messages.send', { status: 201, input: { dealType: 'exchange' } }),
  post('/api/exchanges/:dealId/messages/read', 'messages.markRead', { input: { dealType: 'exchange' } }),
  get('/api/bids/:dealId/messages', 'messages.list', { input: { dealType: 'bid' } }),
  post('/api/bids/:dealId/messages', 'messages.send', { status: 201, input: { dealType: 'bid' } }),
  post('/api/bids/:dealId/messages/read', 'messages.markRead', { input: { dealType: 'bid' } }),
  get('/api/messages/unread-count', 'messages.unreadCount'),

  get('/api/wants', 'wants.list'),
  post('/api/wants', 'wants.create', CREATED),
  put('/api/wants/:id', 'wants.update'),
  del('/api/wants/:id', 'wants.remove'),
  post('/api/wants/:id/pause', 'wants.pause'),
  get('/api/wants/:id/found', 'wants.found'),
  post('/api/wants/:id/looked', 'wants.look'),

  get('/api/market-days/now', 'marketDays.now'),
  get('/api/market-days/:day', 'marketDays.byDay'),
  get('/api/market-days/:day/certificate', 'marketDays.certificate'),
  get('/api/matches', 'matches.list'),
  get('/api/matches/count', 'matches.count'),
  get('/api/matches/market', 'matches.market'),
  post('/api/matches/:id/dismiss', 'matches.dismiss'),
  post('/api/matches/:id/propose', 'matches.propose', CREATED),
  get('/api/coupons/:couponId/matches', 'matches.forCoupon'),

  get('/api/away', 'away.get'),
  put('/api/away', 'away.set'),

  get('/api/calendar-address', 'calendar.address'),
  post('/api/calendar-address', 'calendar.renewAddress', CREATED),
  del('/api/calendar-address', 'calendar.removeAddress'),

  get('/api/webhooks', 'webhooks.list'),
  post('/api/webhooks', 'webhooks.create', CREATED),
  patch('/api/webhooks/:id', 'webhooks.update'),
  del('/api/webhooks/:id', 'webhooks.remove'),
  post('/api/webhooks/:id/secret', 'webhooks.renewSecret', CREATED),
  post('/api/webhooks/:id/test', 'webhooks.sendTest'),
  get('/api/webhooks/:id/deliveries', 'webhooks.deliveries'),
  post('/api/webhooks/:id/deliveries/:deliveryId/again', 'webhooks.sendAgain'),

  post('/api/kept-codes', 'coupons.keepCodes'),
  post('/api/kept-codes/views', 'coupons.reportViews'),

  get('/api/data-export', 'dataExports.latest'),
  post('/api/data-export', 'dataExports.request', CREATED),

  get('/api/mail-address', 'drafts.address'),
  post('/api/mail-address', 'drafts.renewAddress', CREATED),
  del('/api/mail-address', 'drafts.removeAddress'),
  get('/api/coupon-drafts', 'drafts.list'),
  get('/api/coupon-drafts/count', 'drafts.count'),
  del('/api/coupon-drafts/:id', 'drafts.discard'),

  get('/api/blocks', 'blocks.list'),
  post('/api/blocks', 'blocks.add'),
  del('/api/blocks/:userId', 'blocks.remove'),

  get('/api/connect/account-status', 'sellers.accountStatus'),
  post('/api/connect/create-account-link', 'sellers.createAccountLink'),
  get('/api/paypal/seller-status', 'sellers.paypalStatus'),
  post('/api/paypal/create-onboarding-link', 'sellers.createPaypalOnboardingLink'),

  get('/api/notifications', 'notifications.list'),
  patch('/api/notifications/:id/read', 'notifications.markRead'),
  post('/api/notifications/read-all', 'notifications.markAllRead'),
  get('/api/notification-preferences', 'notifications.preferences'),
  put('/api/notification-preferences', 'notifications.setPreference'),
  get('/api/transaction-logs', 'notifications.transactionLogs'),

  post('/api/connect/create-payment-intent', 'payments.createIntent'),
  get('/api/exchanges/:exchangeId/deposit', 'deposits.own'),
  post('/api/exchanges/:exchangeId/deposit', 'deposits.createIntent'),
  post('/api/exchanges/:exchangeId/deposit/refresh', 'deposits.refresh'),
  get('/api/bids/:bidId/checkout', 'payments.checkout'),
  get('/api/coupons/:couponId/cover', 'payments.offeredCover'),
  post('/api/bids/:bidId/pay-with-card', 'payments.payWithCard'),
  post('/api/paypal/create-order', 'payments.createPaypalOrder'),
  post('/api/paypal/capture-order', 'payments.capturePaypalOrder'),
  post('/api/bids/:bidId/payment/refresh', 'payments.refresh'),
  post('/api/bids/:bidId/confirm', 'payments.confirmReceipt'),
  post('/api/bids/:bidId/claim', 'payments.openClaim'),
  del('/api/bids/:bidId/claim', 'payments.withdrawClaim'),
  get('/api/sales/:paymentId/receipt', 'payments.receipt'),
  get('/api/seller-statement', 'payments.sellerStatement'),
  get('/api/seller-debts', 'payments.debts'),
  get('/api/payment-client', 'payments.client'),
  get('/api/payment-methods', 'payments.paymentMethods'),
  del('/api/payment-methods/:id', 'payments.removePaymentMethod'),
  post('/api/payment-methods/:id/default', 'payments.setDefaultPaymentMethod'),

  post('/api/ratings', 'ratings.create', CREATED),
  get('/api/users/:id', 'profiles.byId'),
  get('/api/users/:id/ratings', 'ratings.ofUser'),
  get('/api/user/stats', 'profiles.stats'),
  get('/api/leaderboard', 'leaderboard.list'),

  get('/api/coupons/:id/exposure', 'proofs.exposure'),
  post('/api/coupons/:id/statement', 'proofs.issue'),
  post('/api/proofs/check', 'proofs.check'),
  get('/api/proofs/roots', 'proofs.roots'),
  get('/api/open-books', 'proofs.openBooks'),

  get('/api/claims', 'claims.list'),
  post('/api/claims/:id/decision', 'payments.decideClaim'),
  del('/api/user/account', 'accounts.deleteAccount'),
  post('/api/reports', 'moderation.report', CREATED),
  get('/api/reports', 'moderation.reports'),
  patch('/api/reports/:id/action', 'moderation.review'),
  post('/api/reports/actions', 'moderation.reviewSeveral'),
  post('/api/pictures/removal', 'moderation.removePicture'),
  get('/api/announcement', 'settings.announcement'),
  get('/api/admin/users', 'admin.users'),
  patch('/api/admin/users/:id/status', 'admin.setUserStatus'),
  post('/api/admin/users/status', 'admin.setUserStatuses'),
  post('/api/admin/users/:id/second-factor/reset', 'admin.resetSecondFactor'),
  get('/api/admin/payment-issues', 'paymentIssues.list'),
  post('/api/admin/payment-issues/retry', 'paymentIssues.retry'),
  post('/api/admin/payment-issues/notes', 'paymentIssues.note'),
  post('/api/admin/payment-issues/handled', 'paymentIssues.handle'),
  get('/api/admin/payments/:paymentId', 'paymentIssues.payment'),
  get('/api/admin/payments/:paymentId/evidence', 'paymentIssues.evidence'),
  post('/api/admin/payments/:paymentId/refunds', 'paymentIssues.refund'),
  get('/api/admin/audit-log', 'admin.auditLog'),
  get('/api/admin/denied-requests', 'admin.deniedRequests'),
  get('/api/admin/weekly-fees', 'admin.weeklyFees'),
  get('/api/admin/health', 'admin.health'),
  post('/api/admin/checks', 'operations.checks'),
  get('/api/admin/stats', 'admin.stats'),
  get('/api/admin/seller-debts', 'admin.debts'),
  post('/api/admin/seller-debts/:paymentId/settle', 'admin.settleDebt'),
  get('/api/admin/platform-fees', 'admin.platformFees'),
  get('/api/admin/transaction-logs/platform-fee', 'admin.platformFeeLogs'),
  post('/api/admin/submit-sitemap', 'admin.submitSitemap'),
  get('/api/submit-sitemap', 'admin.submitSitemap', { changesState: true }),
];
