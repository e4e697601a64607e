import type { appRouter } from '#server/trpc/root.ts';

type Router = (typeof appRouter)['_def']['record'];

/** A call by its place in the router: 'exchanges.setStatus'. */
type ProcedurePath = {
  [Domain in keyof Router & string]: `${Domain}.${keyof Router[Domain] & string}`;
}[keyof Router & string];

export interface RestCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** In Fastify's notation; path parameters, query and JSON body together are the procedure's input. */
  readonly path: `/api/${string}`;
  readonly procedure: ProcedurePath;
  /** One line for the reader of the documentation. */
  readonly summary: string;
  /** The status of success: 200 unless something is made. */
  readonly status: 200 | 201;
  /** A page of a list: the body is the bare array, the rest goes into X-Total-Count and Link. */
  readonly isList: boolean;
  /** A GET that changes something nevertheless: only our own pages may send it. */
  readonly changesState: boolean;
  /** The part of the procedure's input that the path itself says; a caller cannot change it. */
  readonly input: Readonly<Record<string, string>>;
}

function call(
  method: RestCall['method'],
  path: RestCall['path'],
  procedure: ProcedurePath,
  summary: string,
  options: Partial<Pick<RestCall, 'status' | 'isList' | 'changesState' | 'input'>> = {},
): RestCall {
  return {
    method,
    path,
    procedure,
    summary,
    status: 200,
    isList: false,
    changesState: false,
    input: {},
    ...options,
  };
}

const MADE = { status: 201 } as const;
const LIST = { isList: true } as const;
const OF_EXCHANGE = { input: { dealType: 'exchange' } } as const;
const OF_BID = { input: { dealType: 'bid' } } as const;

