import { randomUUID } from 'node:crypto';
import compress from '@fastify/compress';
import cookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import { t } from '@lingui/core/macro';
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { notFound } from './core/errors.ts';
import { inLanguage } from './core/language.ts';
import { isPlainAddress } from './core/plain-address.ts';
import { addressOf, trustProxyOption } from './core/proxies.ts';
import { liftRequestBudget, withRequestBudget } from './database/time-budget.ts';
import { registerAppleWallet } from './rest/apple-wallet.ts';
import { registerCalendar } from './rest/calendar.ts';
import { limitConnections } from './rest/connections.ts';
import { contentSecurityPolicy, permissionsPolicy } from './rest/csp.ts';
import { registerDataExport } from './rest/data-export.ts';
import { registerDocs } from './rest/docs.ts';
import { registerExports } from './rest/exports.ts';
import { type Readiness, registerHealth } from './rest/health.ts';
import { registerIdentities } from './rest/identities.ts';
import { registerCards, registerImages, registerPictures } from './rest/images.ts';
import { registerInboundMail } from './rest/inbound-mail.ts';
import { registerJwks } from './rest/jwks.ts';
import { registerLlmsTxt } from './rest/llms-txt.ts';
import { registerManifest } from './rest/manifest.ts';
import { registerMcp } from './rest/mcp/door.ts';
import { registerOAuth } from './rest/oauth.ts';
import { registerOpenApi } from './rest/openapi.ts';
import { registerRestRoutes } from './rest/routes.ts';
import { registerSameOrigin } from './rest/same-origin.ts';
import { addSandboxPages } from './rest/sandbox-pages.ts';
import { registerSecurityTxt } from './rest/security-txt.ts';
import { registerShedding } from './rest/shedding.ts';
import { registerSitemap } from './rest/sitemap.ts';
import { LIVE_ROUTE, registerTrpc } from './rest/trpc-handler.ts';
import { registerUnsubscribe } from './rest/unsubscribe.ts';
import { registerUploads } from './rest/uploads.ts';
import { registerWebShell, type WebShellOptions } from './rest/web-shell.ts';
import { registerWebhooks } from './rest/webhooks.ts';
import { type AppDeps, languageOf, registerCaller } from './trpc/context.ts';
import { retryAfterOf, statusOf, toWire } from './trpc/errors.ts';

const BODY_LIMIT = 64 * 1024;

/**
 * How long an idle connection stays open. Closing one breaks a request that is on its way, so the clients have to close
 * first, and also when both sides are busy: proxies keep a connection up to 2 minutes (Caddy), others as long as asked.
 */
const KEEP_ALIVE_MS = 150_000;
const KEEP_ALIVE_HINT = 'timeout=10';

/** What describes the body of an answer, and how long to keep it. */
const BODY_HEADERS = [
  'content-type',
  'content-encoding',
  'content-length',
  'accept-ranges',
  'etag',
  'last-modified',
];

export interface AppOptions extends WebShellOptions {
  readonly isReady: Readiness;
  /** Adds hooks that watch every request. */
  readonly watch?: (app: FastifyInstance) => void;
}

/** Instead of Fastify's own compilers of schemas: they are large, and we set ours. Fastify loads those not named here. */
function notBuilt(): never {
  throw new Error('The application sets its own compilers');
}

function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const wire = inLanguage(languageOf(request), () => toWire(error, request.id));
  // Hooks do not run for what is no request at all.
  reply.header('x-request-id', request.id);
  if (request.raw.readableAborted) {
    request.log.info({ err: error }, 'the client has disconnected');
    return reply.status(400).send(wire);
  }
  // Those of a file that could not be read: a cache would keep the error in its place.
  for (const name of BODY_HEADERS) reply.removeHeader(name);
  reply.header('cache-control', 'no-store');
  const status = statusOf(wire);
  const retryAfter = retryAfterOf(error);
  if (retryAfter) reply.header('retry-after', String(retryAfter));
  // The place that finds the payments unavailable logs it; a busy answer is no failure.
  const isFailure = status >= 500 && wire.code !== 'payments_unavailable' && !retryAfter;
  if (isFailure) request.log.error({ err: error }, 'a request failed');
  return reply.status(status).send(wire);
}

