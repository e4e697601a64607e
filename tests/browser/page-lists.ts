import type { Actor } from '#server/context/context.ts';
import { createUser } from '#tests/support/builders.ts';
import { shortOrLong } from '#tests/support/rounds.ts';
import { insertAcceptedBid, insertHeldSale } from '#tests/support/sales.ts';
import type { Site } from './site.ts';

/** The addresses of every page, for tests that walk through them all. */

const TOKEN = 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa';

export const PUBLIC_PAGES = [
  '/',
  '/coupons/1',
  '/users/1',
  '/merchants/Blue%20Kettle%20Coffee',
  '/auth',
  '/auth?tab=register',
  '/auth/provider',
  '/forgot-password',
  `/reset-password?token=${TOKEN}`,
  `/verify-email?token=${TOKEN}`,
  `/unsubscribe?token=${TOKEN}`,
  `/not-me?token=${TOKEN}`,
  `/defend?token=1.1.${TOKEN}`,
  '/validate-coupon',
  '/leaderboard',
  '/how-it-works',
  '/proofs',
  '/open-books',
  '/market-days/2035-06-14',
  '/developers',
  '/terms',
  '/no-such-page',
  '/?q=coffee&sort=value-high',
];

/** The pages with kept pictures, and the names of these. None shows a chart, whose words browsers place a little differently. */
export const LOOKS = {
  '/': 'home',
  '/coupons/1': 'coupon',
  '/users/1': 'person',
  '/auth': 'sign-in',
  '/leaderboard': 'leaderboard',
  '/no-such-page': 'not-found',
  '/?q=coffee&sort=value-high': 'search',
};
export const MEMBER_LOOKS = {
  '/deals': 'deals',
  '/messages?exchange=1': 'messages',
  '/profile-settings': 'settings',
};
/** By what `insertPurchases` names them. */
export const PURCHASE_LOOKS = { checkout: 'checkout', sale: 'sale' };
export const ADMIN_LOOKS = {
  '/admin': 'admin',
  '/admin-reports': 'admin-reports',
  '/claims': 'claims',
  '/my-coupons': 'no-coupons',
};

/** Of all pages, those of each kind. */
export const FRENCH_PAGES = [
  '/',
  '/coupons/1',
  '/auth?tab=register',
  '/validate-coupon',
  '/leaderboard',
  '/how-it-works',
  '/proofs',
  '/open-books',
  '/developers',
  '/terms',
];
export const FRENCH_MEMBER_PAGES = [
  '/my-coupons',
  '/discover',
  '/deals',
  '/messages?exchange=1',
  '/profile-settings?tab=me',
  '/profile-settings?tab=safety',
  '/profile-settings?tab=messages',
  '/profile-settings?tab=programs',
  '/matches',
];

/** Built like others: the long form has them, too. */
export const TWINS = [
  '/coupons/999999',
  '/users/999999',
  '/leaderboard?tab=ratings',
  '/privacy-policy',
  '/risks',
  '/acceptable-use-policy',
  '/profile-settings',
];

export const MEMBER_PAGES = [
  '/',
  '/my-coupons',
  '/discover',
  '/deals',
  '/exchanges',
  '/my-bids',
  '/messages?exchange=1',
  '/profile',
  '/profile-settings',
  '/profile-settings?tab=safety',
  '/profile-settings?tab=messages',
  '/profile-settings?tab=programs',
  '/seller-onboarding',
  '/seller-statement',
  '/payment-complete',
  '/wants',
  '/matches',
  '/notifications',
  '/transaction-logs',
];
/** Built like others, or like what visitors see: the long form has them, too. */
export const MEMBER_TWINS = [
  '/add-coupons',
  '/validate-coupon',
  '/leaderboard',
  '/my-coupons?tab=saved',
  '/exchanges?tab=received',
  '/my-bids?tab=received',
  '/messages',
  '/profile?tab=activity',
  // Members get the not-found page here.
  '/admin',
];
export const ADMIN_PAGES = [
  '/admin',
  '/admin?tab=money',
  '/admin?tab=activity',
  '/admin?tab=seo',
  '/admin?tab=people',
  '/admin?tab=system',
  '/admin-reports',
  ...shortOrLong([], ['/admin-reports?status=all']),
  '/claims',
  // An empty list.
  '/my-coupons',
];

/** Dialogs that an address opens, and the names of their kept pictures. The first exchange of the demo is the member's. */
export const DIALOGS = [
  ['/my-coupons?add=1', 'add-coupon'],
  ['/exchanges?exchange=1', 'exchange'],
] as const;

/** The demo's busiest person. */
export async function busiestMember(site: Site): Promise<Actor> {
  const people = (await site.trpc(null, 'query', 'accounts.demoPeople')).json();
  const busiest = await site.ctx.db
    .selectFrom('users')
    .select(['id', 'username', 'createdAt as memberSince'])
    .where('username', '=', people.result.data[0].username)
    .executeTakeFirstOrThrow();
  return { ...busiest, role: 'user', status: 'active', isConfirmed: true, isEstablished: true };
}

/** A bid that a member has to pay, and one that they have paid. @returns the addresses of checkout, sale and receipt */
export async function insertPurchases(site: Site, member: Actor) {
  const seller = await createUser(site.ctx, { username: 'olga' });
  const at = site.ctx.clock();
  await site.ctx.db
    .insertInto('sellerAccounts')
    .values({
      userId: seller.id,
      provider: 'stripe',
      accountRef: 'acct_ready',
      isReady: true,
      createdAt: at,
      updatedAt: at,
    })
    .execute();
  const id = await insertAcceptedBid(site.ctx, member, seller);
  const { bidId, paymentId } = await insertHeldSale(site.ctx, member, seller);
  // Their own names count what the process has made.
  await site.ctx.db
    .updateTable('coupons')
    .set({ title: 'Two coffees for one' })
    .where('title', 'like', 'Test coupon %')
    .execute();
  return { checkout: `/checkout/${id}`, sale: `/my-bids?bid=${bidId}`, receipt: `/sales/${paymentId}` };
}
