import { t } from '@lingui/core/macro';
import { marketCompany } from '#contract/base/company.ts';
import { escapeHtml } from '#contract/base/escape-html.ts';
import { FIRST_ANSWERS_ID, type FirstAnswer } from '#contract/base/first-answers.ts';
import { LANGUAGE_CODES, language, locale, localPath, prefixOf } from '#contract/base/i18n.ts';
import { LEGAL_PAGES, OWN_TEXTS_META } from '#contract/base/legal-texts.ts';
import { marketName, marketTagline } from '#contract/base/market.ts';
import { baseCurrency } from '#contract/base/money.ts';
import { OFFLINE_META } from '#contract/base/offline.ts';
import { documentTitle } from '#contract/base/pages.ts';
import { WALLETS, type Wallet } from '#contract/coupons/wallet-passes.ts';
import { type FeeRates, feeRatesSchema } from '#contract/money/fees.ts';
import type { GuaranteeSettings } from '#contract/money/guarantee.ts';
import type { Market } from '#server/core/market-folder.ts';
import { MANIFEST } from './manifest.ts';

/** What the head of one page tells search engines and link previews. */
export interface PageMeta {
  /** Without the product's name. */
  readonly title: string;
  readonly description: string;
  /** The page's path in every language; null when search engines should not index it. */
  readonly path: string | null;
  readonly ogType: 'website' | 'profile';
  /** A picture with its size in pixels. */
  readonly image: { readonly url: string; readonly width: number; readonly height: number } | null;
  /** The files of the picture that the page shows first: the browser asks for one before our scripts have come. */
  readonly firstPicture?: { readonly avif: string; readonly sizes: string } | null;
  /** A schema.org object. */
  readonly data: object | null;
}

/** Search engines and previews cut longer descriptions. */
const DESCRIPTION_LENGTH = 200;

