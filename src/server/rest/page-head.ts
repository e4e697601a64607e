import { t } from '@lingui/core/macro';
import { marketCompany } from '#contract/base/company.ts';
import { escapeHtml } from '#contract/base/escape-html.ts';
import { FIRST_ANSWERS_ID, type FirstAnswer } from '#contract/base/first-answers.ts';
import {
  defaultLanguage,
  LANGUAGE_CODES,
  type Language,
  language,
  locale,
  localPath,
  prefixOf,
} from '#contract/base/i18n.ts';
import { LEGAL_PAGES, OWN_TEXTS_META } from '#contract/base/legal-texts.ts';
import { marketName, marketTagline } from '#contract/base/market.ts';
import { baseCurrency } from '#contract/base/money.ts';
import { OFFLINE_META } from '#contract/base/offline.ts';
import type { PageSettings } from '#contract/base/page-setting.ts';
import { documentTitle } from '#contract/base/pages.ts';
import { withCodesMasked } from '#contract/coupons/limits.ts';
import { WALLETS, type Wallet } from '#contract/coupons/wallet-passes.ts';
import { type FeeRates, feeRatesSchema } from '#contract/money/fees.ts';
import type { GuaranteeSettings } from '#contract/money/guarantee.ts';
import type { Market } from '#server/core/market-folder.ts';
import type { RenderedLook } from './first-look.ts';
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

/**
 * JSON that is safe in a script element: no character can end the element or break a line of script. Nothing in it is a
 * part of a code.
 */
function escapeJson(data: object | readonly unknown[]): string {
  return JSON.stringify(data, withCodesMasked).replace(
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
function categorySettings(categories: NonNullable<Market['categories']>): Record<string, string> {
  const named = categories.flatMap(({ key, name }) => (name ? [[key, name[language()] ?? name.en]] : []));
  return {
    categories: categories.map(({ key }) => key).join(' '),
    ...(named.length > 0 && { 'category-names': JSON.stringify(Object.fromEntries(named)) }),
  };
}

/** The settings that our scripts read: pages that name fees and the guarantee, the legal pages, the sign-in, and where coupons or codes are added. */
export function pageSettingsOf(settings: ShellSettings): PageSettings {
  const { supportEmail, feeRates, guarantee, inboundMail, market, wallets, openId } = settings;
  const [tagline, company] = [marketTagline(), marketCompany()];
  const ownTexts = LEGAL_PAGES.filter((page) => market.legalTexts.has(`${page}.en`)).map((page) =>
    market.legalTexts.has(`${page}.${language()}`) ? `${page}.${language()}` : `${page}.en`,
  );
  const added = WALLETS.filter((wallet) => wallets[wallet]);
  return {
    'application-name': marketName(),
    origin: settings.publicUrl,
    'fee-rates': JSON.stringify(feeRatesSchema.parse(feeRates)),
    'guarantee-days': String(guarantee.days),
    ...(baseCurrency() !== 'CAD' && { currency: baseCurrency() }),
    ...(tagline !== undefined && { tagline }),
    ...(company && { company: JSON.stringify(company) }),
    ...(market.categories && categorySettings(market.categories)),
    ...(market.countries && { countries: market.countries.join(' ') }),
    ...(ownTexts.length > 0 && { [OWN_TEXTS_META]: ownTexts.join(' ') }),
    ...(supportEmail !== null && { 'support-email': supportEmail }),
    ...(inboundMail && { 'inbound-mail': inboundMail.domain }),
    ...(openId && { 'identity-provider': openId.name }),
    ...(added.length > 0 && { wallets: added.join(' ') }),
  };
}

function settingTags(settings: PageSettings): string[] {
  return Object.entries(settings).map(
    ([name, content]) => `<meta name="${name}" content="${escapeHtml(content)}" />`,
  );
}

/** The languages whose pages search engines find: a plain address is English where English is the default, else it leads on. */
export const indexedLanguages = (): readonly Language[] =>
  LANGUAGE_CODES.filter((one) => prefixOf(one) !== '' || one === defaultLanguage());

/** The addresses of a page in all languages, for search engines. The market's default one is for everybody else, too. */
export function alternatesOf(publicUrl: string, path: string): { lang: string; url: string }[] {
  const urlIn = (language: Language) => publicUrl + prefixOf(language) + path;
  const each = indexedLanguages().map((one) => ({ lang: one as string, url: urlIn(one) }));
  return [...each, { lang: 'x-default', url: urlIn(defaultLanguage()) }];
}

/** Adds the settings to a shell that is served as it is, without the head of a page. */
export function withSettings(html: string, settings: ShellSettings): string {
  return html.replace('</head>', () => `${settingTags(pageSettingsOf(settings)).join('\n    ')}\n  </head>`);
}

/**
 * Renders the page's own part of the head.
 * @param nonce of this response, for the script element with the schema.org data
 */
function renderHead(
  meta: PageMeta,
  nonce: string,
  pageSettings: PageSettings,
  { publicUrl }: ShellSettings,
): string {
  const title = escapeHtml(documentTitle(meta.title));
  const description = escapeHtml(shorten(meta.description));
  const head = [
    `<title>${title}</title>`,
    `<meta name="description" content="${description}" />`,
    `<link rel="manifest" href="${localPath(MANIFEST)}" />`,
    ...settingTags(pageSettings),
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
  const canonical = publicUrl + localPath(meta.path);
  head.push(
    `<link rel="canonical" href="${escapeHtml(canonical)}" />`,
    ...alternatesOf(publicUrl, meta.path).map(
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
  /** Links to the files that this page needs beside those of every page. */
  readonly pageFiles?: string;
  /** What stands above the page, as HTML. */
  readonly strip?: string;
  /** The page itself, where the server has rendered it. */
  readonly look?: RenderedLook | null;
  /** Whether browsers keep it, to open pages without the network. */
  readonly isForOffline?: boolean;
}

/** Tells our scripts that the page comes from the browser, without the network. */
const OFFLINE_MARK = `<meta name="${OFFLINE_META}" content="shell" />`;

const noScriptTag = () =>
  `<noscript>${escapeHtml(t`${{ market: marketName() }} needs JavaScript to run in your browser.`)}</noscript>\n  `;

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
  const headEnd = Math.max(middle.indexOf('</head>'), 0);
  const at = middle.includes(ROOT) ? middle.indexOf(ROOT) : middle.length;
  const parts = [
    start,
    middle.slice(0, headEnd),
    middle.slice(headEnd, at),
    middle.slice(at),
    `</body>${end}`,
  ];
  const [before, files, between, root, after] = parts.map((part) => part.split('__CSP_NONCE__'));
  return ({ meta, nonce, answers, pageFiles = '', strip = '', look, isForOffline }, settings) =>
    [
      before?.join(nonce),
      renderHead(meta, nonce, pageSettingsOf(settings), settings),
      isForOffline ? `\n    ${OFFLINE_MARK}` : '',
      files?.join(nonce),
      pageFiles && `  ${pageFiles}\n  `,
      look ? `<style nonce="${nonce}">${look.css}</style>` : '',
      between?.join(nonce),
      strip,
      look ? root?.join(nonce).replace(ROOT, () => ROOT + look.html) : root?.join(nonce),
      look ? '' : noScriptTag(),
      answersTag(answers, nonce),
      after?.join(nonce),
    ].join('');
}
