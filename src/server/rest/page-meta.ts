import { t } from '@lingui/core/macro';
import { type FirstAnswer, idIn, merchantIn } from '#contract/base/first-answers.ts';
import { locale, localPath } from '#contract/base/i18n.ts';
import { formatNumber } from '#contract/base/locale.ts';
import { marketName } from '#contract/base/market.ts';
import { baseCurrency } from '#contract/base/money.ts';
import { findWebPage, NOT_FOUND_PAGE, PAGES, paths, type WebPage } from '#contract/base/pages.ts';
import { CARD_HEIGHT, CARD_WIDTH, cardPath, discountText, isOnOffer } from '#contract/coupons/cards.ts';
import type { Coupon } from '#contract/coupons/coupons.ts';
import type { Merchant } from '#contract/coupons/merchants.ts';
import type { PublicProfile } from '#contract/oversight/profiles.ts';
import { OFFER_PICTURE_SIZES, pictureSources } from '#contract/people/picture-addresses.ts';
import { retryAfterOf, toWire } from '#server/trpc/errors.ts';
import type { Caller } from './caller.ts';
import { defaultDescription, descriptionOf } from './page-descriptions.ts';
import type { PageMeta } from './page-head.ts';

/** The status and the head of a page. */
export interface PageAnswer {
  readonly status: 200 | 404 | 503;
  readonly meta: PageMeta;
  /** Seconds. */
  readonly retryAfter?: number | undefined;
  /** What was looked up. */
  readonly known: readonly FirstAnswer[];
}

interface Site {
  readonly publicUrl: string;
  readonly now: Date;
}

/**
 * Describes the page at a path; looks up the coupon or person that it shows.
 * @param caller makes the procedures callable with the visitor's session; used only for pages that need it
 */
export async function describePage(
  pathname: string,
  site: Site,
  caller: () => Promise<Caller>,
): Promise<PageAnswer> {
  const found = findWebPage(pathname);
  if (!found) return missing(NOT_FOUND_PAGE.title());
  const { page, parameter } = found;
  if (page === PAGES.coupon) {
    return lookUp(idIn(parameter), t`Coupon not found`, async (id) => {
      const coupon = await (await caller()).coupons.byId({ id });
      return { meta: couponMeta(coupon, site), known: [['coupons.byId', coupon, { id }]] };
    });
  }
  if (page === PAGES.user) {
    return lookUp(idIn(parameter), t`Profile not found`, async (id) => {
      const profile = await (await caller()).profiles.byId({ id });
      return { meta: profileMeta(profile, site), known: [['profiles.byId', profile, { id }]] };
    });
  }
  if (page === PAGES.merchant) {
    return lookUp(merchantIn(parameter), t`Merchant not found`, async (name) => {
      const merchant = await (await caller()).merchants.byName({ name });
      return { meta: merchantMeta(merchant, site), known: [['merchants.byName', merchant, { name }]] };
    });
  }
  return { status: 200, meta: pageMeta(page, site), known: [] };
}

/** The head of a page that search engines should not index. */
const unindexedMeta = (title: string): PageMeta => ({
  title,
  description: defaultDescription(),
  path: null,
  ogType: 'website',
  image: null,
  data: null,
});

const missing = (title: string): PageAnswer => ({ status: 404, meta: unindexedMeta(title), known: [] });

/** Answered all the same where the look-up fails or takes too long: the page tries again in the browser. */
export const unknownPage = (): PageAnswer => ({
  status: 503,
  meta: unindexedMeta(marketName()),
  known: [],
});

/** What a page is about does not exist, or its name is none. */
const NO_SUCH: ReadonlySet<string> = new Set(['not_found', 'bad_input']);

/** @param subject what the page is about; null if its address names nothing */
async function lookUp<Subject>(
  subject: Subject | null,
  missingTitle: string,
  describe: (subject: Subject) => Promise<Pick<PageAnswer, 'meta' | 'known'>>,
): Promise<PageAnswer> {
  if (subject === null) return missing(missingTitle);
  try {
    return { status: 200, ...(await describe(subject)) };
  } catch (error) {
    if (NO_SUCH.has(toWire(error).code)) return missing(missingTitle);
    return { ...unknownPage(), retryAfter: retryAfterOf(error) };
  }
}

function pageMeta(page: WebPage, site: Site): PageMeta {
  const { publicUrl } = site;
  if (!page.isPublic) return { ...unindexedMeta(page.title()), description: descriptionOf(page) };
  return {
    title: page.title(),
    description: descriptionOf(page),
    path: page.path,
    ogType: 'website',
    image: cardImage(site, null),
    data: page === PAGES.home ? siteData(publicUrl, descriptionOf(page)) : null,
  };
}

