import { pipeline, Readable, type Transform } from 'node:stream';
import { t } from '@lingui/core/macro';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply } from 'fastify';
import { LANGUAGE_CODES, prefixOf } from '#contract/base/i18n.ts';
import { paths, WEB_PAGES } from '#contract/base/pages.ts';
import type { CouponUrl, SitemapPart } from '#contract/oversight/seo.ts';
import { notFound } from '#server/core/errors.ts';
import type { AppDeps } from '#server/trpc/context.ts';
import { type Caller, callerWithoutSession } from './caller.ts';
import { alternatesOf, indexedLanguages } from './page-head.ts';

const CACHE = 'public, max-age=600';
/** We list pages in their languages, and no news, pictures or videos. */
const LISTED = { news: false, xhtml: true, image: false, video: false };

/**
 * The procedures that a crawler needs to render our public pages. The rest of the API is closed to crawlers;
 * without these they would index our error screens.
 */
const READ_BY_PAGES = [
  'accounts.me',
  'bids.priceHint',
  'coupons.byId',
  'coupons.list',
  'coupons.feedback',
  'coupons.ofMerchant',
  'coupons.related',
  'health.ofCoupon',
  'health.ofMerchant',
  'leaderboard.list',
  'matches.market',
  'merchants.byName',
  'payments.client',
  'profiles.byId',
  'profiles.ofCouponOwner',
  'proofs.exposure',
  'proofs.openBooks',
  'proofs.roots',
  'ratings.ofUser',
  'search.count',
];

/** Serves the sitemap in parts with stable addresses, robots.txt, and the key file of IndexNow. */
export function registerSitemap(app: FastifyInstance, deps: AppDeps): void {
  const { publicUrl } = deps.config;

  app.get('/sitemap.xml', { schema: { hide: true } }, async (request, reply) => {
    const caller = await callerWithoutSession(deps, request, reply);
    return sendXml(reply, indexEntries(publicUrl, await caller.seo.parts()), await newIndex());
  });

  app.get('/sitemaps/pages.xml', { schema: { hide: true } }, async (_request, reply) =>
    sendXml(
      reply,
      PUBLIC_PATHS.flatMap((path) => inAllLanguages(publicUrl, path)),
      await newSitemap(),
    ),
  );

  app.get<{ Params: { part: string } }>(
    '/sitemaps/coupons-:part(^\\d{1,5}$).xml',
    { schema: { hide: true } },
    async (request, reply) => {
      const caller = await callerWithoutSession(deps, request, reply);
      const part = Number(request.params.part);
      // Read before anything is sent, so that a refusal still sets the status.
      const first = await caller.seo.couponUrls({ part });
      if (first.length === 0) throw notFound(t`Sitemap not found`);
      return sendXml(reply, couponEntries(publicUrl, caller, part, first), await newSitemap());
    },
  );

  app.get('/sitemaps/merchants.xml', { schema: { hide: true } }, async (request, reply) => {
    const keys = await (await callerWithoutSession(deps, request, reply)).seo.merchantKeys();
    const entries = keys.flatMap((key) => inAllLanguages(publicUrl, paths.merchant(key)));
    return sendXml(reply, entries, await newSitemap());
  });

  const robots = robotsText(publicUrl);
  app.get('/robots.txt', { schema: { hide: true } }, (_request, reply) => sendText(reply, robots));

  const key = deps.providers.searchEngines.indexNowKey;
  if (key) app.get(`/${key}.txt`, { schema: { hide: true } }, (_request, reply) => sendText(reply, key));
}

const PUBLIC_PATHS = WEB_PAGES.filter(({ isPublic, path }) => isPublic && !path.includes(':')).map(
  ({ path }) => path,
);

/** The entries of a page: one for each language, which names all of them. */
function inAllLanguages(publicUrl: string, path: string, lastmod?: string) {
  const links = alternatesOf(publicUrl, path);
  return indexedLanguages().map((language) => ({
    url: publicUrl + prefixOf(language) + path,
    links,
    ...(lastmod && { lastmod }),
  }));
}

async function newIndex(): Promise<Transform> {
  const { ErrorLevel, SitemapIndexStream } = await import('sitemap');
  return new SitemapIndexStream({ level: ErrorLevel.THROW });
}

async function newSitemap(): Promise<Transform> {
  const { ErrorLevel, SitemapStream } = await import('sitemap');
  return new SitemapStream({ level: ErrorLevel.THROW, xmlns: LISTED });
}

function* indexEntries(publicUrl: string, parts: readonly SitemapPart[]) {
  yield { url: `${publicUrl}/sitemaps/pages.xml` };
  yield { url: `${publicUrl}/sitemaps/merchants.xml` };
  for (const { part, changedAt } of parts) {
    yield { url: `${publicUrl}/sitemaps/coupons-${part}.xml`, lastmod: changedAt };
  }
}

/** The coupons of a part, read while they are sent: at most one page of them is in memory. */
async function* couponEntries(publicUrl: string, caller: Caller, part: number, first: CouponUrl[]) {
  let page = first;
  while (page.length > 0) {
    for (const { id, changedAt } of page) yield* inAllLanguages(publicUrl, paths.coupon(id), changedAt);
    page = await caller.seo.couponUrls({ part, after: page.at(-1)?.id });
  }
}

function sendXml(reply: FastifyReply, entries: Iterable<object> | AsyncIterable<object>, into: Transform) {
  // A failure on the way breaks the answer off, so that nobody mistakes a part for the whole.
  pipeline(Readable.from(entries), into, (error) => logUnlessAborted(reply.log, error));
  return reply.type('application/xml; charset=utf-8').header('cache-control', CACHE).send(into);
}

function logUnlessAborted(log: FastifyBaseLogger, error: NodeJS.ErrnoException | null): void {
  if (error && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') log.error({ err: error }, 'a sitemap broke off');
}

function sendText(reply: FastifyReply, text: string) {
  return reply.type('text/plain; charset=utf-8').header('cache-control', CACHE).send(text);
}

function robotsText(publicUrl: string): string {
  const closed = WEB_PAGES.filter(({ isPublic }) => !isPublic).map(({ path }) => path.split(':', 1).join());
  return [
    'User-agent: *',
    'Disallow: /api/',
    'Allow: /api/pictures/',
    'Allow: /api/cards/',
    ...READ_BY_PAGES.map((procedure) => `Allow: /api/trpc/${procedure}`),
    ...LANGUAGE_CODES.flatMap((language) => closed.map((path) => `Disallow: ${prefixOf(language)}${path}`)),
    '',
    `Sitemap: ${publicUrl}/sitemap.xml`,
    '',
  ].join('\n');
}
