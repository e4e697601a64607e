import { t } from '@lingui/core/macro';
import type { DealType } from '#contract/deals/deals.ts';
import type { UserRole } from '#contract/people/roles.ts';
import type { PaymentProviderName } from '#contract/people/sellers.ts';
import { marketName } from './market.ts';
import type { SettingsPage, SettingsSection } from './settings-sections.ts';
import { SHELL_TEXTS } from './shell-texts.ts';

/** A page of the web application: for its router, its links, search engines and link previews. */
export interface WebPage<Path extends string = string> {
  /** In React Router's notation, with at most one parameter. */
  readonly path: Path;
  /** The name of the page, without the product's name. */
  readonly title: () => string;
  /** The name of its link in the header, the menus and the footer. */
  readonly label: () => string;
  /** Whether search engines may index it. */
  readonly isPublic: boolean;
  /** Everybody may open it, or signed-in people with at least this role (decisions 5.3, 6.1). */
  readonly access: 'everybody' | UserRole;
}

function page<const Path extends string>(
  path: Path,
  title: () => string,
  more: Partial<WebPage> = {},
): WebPage<Path> {
  return {
    label: title,
    isPublic: false,
    access: 'everybody',
    ...more,
    path,
    title,
  };
}

const open = { isPublic: true };
const members = { access: 'user' } as const;
const moderators = { access: 'moderator' } as const;

const welcome = () => t`Welcome to ${{ market: marketName() }}`;

/** Every page of the web application. The router, the links and the sitemap are made from this table. */
export const PAGES = {
  home: page('/', marketName, { ...open, label: () => t`Explore` }),
  coupon: page('/coupons/:id', () => t`Coupon`, open),
  user: page('/users/:id', () => t`Profile`, open),
  merchant: page('/merchants/:name', () => t`Merchant`, open),
  howItWorks: page('/how-it-works', () => t`How It Works`, open),
  leaderboard: page('/leaderboard', () => t`Leaderboard`, open),
  validateCoupon: page('/validate-coupon', () => t`Validate Coupon`, { ...open, label: () => t`Validate` }),
  terms: page('/terms', () => t`Terms and Conditions`, { ...open, label: () => t`Terms` }),
  privacyPolicy: page('/privacy-policy', () => t`Privacy Policy`, { ...open, label: () => t`Privacy` }),
  acceptableUsePolicy: page('/acceptable-use-policy', () => t`Acceptable Use Policy`, {
    ...open,
    label: () => t`Acceptable Use`,
  }),

  risks: page('/risks', () => t`Risks`, open),
  openBooks: page('/open-books', () => t`Open books`, open),
  proofs: page('/proofs', () => t`Proofs`, open),
  marketDay: page('/market-days/:day', () => t`Market day`),
  developers: page('/developers', () => t`For programs and assistants`, open),

  auth: page('/auth', welcome),
  identity: page('/auth/provider', welcome),
  forgotPassword: page('/forgot-password', () => t`Forgot your password?`),
  resetPassword: page('/reset-password', () => t`Set a new password`),
  notMe: page('/not-me', () => t`Take your account back`),
  verifyEmail: page('/verify-email', () => t`Your email address`),
  defend: page('/defend', () => t`Your deals`),
  unsubscribe: page('/unsubscribe', () => t`Emails from ${{ market: marketName() }}`),

  discover: page('/discover', () => t`Discover`, members),
  myCoupons: page('/my-coupons', () => t`My Coupons`, members),
  addMany: page('/add-coupons', () => t`Add many coupons`, members),
  deals: page('/deals', () => t`Deals`, members),
  exchanges: page('/exchanges', () => t`Exchanges`, members),
  myBids: page('/my-bids', () => t`Bids`, members),
  wants: page('/wants', () => t`Wish list`, members),
  matches: page('/matches', () => t`Matches`, members),
  messages: page('/messages', () => t`Messages`, members),
  checkout: page('/checkout/:bidId', () => t`Checkout`, members),
  paymentComplete: page('/payment-complete', () => t`Payment`, members),
  assistantRequest: page('/assistant-requests/:id', () => t`Your assistant asks`, members),
  authorize: page('/oauth/authorize', () => t`Connect an assistant`, members),
  notifications: page('/notifications', () => t`Notifications`, members),
  transactionLogs: page('/transaction-logs', () => t`Transaction History`, {
    ...members,
    label: () => t`Transaction Logs`,
  }),
  profile: page('/profile', () => t`Profile`, members),
  // The page itself tells visitors that it is for members (spec/3 section 3).
  profileSettings: page('/profile-settings', () => t`Profile Settings`, { label: () => t`Settings` }),
  sellerOnboarding: page('/seller-onboarding', () => t`Seller onboarding`, {
    ...members,
    label: () => t`Get paid`,
  }),
  saleReceipt: page('/sales/:id', () => t`Receipt`, members),
  sellerStatement: page('/seller-statement', () => t`Monthly statement`, members),
  claims: page('/claims', () => t`Claims`, moderators),
  admin: page('/admin', () => t`Admin Dashboard`, { access: 'admin' }),
  adminReports: page('/admin-reports', () => t`User reports`, { ...moderators, label: () => t`Reports` }),
} as const;

