import type { OwnFeed, OwnValidator } from '#contract/oversight/sources.ts';

export const aFeed: OwnFeed = {
  name: 'Deals',
  url: 'https://192.0.2.1/feed.csv',
  format: 'csv',
  network: null,
  merchant: null,
  currency: null,
  everyHours: 6,
  more: {},
  isPaused: false,
};

export const aValidator: OwnValidator = {
  name: 'Corner Coffee',
  source: 'voucherify',
  baseUrl: 'https://api.voucherify.io',
  merchants: ['Corner Coffee'],
  appId: 'app',
  currency: null,
  checksPerDay: 100,
  more: {},
  isPaused: false,
};

/** Valid inputs of the calls about feeds and validators. */
export const SOURCE_INPUTS = {
  'sources.putFeed': { feed: aFeed, isNew: true, follows: null },
  'sources.tryFeed': { feed: aFeed },
  'sources.removeFeed': { name: 'Nothing', follows: null },
  'sources.putValidator': { validator: aValidator, isNew: true, follows: null },
  'sources.tryValidator': { validator: aValidator, merchant: 'Corner Coffee', code: 'LATTE-1' },
  'sources.removeValidator': { name: 'Nothing', follows: null },
};