/** JSON that is safe in a script element: no character can end the element or break a line of script. */
function escapeJson(data: object | readonly unknown[]): string {
  return JSON.stringify(data).replace(
    /[<>&\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Makes one line, cut at a word when it is too long. */
function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= DESCRIPTION_LENGTH) return line;
  const cut = line.slice(0, DESCRIPTION_LENGTH - 1);
  const end = cut.lastIndexOf(' ');
  return `${(end > 0 ? cut.slice(0, end) : cut).replace(/[\ud800-\udbff]$/, '')}…`;
}

interface ShellSettings {
  readonly publicUrl: string;
  readonly supportEmail: string | null;
  readonly feeRates: FeeRates;
  readonly guarantee: Pick<GuaranteeSettings, 'days'>;
  readonly inboundMail: { readonly domain: string } | null;
  readonly market: Pick<Market, 'countries' | 'legalTexts' | 'categories'>;
  readonly wallets: Readonly<Record<Wallet, object | null>>;
  readonly openId: { readonly name: string } | null;
}

/** The categories that are offered, and the names of those that have one of their own. */
function categoryTags(
  categories: NonNullable<Market['categories']>,
  tag: (name: string, content: string) => string,
): string[] {
  const named = categories.flatMap(({ key, name }) => (name ? [[key, name[language()] ?? name.en]] : []));
  return [
    tag('categories', categories.map(({ key }) => key).join(' ')),
    ...(named.length === 0 ? [] : [tag('category-names', JSON.stringify(Object.fromEntries(named)))]),
  ];
}

/** The settings that our scripts read: pages that name fees and the guarantee, the legal pages, the sign-in, and where coupons or codes are added. */
function settingTags(settings: ShellSettings): string[] {
  const { supportEmail, feeRates, guarantee, inboundMail, market, wallets, openId } = settings;
  const tag = (name: string, content: string) => `<meta name="${name}" content="${escapeHtml(content)}" />`;
  const tags = [
    tag('application-name', marketName()),
    tag('fee-rates', JSON.stringify(feeRatesSchema.parse(feeRates))),
    tag('guarantee-days', String(guarantee.days)),
  ];
  if (baseCurrency() !== 'CAD') tags.push(tag('currency', baseCurrency()));
  const [tagline, company] = [marketTagline(), marketCompany()];
  if (tagline !== undefined) tags.push(tag('tagline', tagline));
  if (company) tags.push(tag('company', JSON.stringify(company)));
  if (market.categories) tags.push(...categoryTags(market.categories, tag));
  if (market.countries) tags.push(tag('countries', market.countries.join(' ')));
  const ownTexts = LEGAL_PAGES.filter((page) => market.legalTexts.has(`${page}.en`));
  if (ownTexts.length > 0) {
    const shown = ownTexts.map((page) =>
      market.legalTexts.has(`${page}.${language()}`) ? `${page}.${language()}` : `${page}.en`,
    );
    tags.push(tag(OWN_TEXTS_META, shown.join(' ')));
  }
  if (supportEmail !== null) tags.push(tag('support-email', supportEmail));
  if (inboundMail) tags.push(tag('inbound-mail', inboundMail.domain));
  if (openId) tags.push(tag('identity-provider', openId.name));
  const added = WALLETS.filter((wallet) => wallets[wallet]);
  if (added.length > 0) tags.push(tag('wallets', added.join(' ')));
  return tags;
}

/** The addresses of a page in all languages, for search engines. English is for everybody else, too. */
export function alternatesOf(publicUrl: string, path: string): { lang: string; url: string }[] {
  const each = LANGUAGE_CODES.map((one) => ({ lang: one as string, url: publicUrl + prefixOf(one) + path }));
  return [...each, { lang: 'x-default', url: publicUrl + path }];
}

/** Adds the settings to a shell that is served as it is, without the head of a page. */
export function withSettings(html: string, settings: ShellSettings): string {
  return html.replace('</head>', () => `${settingTags(settings).join('\n    ')}\n  </head>`);
}

/**
 * Renders the page's own part of the head.
 * @param nonce of this response, for the script element with the schema.org data
 */
function renderHead(meta: PageMeta, nonce: string, settings: ShellSettings): string {
  const title = escapeHtml(documentTitle(meta.title));
  const description = escapeHtml(shorten(meta.description));
  const head = [
    `<title>${title}</title>`,
    `<meta name="description" content="${description}" />`,
    `<link rel="manifest" href="${localPath(MANIFEST)}" />`,
    ...settingTags(settings),
  ];
  if (meta.firstPicture) {
    const { avif, sizes } = meta.firstPicture;
    head.push(
      `<link rel="preload" as="image" type="image/avif" imagesrcset="${escapeHtml(avif)}" imagesizes="${escapeHtml(sizes)}" fetchpriority="high" />`,
    );
  }
  if (meta.path === null) return [...head, '<meta name="robots" content="noindex" />'].join('\n    ');
  const property = (name: string, content: string) =>
    `<meta property="${name}" content="${escapeHtml(content)}" />`;
  const canonical = settings.publicUrl + localPath(meta.path);
  head.push(
    `<link rel="canonical" href="${escapeHtml(canonical)}" />`,
    ...alternatesOf(settings.publicUrl, meta.path).map(
      ({ lang, url }) => `<link rel="alternate" hreflang="${lang}" href="${escapeHtml(url)}" />`,
    ),
    property('og:locale', locale().replace('-', '_')),
    property('og:title', meta.title),
    property('og:description', shorten(meta.description)),
    property('og:type', meta.ogType),
    property('og:url', canonical),
    property('og:site_name', marketName()),
  );
  if (meta.image !== null) {
    head.push(
      property('og:image', meta.image.url),
      property('og:image:width', String(meta.image.width)),
      property('og:image:height', String(meta.image.height)),
    );
  }
  head.push(
    `<meta name="twitter:card" content="${meta.image === null ? 'summary' : 'summary_large_image'}" />`,
  );
  if (meta.data) {
    head.push(`<script type="application/ld+json" nonce="${nonce}">${escapeJson(meta.data)}</script>`);
  }
  return head.join('\n    ');
}

/** Where our scripts render the page. */
const ROOT = '<div id="root">';

/** What differs between two answers with the shell. */
interface PageContent {
  readonly meta: PageMeta;
  /** Of this response, for scripts and styles. */
  readonly nonce: string;
  readonly answers: readonly FirstAnswer[];
  /** What stands above the page, as HTML. */
  readonly strip?: string;
  /** Whether browsers keep it, to open pages without the network. */
  readonly isForOffline?: boolean;
}

/** Tells our scripts that the page comes from the browser, without the network. */
const OFFLINE_MARK = `<meta name="${OFFLINE_META}" content="shell" />`;

/** The element from which the page takes the answers of its first queries; browsers do not run it. */
function answersTag(answers: readonly FirstAnswer[], nonce: string): string {
  if (answers.length === 0) return '';
  return `<script type="application/json" id="${FIRST_ANSWERS_ID}" nonce="${nonce}">${escapeJson(answers)}</script>\n  `;
}

/**
 * Reads the shell once; the result fills it for one response. A shell without a place for a head gets none. `__CSP_NONCE__` stands for the nonce, and the
 * part between `<!-- page -->` and `<!-- /page -->` for the page's own head.
 */
export function parseShell(html: string): (content: PageContent, settings: ShellSettings) => string {
  const [start = '', head] = html.split('<!-- page -->');
  const rest = head?.split('<!-- /page -->')[1];
  if (rest === undefined) return ({ nonce }) => start.split('__CSP_NONCE__').join(nonce);
  const [middle = '', end = ''] = rest.split('</body>');
  const at = middle.includes(ROOT) ? middle.indexOf(ROOT) : middle.length;
  const parts = [start, middle.slice(0, at), middle.slice(at), `</body>${end}`];
  const [before, between, root, after] = parts.map((part) => part.split('__CSP_NONCE__'));
  return ({ meta, nonce, answers, strip = '', isForOffline }, settings) =>
    [
      before?.join(nonce),
      renderHead(meta, nonce, settings),
      isForOffline ? `\n    ${OFFLINE_MARK}` : '',
      between?.join(nonce),
      strip,
      root?.join(nonce),
      `<noscript>${escapeHtml(t`${{ market: marketName() }} needs JavaScript to run in your browser.`)}</noscript>\n  `,
      answersTag(answers, nonce),
      after?.join(nonce),
    ].join('');
}