export type PageName = keyof typeof PAGES;

export const WEB_PAGES: readonly WebPage[] = Object.values(PAGES);

/** The page shown for unknown addresses. */
export const NOT_FOUND_PAGE = page('*', SHELL_TEXTS.notFound.heading);

/** The address of a page: a value whose name is a path parameter replaces it, the others become the query. */
function href({ path }: WebPage, values: Readonly<Record<string, string | number>>): string {
  let filled = path;
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (path.includes(`:${name}`)) filled = filled.replace(`:${name}`, String(value));
    else query.set(name, String(value));
  }
  return query.size > 0 ? `${filled}?${query}` : filled;
}

/** The paths of the pages without a parameter. */
type PlainPaths = {
  readonly [Name in PageName as (typeof PAGES)[Name]['path'] extends `${string}:${string}`
    ? never
    : Name]: (typeof PAGES)[Name]['path'];
};

/** Every link to a page or to a dialog on it, for the screens, notifications and mails. */
export const paths = {
  ...(Object.fromEntries(Object.entries(PAGES).map(([name, { path }]) => [name, path])) as PlainPaths),
  /** What protects people in their deals. */
  protection: `${PAGES.howItWorks.path}#protection`,
  coupon: (id: number) => href(PAGES.coupon, { id }),
  /** A coupon's page with the dialog to propose an exchange. */
  exchangeFor: (couponId: number) => href(PAGES.coupon, { id: couponId, exchange: 1 }),
  /** A coupon's page with the dialog to place a bid. */
  bidFor: (couponId: number) => href(PAGES.coupon, { id: couponId, bid: 1 }),
  /** A coupon's page with the dialog to buy it at its asking price. */
  buyFor: (couponId: number) => href(PAGES.coupon, { id: couponId, buy: 1 }),
  /** A coupon's page with the dialog to check its code. */
  validateFor: (couponId: number) => href(PAGES.coupon, { id: couponId, validate: 1 }),
  /** The receipt or the fee statement of a sale. */
  saleReceipt: (paymentId: number) => href(PAGES.saleReceipt, { id: paymentId }),
  /** What waits for an admin. */
  adminMoney: href(PAGES.admin, { tab: 'money' }),
  /** A payment's file on the admin's Money tab. */
  adminPayment: (payment: number) => href(PAGES.admin, { tab: 'money', payment }),
  marketDay: (day: string) => href(PAGES.marketDay, { day }),
  user: (id: number) => href(PAGES.user, { id }),
  /** What an assistant asks its person to confirm. */
  assistantRequest: (id: number) => href(PAGES.assistantRequest, { id }),
  merchant: (name: string) => href(PAGES.merchant, { name: encodeURIComponent(name) }),
  /** The public codes of a merchant. */
  publicCodes: (merchant: string) => href(PAGES.discover, { merchant }),
  checkout: (bidId: number) => href(PAGES.checkout, { bidId }),
  /** The deals about which there is, or was, a claim. */
  claimedDeals: href(PAGES.deals, { only: 'claims' }),
  exchange: (id: number) => href(PAGES.exchanges, { exchange: id }),
  requestedExchanges: href(PAGES.exchanges, { tab: 'requested' }),
  bid: (id: number) => href(PAGES.myBids, { bid: id }),
  /** A deal with the dialog in which the giver of a coupon answers the claim about it. */
  answerClaim: (dealType: DealType, dealId: number, couponId: number) =>
    href(dealType === 'bid' ? PAGES.myBids : PAGES.exchanges, { [dealType]: dealId, answer: couponId }),
  thread: (dealType: DealType, dealId: number) => href(PAGES.messages, { [dealType]: dealId }),
  /** The coupons of a category, on the home page. */
  category: (category: string) => href(PAGES.home, { category }),
  /** The home page with the dialog to add a coupon. */
  addCouponAtHome: href(PAGES.home, { add: 1 }),
  addCoupon: href(PAGES.myCoupons, { add: 1 }),
  /** The dialog to add a coupon, with the file that another application has shared. */
  addShared: href(PAGES.myCoupons, { add: 'shared' }),
  /** The page for many coupons, with what another application has shared. */
  addManyShared: href(PAGES.addMany, { shared: 1 }),
  /** The rows of codes that were scanned in the dialog before. */
  addManyScanned: href(PAGES.addMany, { scanned: 1 }),
  savedCoupons: href(PAGES.myCoupons, { tab: 'saved' }),
  myCoupon: (id: number) => href(PAGES.myCoupons, { coupon: id }),
  /** The caller's coupons from a merchant. */
  myCouponsOf: (merchant: string) => href(PAGES.myCoupons, { q: merchant }),
  settingsPage: (tab: SettingsPage) => href(PAGES.profileSettings, { tab }),
  /** A section of the settings, on its page. */
  settings: (section: SettingsSection) => `${PAGES.profileSettings.path}#${section}`,
  register: href(PAGES.auth, { tab: 'register' }),
  /** The sign-in page, which returns to `from` afterwards. */
  authFrom: (from: string) => href(PAGES.auth, { from }),
  /** The sign-in page for somebody new. */
  registerFrom: (from: string) => href(PAGES.auth, { tab: 'register', from }),
  /** The page for a mailed link. @param from the path to go to afterwards */
  mailed: (
    name: 'resetPassword' | 'notMe' | 'verifyEmail' | 'defend' | 'unsubscribe',
    token: string,
    from: string | null = null,
  ) => href(PAGES[name], { token, ...(from !== null && { from }) }),
  /** The result page of a bid's payment; `how` names the provider to ask for it. */
  paymentResult: (
    bidId: number,
    how: { readonly paypal?: 1; readonly payment_intent_client_secret?: string } = {},
  ) => href(PAGES.paymentComplete, { bid: bidId, ...how }),
  /** The page that a payment provider sends a seller back to; `refresh`: the provider's link had expired. */
  sellerReturn: (kind: 'returned' | 'refresh', provider: PaymentProviderName) =>
    href(PAGES.sellerOnboarding, { [kind]: provider }),
} as const;

/** The title of the browser tab: 'Leaderboard · ClipSwap'. */
export function documentTitle(title: string): string {
  const market = marketName();
  return title === market ? title : `${title} · ${market}`;
}

const PATTERNS = WEB_PAGES.map((page) => ({
  page,
  // Like React Router, ignores case and slashes at the end.
  pattern: new RegExp(`^${page.path.replace(/:\w+/, '([^/]+)').replace(/\/$/, '')}/*$`, 'i'),
}));

/** The page at a path and its parameter; null if there is none. */
export function findWebPage(pathname: string): { page: WebPage; parameter: string | null } | null {
  for (const { page, pattern } of PATTERNS) {
    const match = pattern.exec(pathname);
    if (match) return { page, parameter: match[1] ?? null };
  }
  return null;
}