/** Builds the HTTP application without listening; tests use the same one. */
export async function buildApp(deps: AppDeps, options: AppOptions): Promise<FastifyInstance> {
  const { config } = deps;
  const isHttps = config.publicUrl.startsWith('https:');
  // Outside production, a log line for every request would hide the important ones.
  const requestLog: FastifyBaseLogger = deps.log.child(
    {},
    { level: config.isProduction || config.logLevel === 'silent' ? config.logLevel : 'warn' },
  );
  const app = fastify({
    loggerInstance: requestLog,
    trustProxy: trustProxyOption(config.trustProxy),
    bodyLimit: BODY_LIMIT,
    connectionTimeout: 120_000,
    requestTimeout: 60_000,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // Node looks for requests that take too long as often as this; by default every 30 seconds.
    http: { headersTimeout: 15_000, connectionsCheckingInterval: 2_000 },
    routerOptions: { maxParamLength: 200 },
    frameworkErrors: sendError,
    genReqId: () => randomUUID(),
    schemaController: { compilersFactory: { buildValidator: notBuilt, buildSerializer: notBuilt } },
  });
  // Zod validates the input in the procedures; Fastify only uses its schemas for the documentation.
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => JSON.stringify);
  options.watch?.(app);
  app.setErrorHandler((error, request, reply) => {
    // Procedures note their own.
    const call = `${request.method} ${request.routeOptions.url ?? ''}`;
    deps.deniedRequests.note(error, { userId: null, ip: addressOf(request), call });
    return sendError(error, request, reply);
  });
  app.removeContentTypeParser('text/plain');
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) =>
    // Generated clients name a type also where a call has no body.
    body === '' ? done(null, undefined) : parseJson(request, body, done),
  );

  await app.register(helmet, {
    // We set our own header below, because some pages need a nonce.
    contentSecurityPolicy: false,
    strictTransportSecurity: isHttps && { maxAge: 63_072_000, includeSubDomains: true },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
  });
  const policy = contentSecurityPolicy(deps.providers.paymentClient);
  const permissions = permissionsPolicy(deps.providers.paymentClient);
  app.addHook('onRequest', async (request, reply) => {
    reply.header('content-security-policy', policy);
    reply.header('permissions-policy', permissions);
    reply.header('x-request-id', request.id);
    reply.header('keep-alive', KEEP_ALIVE_HINT);
  });
  limitConnections(app, config);
  const shedding = registerShedding(app, {
    databasePoolSize: config.databasePoolSize,
    always: ['/healthz', '/readyz'],
    checksItself: LIVE_ROUTE,
  });
  await app.register(cookie);
  registerCaller(app);
  app.addHook('onRequest', async ({ url }) => {
    if (!isPlainAddress(url)) throw notFound(t`There is nothing at this address`);
  });
  await app.register(compress, { threshold: 1024 });
  // An open event stream would keep the server from closing.
  app.addHook('preClose', () => deps.live.close());
  registerSameOrigin(app, config);
  // From here on: what is read of a body's stream before would lose it.
  app.addHook('preHandler', (_request, _reply, done) => withRequestBudget(done));
  app.addHook('onSend', async (request, reply) => {
    liftRequestBudget();
    if (request.routeOptions.url?.startsWith('/api') && !reply.hasHeader('cache-control'))
      reply.header('cache-control', 'no-store');
  });

  registerHealth(app, deps, options.isReady);
  await registerOpenApi(app, config);
  registerDocs(app, deps.providers.paymentClient, config.publicUrl, options.webRoot);
  registerRestRoutes(app, deps);
  registerImages(app, deps);
  registerPictures(app, deps);
  registerCards(app, deps);
  registerExports(app, deps);
  registerDataExport(app, deps);
  await registerUploads(app, deps, shedding);
  await registerWebhooks(app, deps);
  await registerInboundMail(app, deps, shedding);
  await registerAppleWallet(app, deps);
  await registerUnsubscribe(app, deps);
  if (config.sandboxUrl) addSandboxPages(app, config.sandboxUrl);
  await registerTrpc(app, deps, shedding);
  registerMcp(app, deps);
  registerOAuth(app, deps);
  registerIdentities(app, deps);
  registerCalendar(app, deps);
  registerSecurityTxt(app, deps);
  registerLlmsTxt(app, deps);
  registerJwks(app, deps);
  registerSitemap(app, deps);
  registerManifest(app, deps.config.market);
  await registerWebShell(app, deps, shedding, options);
  return app;
}