function siteData(publicUrl: string, description: string): object {
  const organization = `${publicUrl}/#organization`;
  const home = `${publicUrl}${localPath(paths.home)}`;
  return {
    '@context': 'https://schema.org',
    '@graph': [
      { '@type': 'Organization', '@id': organization, name: marketName(), url: `${publicUrl}/` },
      {
        '@type': 'WebSite',
        '@id': `${home}#website`,
        name: marketName(),
        url: home,
        inLanguage: locale(),
        description,
        publisher: { '@id': organization },
      },
    ],
  };
}

/** The drawn ticket of a coupon, or of the site (null). */
function cardImage({ publicUrl }: Site, coupon: Coupon | null) {
  return { url: publicUrl + cardPath(coupon), width: CARD_WIDTH, height: CARD_HEIGHT };
}

function couponMeta(coupon: Coupon, site: Site): PageMeta {
  const discount = discountText(coupon);
  const isLive = isOnOffer(coupon, site.now);
  const path = paths.coupon(coupon.id);
  const { imageUrl } = coupon;
  const size = imageUrl === null ? null : pictureSources(imageUrl);
  return {
    title: coupon.title,
    description: discount
      ? t`${discount} off at ${coupon.merchant}. ${coupon.description}`
      : `${coupon.merchant}. ${coupon.description}`,
    path: isLive ? path : null,
    ogType: 'website',
    image: size
      ? { url: site.publicUrl + imageUrl, width: size.width, height: size.height }
      : cardImage(site, isLive ? coupon : null),
    firstPicture: size && { avif: size.srcSets.avif, sizes: OFFER_PICTURE_SIZES },
    data: isLive ? offerData(coupon, site.publicUrl + localPath(path), site.publicUrl) : null,
  };
}

/**
 * A coupon as schema.org's Offer, with true facts only. It has a price where its owner asks one: buyers of others
 * bid or offer a swap. The discount is a property of the coupon.
 */
function offerData(coupon: Coupon, url: string, publicUrl: string): object {
  const { value, discountType } = coupon;
  return {
    '@context': 'https://schema.org',
    '@type': 'Offer',
    '@id': `${url}#offer`,
    url,
    name: coupon.title,
    description: coupon.description,
    category: coupon.category,
    availability: `https://schema.org/${coupon.isReserved ? 'Reserved' : 'InStock'}`,
    ...(coupon.askingPrice && { price: coupon.askingPrice, priceCurrency: baseCurrency() }),
    ...(coupon.expiresAt && { validThrough: coupon.expiresAt }),
    seller: {
      '@type': 'Person',
      name: coupon.ownerUsername,
      url: publicUrl + localPath(paths.user(coupon.ownerId)),
    },
    itemOffered: {
      '@type': 'Product',
      name: coupon.title,
      category: t`Coupon`,
      ...(coupon.imageUrl && { image: publicUrl + coupon.imageUrl }),
      brand: { '@type': 'Brand', name: coupon.merchant },
      ...(value > 0 && {
        additionalProperty: {
          '@type': 'PropertyValue',
          name: t`Discount`,
          value: value / 100,
          ...(discountType === 'percentage'
            ? { unitCode: 'P1', unitText: '%' }
            : { unitText: baseCurrency() }),
        },
      }),
    },
  };
}

/** A person as everybody may see them: by username and their own bio. */
function profileMeta(profile: PublicProfile, site: Site): PageMeta {
  const { publicUrl } = site;
  const path = paths.user(profile.id);
  const url = publicUrl + localPath(path);
  const { username, bio } = profile;
  const swaps = formatNumber(profile.successfulExchanges);
  const verified = formatNumber(profile.verifiedCoupons);
  const done = t`${username} on ${{ market: marketName() }}. Swaps: ${swaps}. Verified coupons: ${verified}.`;
  return {
    title: username,
    description: bio ? `${done} ${bio}` : done,
    path,
    ogType: 'profile',
    image: cardImage(site, null),
    data: {
      '@context': 'https://schema.org',
      '@type': 'ProfilePage',
      dateCreated: profile.createdAt,
      mainEntity: {
        '@type': 'Person',
        '@id': `${url}#person`,
        name: username,
        url,
        ...(bio && { description: bio }),
      },
    },
  };
}

function merchantMeta({ name, key, publicCodes }: Merchant, site: Site): PageMeta {
  const path = paths.merchant(key);
  const url = site.publicUrl + localPath(path);
  return {
    title: t`${name} coupons`,
    description:
      publicCodes > 0
        ? t`Coupons and public codes of ${name} on ${{ market: marketName() }}. Swap one of your coupons, or buy one for less than it is worth.`
        : t`Coupons of ${name} on ${{ market: marketName() }}. Swap one of your coupons, or buy one for less than it is worth.`,
    path,
    ogType: 'website',
    image: cardImage(site, null),
    data: {
      '@context': 'https://schema.org',
      '@type': 'CollectionPage',
      '@id': `${url}#page`,
      url,
      name: t`${name} coupons`,
      about: { '@type': 'Brand', name },
    },
  };
}
