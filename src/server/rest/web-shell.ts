import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import { t } from '@lingui/core/macro';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { FirstLook } from '#contract/base/first-answers.ts';
import { PAGE_GROUND, THEME_SHEET } from '#contract/base/grounds.ts';
import {
  LANGUAGE_CODES,
  type Language,
  language,
  locale,
  prefixOf,
  withoutPrefix,
} from '#contract/base/i18n.ts';
import { OFFLINE_SHELL } from '#contract/base/offline.ts';
import { findWebPage, paths } from '#contract/base/pages.ts';
import { SHARE_TARGET } from '#contract/base/share-target.ts';
import { newsNow } from '#contract/people/market-news.ts';
import { AppError } from '#server/core/errors.ts';
import { inLanguage } from '#server/core/language.ts';
import { ownColor, ownRules } from '#server/core/market-colors.ts';
import type { Market } from '#server/core/market-folder.ts';
import { type AppDeps, configNow, countryHeaders, sessionCookieName } from '#server/trpc/context.ts';
import { type Caller, callerFor } from './caller.ts';
import { contentSecurityPolicy } from './csp.ts';
import { firstAnswers, wantsAnswers } from './first-answers.ts';
import { openFirstLooks, RENDERED } from './first-look.ts';
import { marketFiles, ownTextOf, registerMarketFiles } from './market-files.ts';
import { newsStrip } from './news-strip.ts';
import { readPageFiles } from './page-files.ts';
import { pageSettingsOf, parseShell } from './page-head.ts';
import { describePage, type PageAnswer, unknownPage } from './page-meta.ts';
import type { Shedding } from './shedding.ts';

/** A page for a browser waits no longer than this for the database; the browser then asks for what is missing. */
const PAGE_WAIT_MS = 500;

const REDIRECTS: Readonly<Record<string, readonly [to: string, status: number]>> = {
  // Some browsers request it although the page names another icon.
  '/favicon.ico': ['/favicon.svg', 301],
  '/index.html': [paths.home, 301],
  // Password managers lead people there (https://w3c.github.io/webappsec-change-password-url).
  '/.well-known/change-password': [paths.settings('password'), 302],
};

export interface WebShellOptions {
  /** The folder of the built web application. */
  readonly webRoot: string;
  /** How long a page for a browser waits for the database, in milliseconds. */
  readonly pageWaitMs?: number | undefined;
}

/**
 * Serves the built web application. Files with a hash in their name may be cached for ever. Every other
 * address gets the HTML shell, with a fresh nonce for styles and inline scripts, and a head for search
 * engines and link previews. Without a build only the API is served.
 */