/** The REST door: one line a call. What a call takes, answers and allows is the procedure's to say. */
export const REST_CALLS: readonly RestCall[] = [
  call('GET', '/api/user', 'accounts.currentUser', 'The signed-in person; 401 when nobody is'),
  call('POST', '/api/register', 'accounts.register', 'Registers a person and signs them in', MADE),
  call('POST', '/api/login', 'accounts.login', 'Signs in'),
  call('POST', '/api/logout', 'accounts.logout', 'Signs out'),
  call('PUT', '/api/user/profile', 'accounts.updateProfile', 'Changes the caller’s profile'),
  call('PUT', '/api/user/password', 'accounts.changePassword', 'Changes the caller’s password'),
  call('POST', '/api/user/send-verification', 'accounts.sendVerification', 'Mails the confirming link again'),
  call(
    'POST',
    '/api/user/verify-email',
    'accounts.verifyEmail',
    'Confirms an e-mail address by a mailed link',
  ),
  call('GET', '/api/user/sessions', 'accounts.sessions', 'The browsers in which the caller is signed in'),
  call('DELETE', '/api/user/sessions/:id', 'accounts.endSession', 'Signs the caller out in one browser'),
  call('POST', '/api/user/sessions/end-others', 'accounts.endOtherSessions', 'Signs out everywhere else'),
  call(
    'POST',
    '/api/password-reset/request',
    'accounts.requestPasswordReset',
    'Mails a link to choose a new password',
  ),
  call('POST', '/api/password-reset', 'accounts.resetPassword', 'Chooses a new password by a mailed link'),

  call(
    'GET',
    '/api/coupons',
    'coupons.list',
    'Browses, filters, searches and sorts the coupons on offer',
    LIST,
  ),
  call('POST', '/api/coupons', 'coupons.create', 'Lists a coupon', MADE),
  call('GET', '/api/coupons/:id', 'coupons.byId', 'One coupon, without its code'),
  call('PATCH', '/api/coupons/:id', 'coupons.update', 'Edits a coupon of one’s own'),
  call('DELETE', '/api/coupons/:id', 'coupons.remove', 'Takes a coupon of one’s own away'),
  call('POST', '/api/coupons/:id/reveal', 'coupons.reveal', 'Shows the owner the code, and records that'),
  call('GET', '/api/my-coupons', 'coupons.mine', 'The caller’s own coupons', LIST),

  call(
    'POST',
    '/api/validate-coupon',
    'coupons.validate',
    'Judges a code; a listed coupon’s without telling it',
  ),
  call('POST', '/api/coupons/validate', 'coupons.validate', 'The same under its other name'),
  call('POST', '/api/extract-code', 'images.extractCode', 'Reads the code off an uploaded picture'),
  call('POST', '/api/save-coupon', 'coupons.save', 'Saves somebody’s coupon for later'),
  call('DELETE', '/api/save-coupon/:couponId', 'coupons.unsave', 'Lets go of a saved coupon'),
  call('GET', '/api/saved-coupons', 'coupons.saved', 'The coupons that the caller has saved', LIST),
  call(
    'GET',
    '/api/coupons/discover',
    'discover.list',
    'Merchants with public codes, and the first of each',
    LIST,
  ),
  call('GET', '/api/discover-offers', 'discover.offers', 'All public codes of one merchant', LIST),
  call('POST', '/api/coupons/import', 'discover.import', 'Takes a public code into one’s own coupons', MADE),
  call('POST', '/api/coupons/import-all', 'discover.importAll', 'Takes all public codes of a merchant', MADE),

  call('GET', '/api/exchanges', 'exchanges.list', 'The exchanges that the caller takes part in', LIST),
  call('POST', '/api/exchanges', 'exchanges.propose', 'Proposes a swap', MADE),
  call('GET', '/api/exchanges/:id', 'exchanges.byId', 'One exchange'),
  call('PATCH', '/api/exchanges/:id', 'exchanges.revise', 'Changes a pending proposal'),
  call('PATCH', '/api/exchanges/:id/status', 'exchanges.setStatus', 'Accepts, rejects, cancels or completes'),

  call('GET', '/api/bids', 'bids.list', 'The bids that the caller has placed or received', LIST),
  call('POST', '/api/bids', 'bids.place', 'Bids on a coupon', MADE),
  call('GET', '/api/bids/:id', 'bids.byId', 'One bid'),
  call('PUT', '/api/bids/:id/status', 'bids.setStatus', 'Accepts, rejects or cancels a bid'),

  call(
    'GET',
    '/api/conversations',
    'messages.conversations',
    'The caller’s conversations, the last changed first',
    LIST,
  ),
  call('GET', '/api/conversations/:dealType/:dealId', 'messages.conversation', 'One conversation'),
  call('GET', '/api/exchanges/:dealId/messages', 'messages.list', 'The messages of an exchange', {
    ...LIST,
    ...OF_EXCHANGE,
  }),
  call(
    'POST',
    '/api/exchanges/:dealId/messages',
    'messages.send',
    'Writes to the other party of an exchange',
    { ...MADE, ...OF_EXCHANGE },
  ),
  call(
    'POST',
    '/api/exchanges/:dealId/messages/read',
    'messages.markRead',
    'Marks what one has received in it as read',
    OF_EXCHANGE,
  ),
  call('GET', '/api/bids/:dealId/messages', 'messages.list', 'The messages of a bid', { ...LIST, ...OF_BID }),
  call('POST', '/api/bids/:dealId/messages', 'messages.send', 'Writes to the other party of a bid', {
    ...MADE,
    ...OF_BID,
  }),
  call(
    'POST',
    '/api/bids/:dealId/messages/read',
    'messages.markRead',
    'Marks what one has received in it as read',
    OF_BID,
  ),
  call(
    'GET',
    '/api/messages/unread-count',
    'messages.unreadCount',
    'How many messages the caller has not read',
  ),

  call('GET', '/api/connect/account-status', 'sellers.accountStatus', 'The caller’s account with Stripe'),
  call(
    'POST',
    '/api/connect/create-account-link',
    'sellers.createAccountLink',
    'A link to set up the Stripe account',
  ),
  call('GET', '/api/paypal/seller-status', 'sellers.paypalStatus', 'The caller’s account with PayPal'),
  call(
    'POST',
    '/api/paypal/create-onboarding-link',
    'sellers.createPaypalOnboardingLink',
    'A link to set up the PayPal account',
  ),

  call('GET', '/api/notifications', 'notifications.list', 'The caller’s notifications, newest first', LIST),
  call('PATCH', '/api/notifications/:id/read', 'notifications.markRead', 'Marks one notification as read'),
  call(
    'POST',
    '/api/notifications/read-all',
    'notifications.markAllRead',
    'Marks every notification as read',
  ),
  call(
    'GET',
    '/api/notification-preferences',
    'notifications.preferences',
    'What the caller wants to be told of, and how',
  ),
  call(
    'PUT',
    '/api/notification-preferences',
    'notifications.setPreference',
    'Says what the caller wants of one kind of news',
  ),
  call('GET', '/api/transaction-logs', 'notifications.transactionLogs', 'The caller’s history', LIST),

  call(
    'POST',
    '/api/connect/create-payment-intent',
    'payments.createIntent',
    'The card payment of an accepted bid',
  ),
  call(
    'GET',
    '/api/bids/:bidId/checkout',
    'payments.checkout',
    'What an accepted bid costs, and how it can be paid',
  ),
  call('POST', '/api/bids/:bidId/pay-with-card', 'payments.payWithCard', 'Pays with a kept card'),
  call(
    'POST',
    '/api/paypal/create-order',
    'payments.createPaypalOrder',
    'The PayPal order of an accepted bid',
  ),
  call(
    'POST',
    '/api/paypal/capture-order',
    'payments.capturePaypalOrder',
    'Takes the money approved at PayPal',
  ),
  call(
    'POST',
    '/api/bids/:bidId/payment/refresh',
    'payments.refresh',
    'Asks the provider how a payment stands',
  ),
  call('POST', '/api/bids/:bidId/confirm', 'payments.confirmReceipt', 'The code works: releases the money'),
  call('POST', '/api/bids/:bidId/claim', 'payments.openClaim', 'The code does not work: asks a moderator'),
  call('DELETE', '/api/bids/:bidId/claim', 'payments.withdrawClaim', 'Takes a claim back'),
  call('GET', '/api/payment-client', 'payments.client', 'What a browser needs to load the payment scripts'),
  call('GET', '/api/payment-methods', 'payments.paymentMethods', 'The caller’s kept cards'),
  call('DELETE', '/api/payment-methods/:id', 'payments.removePaymentMethod', 'Forgets a card'),
  call(
    'POST',
    '/api/payment-methods/:id/default',
    'payments.setDefaultPaymentMethod',
    'Chooses the first card',
  ),

  call('POST', '/api/ratings', 'ratings.create', 'Rates the other side of a completed deal', MADE),
  call('GET', '/api/users/:id', 'profiles.byId', 'One person, as anybody may see them'),
  call('GET', '/api/users/:id/ratings', 'ratings.ofUser', 'What others say of a person', LIST),
  call('GET', '/api/user/stats', 'profiles.stats', 'What the caller has done here'),
  call('GET', '/api/leaderboard', 'leaderboard.list', 'Who has the most points, in a category', LIST),

  call('GET', '/api/claims', 'payments.claims', 'Claims, for moderators', LIST),
  call('POST', '/api/claims/:id/decision', 'payments.decideClaim', 'Decides a claim, for moderators'),
  call('DELETE', '/api/user/account', 'accounts.deleteAccount', 'Ends the caller’s account for good'),
  call('POST', '/api/reports', 'moderation.report', 'Tells the moderators of a person', MADE),
  call('GET', '/api/reports', 'moderation.reports', 'Reports on people, for moderators', LIST),
  call('PATCH', '/api/reports/:id/action', 'moderation.review', 'Decides a report, for moderators'),
  call('GET', '/api/admin/users', 'admin.users', 'People, for admins', LIST),
  call(
    'PATCH',
    '/api/admin/users/:id/status',
    'admin.setUserStatus',
    'Changes a person’s status, for admins',
  ),
  call('GET', '/api/admin/audit-log', 'admin.auditLog', 'What moderators and admins have done', LIST),
  call('GET', '/api/admin/weekly-fees', 'admin.weeklyFees', 'The fees of each week, for admins'),
  call('GET', '/api/admin/health', 'admin.health', 'How jobs, webhooks and mail fare, for admins'),
  call('GET', '/api/admin/stats', 'admin.stats', 'What the marketplace earns, for admins'),
  call('GET', '/api/admin/platform-fees', 'admin.platformFees', 'The fee of each sale, for admins', LIST),
  call(
    'GET',
    '/api/admin/transaction-logs/platform-fee',
    'admin.platformFeeLogs',
    'The history of money, for admins',
    LIST,
  ),
  call(
    'POST',
    '/api/admin/submit-sitemap',
    'admin.submitSitemap',
    'Tells the search engines of the sitemap, for admins',
  ),
  call('GET', '/api/submit-sitemap', 'admin.submitSitemap', 'The same for our own pages alone', {
    changesState: true,
  }),
];
