import type { FEED_NETWORKS, VALIDATOR_SOURCES } from '#contract/oversight/sources.ts';

/** The names of companies, which no language changes. */
export const NETWORK_NAMES: Record<(typeof FEED_NETWORKS)[number], string> = {
  awin: 'Awin',
  rakuten: 'Rakuten',
  cj: 'CJ',
  couponapi: 'CouponAPI',
  linkmydeals: 'LinkMyDeals',
  fmtc: 'FMTC',
  admitad: 'Admitad',
  google: 'Google',
};

export const VALIDATOR_NAMES: Record<(typeof VALIDATOR_SOURCES)[number], string> = {
  voucherify: 'Voucherify',
  coupontools: 'Coupontools',
  aklamio: 'Aklamio',
};
