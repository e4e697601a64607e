import { TEXTS } from './texts.ts';

/** A page of the web application, as search engines and previews of links know it. */
export interface WebPage {
  /** In React Router's notation; at most one parameter. */
  readonly path: string;
  /** What the page calls itself, without the product's name. */
  readonly title: string;
  readonly description: string;
  /** Whether anybody may read it (decisions 6.1), and search engines may keep it. */
  readonly isPublic: boolean;
}

const PRODUCT = 'ClipSwap';

const DEFAULT_DESCRIPTION =
  'Swap the discount coupons you will not use for ones you will. Free, fair, and nobody sees your code before the deal is done.';

const open = (path: string, title: string, description: string): WebPage => ({
  path,
  title,
  description,
  isPublic: true,
});

const closed = (path: string, title: string): WebPage => ({
  path,
  title,
  description: DEFAULT_DESCRIPTION,
  isPublic: false,
});

/** Every address of the web application that stands for a page. */
export const WEB_PAGES: readonly WebPage[] = [
  open('/', PRODUCT, DEFAULT_DESCRIPTION),
  open('/coupons/:id', 'Coupon', DEFAULT_DESCRIPTION),
  open('/users/:id', 'Profile', DEFAULT_DESCRIPTION),
  open(
    '/how-it-works',
    'How It Works',
    'How swapping, bidding and buying coupons works on ClipSwap, what it costs, and how codes and payments are kept safe.',
  ),
  open(
    '/leaderboard',
    'Leaderboard',
    'Who swaps, sells and verifies the most coupons on ClipSwap, and whom others rate best.',
  ),
  open(
    '/validate-coupon',
    'Validate Coupon',
    'Check whether a coupon code works: type it in, or upload a picture of its QR code or barcode.',
  ),
  open(
    '/terms',
    'Terms and Conditions',
    'What you and ClipSwap agree on when you swap, sell and buy coupons here.',
  ),
  open('/privacy-policy', 'Privacy Policy', 'What ClipSwap keeps about you, what for, and for how long.'),
  open(
    '/acceptable-use-policy',
    'Acceptable Use Policy',
    'What is welcome on ClipSwap, what is not, and what happens to those who do not keep to it.',
  ),

  closed('/auth', `Welcome to ${PRODUCT}`),
  closed('/forgot-password', 'Forgot your password?'),
  closed('/reset-password', 'Set a new password'),
  closed('/verify-email', 'Your e-mail address'),
  closed('/unsubscribe', `E-mails from ${PRODUCT}`),
  closed('/discover', 'Discover'),
  closed('/my-coupons', 'My Coupons'),
  closed('/exchanges', 'Exchanges'),
  closed('/my-bids', 'Bids'),
  closed('/messages', 'Messages'),
  closed('/checkout/:bidId', 'Checkout'),
  closed('/payment-complete', 'Payment'),
  closed('/notifications', 'Notifications'),
  closed('/transaction-logs', 'Transaction History'),
  closed('/profile', 'Profile'),
  closed('/profile-settings', 'Profile Settings'),
  closed('/seller-onboarding', 'Seller onboarding'),
  closed('/claims', 'Claims'),
  closed('/admin', 'Admin Dashboard'),
  closed('/admin-reports', 'User reports'),
];

/** What stands at an address where there is no page. */
export const NOT_FOUND_PAGE = closed('*', TEXTS.notFound.heading);

/** What the browser's tab says: 'Leaderboard · ClipSwap'. */
export function documentTitle(title: string): string {
  return title === PRODUCT ? title : `${title} · ${PRODUCT}`;
}

const PATTERNS = WEB_PAGES.map((page) => ({
  page,
  // As React Router compares: without regard to case, and to a slash at the end.
  pattern: new RegExp(`^${page.path.replace(/:\w+/, '([^/]+)').replace(/\/$/, '')}/*$`, 'i'),
}));

/** The page at a path, and its parameter; null where there is none. */
export function findWebPage(pathname: string): { page: WebPage; parameter: string | null } | null {
  for (const { page, pattern } of PATTERNS) {
    const match = pattern.exec(pathname);
    if (match) return { page, parameter: match[1] ?? null };
  }
  return null;
}
