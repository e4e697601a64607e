import type { FEED_NETWORKS } from '#contract/oversight/sources.ts';

/** The fields of an offer, under our names. */
export const FIELDS = [
  'merchant',
  'code',
  'title',
  'description',
  'start',
  'end',
  /** Start and end in one: `start/end`. */
  'period',
  'terms',
  'url',
  'image',
  'status',
  'percentOff',
  'amountOff',
  'discount',
  'discountType',
  'currency',
  'regions',
] as const;
export type Field = (typeof FIELDS)[number];

/** Where to find each field: names or dotted paths; the first that is not blank counts. */
export type Aliases = Partial<Record<Field, readonly string[]>>;

/** The form of one network's feeds. */
export interface Preset {
  readonly fields: Aliases;
  /** Where the rows are, in JSON and XML: dotted paths; the first that exists counts. */
  readonly lists: readonly string[];
  /** The page number's parameter in the address or, with dots, in the body; null if there are no pages. */
  readonly pageParameter: string | null;
  /** Whether 03/04/2030 is in April; missing where its documentation names no such dates. */
  readonly isDayFirst?: boolean;
}

export type Network = (typeof FEED_NETWORKS)[number];

/** Names that most feeds use; case, spaces, dashes and underscores are ignored. */
export const COMMON_FIELDS: Required<Aliases> = {
  merchant: [
    'merchant',
    'merchant name',
    'merchant.name',
    'store',
    'store name',
    'shop',
    'brand',
    'advertiser',
    'advertiser.name',
    'advertiser name',
    'seller.name',
    'seller',
    'offeredBy.name',
    'offeredBy',
  ],
  code: [
    'code',
    'coupon code',
    'voucher code',
    'promo code',
    'promotion code',
    'discount code',
    'voucher.code',
  ],
  title: ['title', 'name', 'label', 'offer title'],
  description: ['description', 'long description', 'short description', 'offer description'],
  start: ['start date', 'start', 'starts', 'valid from'],
  end: [
    'end date',
    'end',
    'ends',
    'expiry date',
    'expiration date',
    'expires',
    'expiry',
    'valid until',
    'valid to',
    'valid through',
    'availability ends',
    'price valid until',
  ],
  period: [],
  terms: ['terms', 'terms and conditions', 'restrictions', 'conditions'],
  url: ['url', 'link', 'deeplink', 'source url'],
  image: ['image url', 'image', 'image.url', 'image link', 'thumbnail', 'thumbnail url', 'picture'],
  status: ['status'],
  percentOff: ['percent off'],
  amountOff: ['amount off', 'money off amount'],
  discount: ['discount'],
  discountType: ['discount type'],
  currency: ['currency', 'currency code', 'discount currency', 'price currency'],
  regions: [
    'regions',
    'region',
    'countries',
    'country',
    'country code',
    'country codes',
    'targeted countries',
    'areaServed',
    'eligibleRegion',
  ],
};

/** The networks' own field names, from their documentation and public importers. */
export const PRESETS: Record<Network, Preset> = {
  awin: {
    lists: ['data'],
    pageParameter: 'pagination.page',
    isDayFirst: true,
    fields: {
      merchant: ['advertiser.name', 'Advertiser'],
      code: ['voucher.code', 'Code'],
      start: ['startDate', 'Starts'],
      end: ['endDate', 'Ends'],
      url: ['urlTracking', 'url', 'Deeplink Tracking', 'Deeplink'],
    },
  },
  rakuten: {
    lists: ['couponfeed.link'],
    pageParameter: 'pagenumber',
    fields: {
      merchant: ['advertisername'],
      code: ['couponcode'],
      title: [],
      description: ['offerdescription'],
      start: ['offerstartdate'],
      end: ['offerenddate'],
      terms: ['couponrestriction'],
      url: ['clickurl'],
    },
  },
  cj: {
    lists: ['cj-api.links.link'],
    pageParameter: 'page-number',
    fields: {
      merchant: ['advertiser-name'],
      code: ['coupon-code'],
      title: ['link-name'],
      start: ['promotion-start-date'],
      end: ['promotion-end-date'],
      url: ['clickUrl'],
    },
  },
  couponapi: {
    lists: ['offers'],
    pageParameter: null,
    fields: { merchant: ['store'], url: ['affiliate_link'] },
  },
  linkmydeals: {
    lists: ['offers.offer', 'offers'],
    pageParameter: null,
    fields: {
      merchant: ['store'],
      description: ['description', 'long_offer'],
      terms: ['terms_and_conditions'],
      url: ['smartlink', 'url'],
      discount: ['offer_value'],
      discountType: ['offer'],
    },
  },
  fmtc: {
    lists: ['deals.item', 'deals.deal', 'coupons.item', 'coupons.coupon'],
    pageParameter: null,
    fields: {
      merchant: ['merchantname'],
      code: ['couponcode'],
      title: ['label'],
      terms: ['restrictions'],
      start: ['startdate'],
      end: ['enddate'],
    },
  },
  admitad: {
    lists: ['results'],
    pageParameter: null,
    fields: {
      merchant: ['campaign.name'],
      code: ['promocode', 'code'],
      title: ['short_name', 'name'],
      start: ['date_start'],
      end: ['date_end'],
      url: ['goto_link', 'campaign.site_url'],
    },
  },
  google: {
    lists: ['rss.channel.item', 'feed.entry'],
    pageParameter: null,
    fields: {
      code: ['generic_redemption_code'],
      title: ['long_title'],
      period: ['promotion_effective_dates'],
      percentOff: ['percent_off'],
      amountOff: ['money_off_amount'],
    },
  },
};
