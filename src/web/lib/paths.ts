/** Every address of the product, so that none is spelled twice. */
export const paths = {
  home: '/',
  discover: '/discover',
  validateCoupon: '/validate-coupon',
  auth: '/auth',
  myCoupons: '/my-coupons',
  exchanges: '/exchanges',
  myBids: '/my-bids',
  paymentComplete: '/payment-complete',
  sellerOnboarding: '/seller-onboarding',
  profileSettings: '/profile-settings',
  claims: '/claims',
  messages: '/messages',
  exchangeMessages: (id: number) => `/messages?exchange=${id}`,
  bidMessages: (id: number) => `/messages?bid=${id}`,
  leaderboard: '/leaderboard',
  profile: '/profile',
  /** A person as anybody may see them. */
  user: (id: number) => `/users/${id}`,
  admin: '/admin',
  adminReports: '/admin-reports',
  howItWorks: '/how-it-works',
  terms: '/terms',
  privacyPolicy: '/privacy-policy',
  acceptableUsePolicy: '/acceptable-use-policy',
  forgotPassword: '/forgot-password',
  /** Where the mailed links lead: `?token=`. */
  resetPassword: '/reset-password',
  verifyEmail: '/verify-email',
  unsubscribe: '/unsubscribe',
  notifications: '/notifications',
  transactionLogs: '/transaction-logs',
  coupon: (id: number) => `/coupons/${id}`,
  exchange: (id: number) => `/exchanges?exchange=${id}`,
  /** A coupon's page, with the dialog that proposes an exchange for it. */
  exchangeFor: (couponId: number) => `/coupons/${couponId}?exchange=1`,
  bid: (id: number) => `/my-bids?bid=${id}`,
  /** A coupon's page, with the dialog that places a bid on it. */
  bidFor: (couponId: number) => `/coupons/${couponId}?bid=1`,
  /** A coupon's page, with the dialog that checks its code. */
  validateFor: (couponId: number) => `/coupons/${couponId}?validate=1`,
  checkout: (bidId: number) => `/checkout/${bidId}`,
  /** Sign-in that comes back to `from` afterwards. */
  authFrom: (from: string) => `/auth?from=${encodeURIComponent(from)}`,
  register: '/auth?tab=register',
  addCoupon: '/my-coupons?add=1',
  savedCoupons: '/my-coupons?tab=saved',
  /** Own coupons of a merchant. */
  myCouponsOf: (merchant: string) => `/my-coupons?q=${encodeURIComponent(merchant)}`,
  myCoupon: (id: number) => `/my-coupons?coupon=${id}`,
} as const;

/**
 * Where to go after signing in: an address of this site, never another one's. Judged as the browser reads it:
 * it drops tabs and line breaks, takes a backslash for a slash, and resolves '/./'.
 */
export function returnPath(from: string | null): string {
  if (!from?.startsWith('/') || !URL.canParse(from, window.location.origin)) return paths.home;
  const { origin, pathname, search, hash } = new URL(from, window.location.origin);
  const isElsewhere = origin !== window.location.origin || pathname.startsWith('//');
  // The sign-in page sends on whoever is signed in: as a goal it would go round in circles.
  return isElsewhere || pathname === paths.auth ? paths.home : pathname + search + hash;
}