export async function registerWebShell(
  app: FastifyInstance,
  deps: AppDeps,
  shedding: Shedding,
  { webRoot, pageWaitMs = PAGE_WAIT_MS }: WebShellOptions,
): Promise<void> {
  const shells = readShells(webRoot, deps.config.market);
  const files = await marketFiles(deps.config.market, deps.providers.pictures);

  if (shells.size > 0) {
    await app.register(fastifyStatic, {
      root: webRoot,
      index: false,
      wildcard: false,
      // The build has compressed them: they are answered with, and not under their own names.
      preCompressed: true,
      // What the folder of the market has comes in place of the usual files.
      globIgnore: [
        '**/index.html',
        '**/.*',
        '**/.vite/**',
        '**/*.{br,gz}',
        ...[...files.keys()].map((address) => `**${address}`),
      ],
      setHeaders: (reply, file) => {
        const isHashed = path.basename(path.dirname(file)) === 'assets';
        reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
      },
    });
    registerMarketFiles(app, files);
    for (const [from, [to, status]] of Object.entries(REDIRECTS))
      app.get(from, (_request, reply) => reply.redirect(to, status));
  }

  const renderPage = openFirstLooks(webRoot);
  /** A page that cannot be rendered here is rendered by the browser alone. */
  const renderLook = (visit: FirstLook, { log }: FastifyRequest) =>
    renderPage(visit).catch((error: unknown) => {
      log.error({ err: error, page: visit.url }, 'a page comes without its first look');
      return null;
    });

  async function sendShell({ fill, filesOf }: Shell, request: FastifyRequest, reply: FastifyReply) {
    const site = { publicUrl: deps.config.publicUrl, now: deps.clock() };
    let caller: Promise<Caller> | undefined;
    const open = async () => {
      shedding.check(request);
      caller ??= callerFor(deps, request, reply);
      return caller;
    };
    const describing = describePage(withoutPrefix(pathOf(request)), site, open);
    const isForBrowser = wantsAnswers(request);
    const hasSession = request.cookies[sessionCookieName(deps.config)] !== undefined;
    // What a member sees depends on what their browser has stored.
    const webPage = findWebPage(withoutPrefix(pathOf(request)))?.page;
    const isRendered = request.method === 'GET' && !hasSession && webPage && RENDERED.has(webPage);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<PageAnswer>((resolve) => {
      if (isForBrowser) timer = setTimeout(() => resolve(unknownPage()), pageWaitMs);
    });
    const page = await Promise.race([describing, late]);
    const { status, meta, retryAfter } = page;
    const wantsAll = (isForBrowser || isRendered) && status !== 503;
    const found = wantsAll ? await firstAnswers(request, page, open, late) : [];
    clearTimeout(timer);
    if (retryAfter) reply.header('retry-after', String(retryAfter));
    const nonce = newNonce();
    const settings = configNow(deps);
    const pageSettings = { ...pageSettingsOf(settings), 'csp-nonce': nonce };
    const answers = [...found, ...ownTextOf(webPage, pageSettings, deps.config.market)];
    const visit = { url: site.publicUrl + request.url, answers, settings: pageSettings };
    // Where even the viewer is not known, the server is busy.
    const canRender = isRendered && status === 200 && answers.some(([path]) => path === 'accounts.me');
    const look = canRender ? await renderLook(visit, request) : null;
    const pageFiles = webPage && status === 200 ? filesOf(webPage) : '';
    const strip = newsStrip(newsNow(settings, deps.clock()), nonce);
    return reply
      .status(status)
      .header('content-security-policy', contentSecurityPolicy(deps.providers.paymentClient, nonce))
      .type('text/html; charset=utf-8')
      .header('cache-control', hasSession ? 'private, no-store' : 'no-cache')
      .header('content-language', locale())
      .header('vary', ['Cookie', ...countryHeaders(deps.config)].join(', '))
      .send(fill({ meta, nonce, answers: isForBrowser ? answers : [], pageFiles, look, strip }, settings));
  }

  app.setNotFoundHandler((request) => {
    throw new AppError('not_found', t`There is nothing at ${request.method} ${pathOf(request)}`);
  });
  if (shells.size === 0) return;
  // For everybody the same: it has nothing of a session, and no announcement, which would be old when the page is opened. Its nonce stays with the browser that keeps it.
  const sendOfflineShell =
    (language: Language, { fill }: Shell) =>
    (_request: FastifyRequest, reply: FastifyReply) => {
      const nonce = newNonce();
      return reply
        .header('content-security-policy', contentSecurityPolicy(deps.providers.paymentClient, nonce))
        .type('text/html; charset=utf-8')
        .header('cache-control', 'no-cache')
        .send(
          inLanguage(language, () =>
            fill({ meta: unknownPage().meta, nonce, answers: [], isForOffline: true }, configNow(deps)),
          ),
        );
    };
  for (const [language, shell] of shells) {
    const prefix = prefixOf(language);
    app.get(prefix + OFFLINE_SHELL, sendOfflineShell(language, shell));
    // The service worker keeps what is posted here. In a browser without one it is lost, and the page says so: nothing of
    // the body is read.
    app.post(prefix + SHARE_TARGET, {
      schema: { hide: true },
      config: { isFromAnywhere: true },
      onRequest: async (_request, reply) => reply.redirect(prefix + paths.addShared, 303),
      handler: (_request, reply) => reply.callNotFound(),
    });
  }
  // A route, since answers of the handler above are not compressed.
  app.get('/*', (request, reply) => {
    const isFile = path.extname(pathOf(request)) !== '';
    if (isFile || request.url.startsWith('/api')) return reply.callNotFound();
    const shell = shells.get(language());
    if (!shell) return reply.callNotFound();
    const prefix = prefixOf(language());
    // The address of a page in another language than English names it, so that a shared link opens in the same one.
    if (prefix !== request.url.slice(0, prefix.length) || pathOf(request) === prefix)
      return redirectTo(reply, prefix + withoutPrefix(request.url));
    return sendShell(shell, request, reply);
  });
}

interface Shell {
  readonly fill: ReturnType<typeof parseShell>;
  readonly filesOf: ReturnType<typeof readPageFiles>;
}

/** The shells of all languages: without a build there are none. */
function readShells(webRoot: string, market: Market): ReadonlyMap<Language, Shell> {
  const fileOf = (language: Language) => path.join(webRoot, prefixOf(language), 'index.html');
  return new Map(
    LANGUAGE_CODES.filter((one) => existsSync(fileOf(one))).map((one) => [
      one,
      {
        fill: parseShell(inMarketColors(readFileSync(fileOf(one), 'utf8'), webRoot, market)),
        filesOf: readPageFiles(webRoot, one),
      },
    ]),
  );
}

/** The shell in the colours of the market: only what they change is added, so that it works without the network, too. */
function inMarketColors(html: string, webRoot: string, { palette }: Market): string {
  if (palette.size === 0) return html;
  const rules = ownRules(readFileSync(path.join(webRoot, THEME_SHEET), 'utf8'));
  return Object.values(PAGE_GROUND)
    .reduce((text, ground) => text.replaceAll(ground, ownColor(ground)), html)
    .replace('</head>', () => `<style nonce="__CSP_NONCE__">${rules}</style>\n  </head>`);
}

/** Which language somebody reads may change with each request. */
function redirectTo(reply: FastifyReply, address: string) {
  return reply
    .header('cache-control', 'private, no-store')
    .header('vary', 'Cookie, Accept-Language')
    .redirect(address, 302);
}

const newNonce = () => randomBytes(16).toString('base64');

function pathOf(request: FastifyRequest): string {
  return request.url.split('?')[0] ?? '/';
}
