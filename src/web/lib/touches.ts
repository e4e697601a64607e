import type { DealRef } from '#contract/deals.ts';
import type { LiveEvent } from '#contract/live.ts';
import type { MutationPath, Touched } from './trpc.ts';

/** The queries that a mutation makes stale. */
export interface Touches {
  /** The mutation is pending until those of these that are on screen are refreshed. */
  readonly awaited?: readonly Touched[];
  /** Refreshed in the background. */
  readonly background?: readonly Touched[];
  /** Refreshed after every failure, too: the outcome is unknown, or the screen was updated optimistically. */
  readonly evenIfFailed?: boolean;
}

// Listed one by one: `coupons.codeImage` is a query, too, and each reveal of a code is recorded.
const COUPONS = ['coupons.list', 'coupons.byId', 'coupons.mine', 'coupons.saved', 'coupons.askable'] as const;
const COUPON_LISTS = ['coupons.list', 'coupons.mine'] as const;
const UNREAD = ['notifications.list', 'notifications.unreadCount'] as const;
const NEWS = [...UNREAD, 'notifications.transactionLogs'] as const;

const NOTHING: Touches = {};
const OWN_ACCOUNT: Touches = { awaited: ['accounts.me'] };
const SECOND_FACTOR: Touches = { awaited: ['accounts.secondFactor'] };
const PASSKEYS: Touches = { awaited: ['accounts.passkeys'], evenIfFailed: true };
const SESSIONS: Touches = { awaited: ['accounts.sessions'], evenIfFailed: true };
const WRITTEN_COUPON: Touches = { awaited: COUPON_LISTS, background: ['exchanges', 'matches'] };
const BID: Touches = { awaited: ['bids'], background: [...COUPONS, ...NEWS] };
const EXCHANGE: Touches = { awaited: ['exchanges'], background: [...COUPONS, ...NEWS, 'matches'] };
const PAYMENT: Touches = { awaited: ['bids', 'claims.list'], background: [...COUPONS, ...NEWS] };
// The giver of a sale answers with the bid on screen.
const CLAIM: Touches = { awaited: ['claims', 'bids'], background: [...NEWS, 'profiles'] };
const PAYMENT_ISSUE: Touches = { awaited: ['paymentIssues'], background: ['admin.auditLog'] };
// A ban takes coupons off the lists and those that wait; a removed picture is no longer reported.
const MODERATION: Touches = {
  awaited: ['moderation', 'admin', 'profiles', 'coupons.byId'],
  background: COUPONS,
  evenIfFailed: true,
};
const CARDS: Touches = { awaited: ['payments.paymentMethods'] };
const BLOCK: Touches = {
  awaited: ['blocks', 'profiles'],
  background: [
    ...COUPONS,
    ...NEWS,
    'matches',
    'exchanges',
    'bids',
    'messages.conversation',
    'messages.conversations',
  ],
};
// What was found for it comes with a live event.
const WANT: Touches = { awaited: ['wants'], background: ['matches'] };
const READ_NOTIFICATIONS: Touches = { awaited: UNREAD, evenIfFailed: true };

