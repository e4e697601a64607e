import type { LiveEvent } from '#contract/base/live.ts';
import type { DealRef } from '#contract/deals/deals.ts';
import type { MutationPath, Touched } from './trpc.ts';

/** The queries that a mutation makes stale. */
export interface Touches {
  /** The mutation is pending until those of these that are on screen are refreshed. */
  readonly awaited: readonly Touched[];
  /** Refreshed in the background; left out: everything else. */
  readonly background?: readonly Touched[];
}

const COUPONS = ['coupons.list', 'coupons.byId', 'coupons.mine', 'coupons.saved', 'coupons.askable'] as const;
const UNREAD = ['notifications.list', 'notifications.unreadCount'] as const;
const NEWS = [...UNREAD, 'notifications.transactionLogs'] as const;

const NOTHING: Touches = { awaited: [], background: [] };
// Both sides of a claim, and of a sale, see it with the deal on screen.
const SALE: Touches = { awaited: ['bids', 'claims', 'deals'] };
const READ_NOTIFICATIONS: Touches = { awaited: UNREAD, background: [] };

/**
 * The mutations with rules of their own. Every other one refreshes its own router's queries first, then everything else in
 * the background.
 */
export const EXCEPTIONS: Readonly<Partial<Record<MutationPath, Touches>>> = {
  // The page is loaded anew, or the viewer is set by hand.
  'accounts.register': NOTHING,
  'accounts.login': NOTHING,
  'accounts.startDefence': NOTHING,
  'accounts.startPasskeySignIn': NOTHING,
  'accounts.loginWithPasskey': NOTHING,
  'accounts.logout': NOTHING,
  'accounts.deleteAccount': NOTHING,
  'accounts.chooseLanguage': NOTHING,

  // They change nothing that is read by a query.
  'accounts.proposeUsername': NOTHING,
  'claims.uploadPicture': NOTHING,
  'coupons.readTable': NOTHING,
  'coupons.readTableFile': NOTHING,
  'coupons.reveal': NOTHING,
  'coupons.keepCodes': NOTHING,
  'coupons.reportViews': NOTHING,
  'images.extractCode': NOTHING,
  'images.extractFacts': NOTHING,
  'images.upload': NOTHING,
  'pictures.upload': NOTHING,
  'proofs.check': NOTHING,
  'proofs.issue': NOTHING,
  // Only the time of the last run is kept.
  'operations.checks': { awaited: ['admin.health'], background: [] },
  // A listed coupon, and only by some answers: see `useValidate`.
  'coupons.validate': NOTHING,
  // The new ones stay marked until the next visit.
  'wants.look': NOTHING,
  // They lead to the provider's pages.
  'sellers.createAccountLink': NOTHING,
  'sellers.createPaypalOnboardingLink': NOTHING,
  // The page that shows the result calls `payments.refresh`.
  'deposits.createIntent': NOTHING,
  'payments.createIntent': NOTHING,
  'payments.payWithCard': NOTHING,
  'payments.createPaypalOrder': NOTHING,
  'payments.capturePaypalOrder': NOTHING,

  'deposits.refresh': { awaited: ['exchanges', 'deals'] },

  'claims.open': SALE,
  'claims.withdraw': SALE,
  'claims.answer': SALE,
  'claims.appeal': SALE,
  'claims.decide': SALE,
  'payments.refresh': SALE,
  'payments.confirmReceipt': SALE,
  'payments.openClaim': SALE,
  'payments.withdrawClaim': SALE,
  'payments.decideClaim': SALE,

  'blocks.add': { awaited: ['blocks', 'profiles'] },
  'blocks.remove': { awaited: ['blocks', 'profiles'] },

  // The page of the deleted coupon may still be on screen.
  'coupons.remove': { awaited: ['coupons.list', 'coupons.mine'], background: ['exchanges', 'matches'] },
  'coupons.save': { awaited: ['coupons.saved'], background: [] },
  'coupons.unsave': { awaited: ['coupons.saved'], background: [] },

  // The answer is set by hand: a list in another order would move under the reader's eyes.
  'discover.giveFeedback': NOTHING,
  'discover.import': { awaited: [], background: ['coupons.mine'] },
  'discover.importAll': { awaited: ['discover'], background: ['coupons.mine'] },

  'messages.send': { awaited: [], background: ['messages.conversations'] },
  // The notifications of these messages are read with them.
  'messages.markRead': {
    awaited: [],
    background: ['messages.conversations', 'messages.unreadCount', ...UNREAD],
  },
  'notifications.markRead': READ_NOTIFICATIONS,
  'notifications.markAllRead': READ_NOTIFICATIONS,
};

/** Every change of a deal, and every find and match, makes these stale. */
const DEALS: readonly Touched[] = [
  ...NEWS,
  'drafts',
  'wants',
  'matches',
  ...COUPONS,
  'deals',
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