/** Every mutation of the API and what it touches; the mutation cache refreshes by it. */
export const TOUCHES: Readonly<Record<MutationPath, Touches>> = {
  // The viewer is set by hand, and a change of viewer drops all data.
  'accounts.register': NOTHING,
  'accounts.login': NOTHING,
  'accounts.startDefence': NOTHING,
  'accounts.startPasskeySignIn': NOTHING,
  'accounts.loginWithPasskey': NOTHING,
  'accounts.logout': NOTHING,
  'accounts.deleteAccount': NOTHING,
  'accounts.sendVerification': NOTHING,
  'accounts.requestPasswordReset': NOTHING,
  'accounts.verifyEmail': { awaited: ['accounts.me', 'accounts.sessions'] },
  'accounts.resetPassword': OWN_ACCOUNT,
  'accounts.updateProfile': OWN_ACCOUNT,
  // Signs out every other browser, and drops a new address that is not confirmed yet.
  'accounts.changePassword': { awaited: ['accounts.sessions', 'accounts.me'] },
  'accounts.startSecondFactor': NOTHING,
  'accounts.confirmSecondFactor': NOTHING,
  'accounts.enableSecondFactor': { awaited: ['accounts.secondFactor', 'accounts.sessions', 'accounts.me'] },
  'accounts.renewRecoveryCodes': SECOND_FACTOR,
  'accounts.disableSecondFactor': SECOND_FACTOR,
  'accounts.startPasskeyCheck': NOTHING,
  'accounts.startPasskey': NOTHING,
  'accounts.addPasskey': PASSKEYS,
  'accounts.renamePasskey': PASSKEYS,
  'accounts.removePasskey': PASSKEYS,
  'accounts.endSession': SESSIONS,
  'accounts.endOtherSessions': SESSIONS,

  'admin.setUserStatus': MODERATION,
  'admin.resetSecondFactor': { awaited: ['admin.users'], background: ['admin.auditLog'] },
  'admin.settleDebt': { awaited: ['admin.debts'], background: ['admin.auditLog'] },
  'admin.submitSitemap': NOTHING,

  'claims.open': CLAIM,
  'claims.withdraw': CLAIM,
  'claims.answer': CLAIM,
  'claims.uploadPicture': NOTHING,
  'claims.decide': CLAIM,

  'bids.buy': BID,
  'bids.counter': BID,
  'bids.place': BID,
  'bids.setStatus': BID,

  'away.set': { awaited: ['away'], background: ['exchanges', 'bids', 'profiles', 'matches'] },

  'blocks.add': BLOCK,
  'blocks.remove': BLOCK,

  'coupons.create': WRITTEN_COUPON,
  'coupons.update': WRITTEN_COUPON,
  'coupons.remove': WRITTEN_COUPON,
  'coupons.save': { awaited: ['coupons.saved'] },
  'coupons.unsave': { awaited: ['coupons.saved'] },
  'coupons.reveal': NOTHING,
  'coupons.giveFeedback': { awaited: ['coupons.feedback'] },
  // Touches a listed coupon only, and only by some answers: see `useValidate`.
  'coupons.validate': NOTHING,

  // The answer is set by hand: a list in another order would move under the reader's eyes.
  'discover.giveFeedback': NOTHING,
  'discover.import': { background: ['coupons.mine'] },
  'discover.importAll': { awaited: ['discover'], background: ['coupons.mine'] },

  'exchanges.propose': EXCHANGE,
  'exchanges.counter': EXCHANGE,
  'exchanges.revise': EXCHANGE,
  // The viewer's own count of successful exchanges, too.
  'exchanges.setStatus': { ...EXCHANGE, background: [...COUPONS, ...NEWS, 'matches', 'accounts.me'] },

  'images.upload': NOTHING,
  'pictures.upload': NOTHING,
  'images.extractCode': NOTHING,

  'paymentIssues.retry': PAYMENT_ISSUE,
  'paymentIssues.note': PAYMENT_ISSUE,
  'paymentIssues.handle': PAYMENT_ISSUE,
  'paymentIssues.refund': { awaited: ['paymentIssues'], background: ['admin', ...COUPONS, ...NEWS, 'bids'] },

  'matches.dismiss': { awaited: ['matches'] },
  'matches.propose': { awaited: ['matches', 'exchanges'], background: [...COUPONS, ...NEWS] },

  'messages.send': { background: ['messages.conversations'] },
  // The notifications of these messages are read with them.
  'messages.markRead': { background: ['messages.conversations', 'messages.unreadCount', ...UNREAD] },

  'moderation.report': NOTHING,
  'moderation.removePicture': MODERATION,
  'moderation.decideCoupons': MODERATION,
  'moderation.review': MODERATION,

  'notifications.markRead': READ_NOTIFICATIONS,
  'notifications.markAllRead': READ_NOTIFICATIONS,
  'notifications.setPreference': { awaited: ['notifications.preferences'], evenIfFailed: true },
  'notifications.unsubscribe': { background: ['notifications.preferences'] },

  // The page that shows the result calls `payments.refresh`.
  'payments.createIntent': NOTHING,
  'payments.payWithCard': NOTHING,
  'payments.createPaypalOrder': NOTHING,
  'payments.capturePaypalOrder': NOTHING,
  'payments.receiveEvent': NOTHING,
  // The payment may have saved a card.
  'payments.refresh': {
    ...PAYMENT,
    background: [...COUPONS, ...NEWS, 'payments.paymentMethods'],
    evenIfFailed: true,
  },
  'payments.confirmReceipt': PAYMENT,
  'payments.openClaim': PAYMENT,
  'payments.withdrawClaim': PAYMENT,
  'payments.decideClaim': PAYMENT,
  'payments.removePaymentMethod': CARDS,
  'payments.setDefaultPaymentMethod': CARDS,

  'ratings.create': { awaited: ['ratings'], background: ['profiles', 'leaderboard'] },

  // Leads to the provider's pages; accounts are refetched at every visit.
  'sellers.createAccountLink': NOTHING,
  'sellers.createPaypalOnboardingLink': NOTHING,

  'wants.create': WANT,
  'wants.update': WANT,
  'wants.pause': WANT,
  'wants.remove': WANT,
  // The new ones stay marked until the next visit.
  'wants.look': NOTHING,
};

/** Every change of a deal, and every find and match, makes these stale. */
const DEALS: readonly Touched[] = [
  ...NEWS,
  'wants',
  'matches',
  ...COUPONS,
  'exchanges',
  'claims',
  'bids',
  'messages.conversation',
  'messages.conversations',
];

/** The queries that show a deal's messages. */
export function threadOf({ dealType, dealId }: DealRef): readonly Touched[] {
  const deal = { dealType, dealId };
  return [['messages.list', deal], ['messages.conversation', deal], 'messages.conversations'];
}

/** The queries that a live event makes stale. */
export function touchedBy(event: LiveEvent): readonly Touched[] {
  switch (event.kind) {
    case 'message':
    case 'read':
      return [...threadOf(event), 'messages.unreadCount'];
    case 'notification':
      return DEALS;
    case 'match':
      return ['matches'];
    case 'account':
      return ['accounts.me', 'accounts.confirmationMail', 'coupons.mine'];
    case 'polling':
    case 'resync':
      return [...DEALS, 'messages', 'accounts.me'];
  }
}
