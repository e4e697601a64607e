import path from 'node:path';
import { PassThrough } from 'node:stream';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll } from 'vitest';
import { DEFAULT_RING_PEOPLE } from '#contract/deals/deals.ts';
import { CLAIM_DAYS } from '#contract/money/claims.ts';
import { DEFAULT_FEE_RATES } from '#contract/money/fees.ts';
import { NO_GUARANTEE } from '#contract/money/guarantee.ts';
import { DEFAULT_LIMITS } from '#contract/people/settings.ts';
import { openIdSettings, openSandbox, type Sandbox, sandboxSettings } from '#sandbox/main.ts';
import { openStore } from '#sandbox/store.ts';
import { buildApp } from '#server/app.ts';
import type { Actor, Providers } from '#server/context/context.ts';
import type { Config } from '#server/core/config.ts';
import { environmentSchema } from '#server/core/environment.ts';
import { createLogger, type ProgramLogger } from '#server/core/log.ts';
import { openMarket } from '#server/core/market.ts';
import { readMarket } from '#server/core/market-folder.ts';
import { inboundMailOf, openIdOf, paypalOf, stripeOf } from '#server/core/provider-settings.ts';
import { type RateLimiter, unlimited } from '#server/core/rate-limit.ts';
import type { DatabaseHandle } from '#server/database/client.ts';
import { openLiveEvents } from '#server/database/live.ts';
import { createRateLimiter } from '#server/database/rate-limits.ts';
import { openSources } from '#server/oversight/sources/opening.ts';
import { openDeniedRequests } from '#server/people/audit/denied-requests.ts';
import { resolveSession, startSession } from '#server/people/sessions/sessions.ts';
import { openSettings } from '#server/people/settings/running.ts';
import { openInboundMail } from '#server/providers/inbound-mail/open-inbound-mail.ts';
import { createOutboxMailer } from '#server/providers/mail/outbox.ts';
import { openPayments } from '#server/providers/open-payments.ts';
import { openOpenId } from '#server/providers/openid/open-openid.ts';
import { openPush } from '#server/providers/push/open-push.ts';
import { type AppDeps, sessionCookieName } from '#server/trpc/context.ts';
import { createTestContext, TEST_PUSH, type TestClock, type TestContext } from './builders.ts';
import { chargeDatabaseIn, createTestDatabase, type TestDatabase } from './database.ts';
import { compareAnswers } from './documented-answers.ts';
import { HANGS_MS } from './patience.ts';

const TEST_CONFIG: Config = {
  isProduction: false,
  host: '127.0.0.1',
  port: 0,
  webConcurrency: 1,
  metricsPort: null,
  isTraced: false,
  publicUrl: 'http://localhost',
  databaseUrl: undefined,
  databaseDirectUrl: undefined,
  replica: null,
  preparesStatements: undefined,
  // All requests come from one address, which gets a share of what is answered at a time.
  databasePoolSize: 100,
  redis: null,
  dataDir: '/nowhere',
  market: readMarket(null),
  secretKeys: [Buffer.alloc(32)],
  seedDemo: false,
  trustProxy: false,
  countryHeader: null,
  logLevel: 'silent',
  sandboxUrl: null,
  stripe: null,
  paypal: null,
  storage: { kind: 'folder', folder: '/nowhere', setting: 'DATA_DIR' },
  validatorsFile: null,
  feedsFile: null,
  feeds: [],
  validators: [],
  validatorOrigins: [],
  webhookOrigins: [],
  mail: null,
  inboundMail: null,
  wallets: { apple: null, google: null },
  openId: null,
  supportEmail: 'help@clipswap.example',
  feeRates: DEFAULT_FEE_RATES,
  guarantee: NO_GUARANTEE,
  ringPeopleMax: DEFAULT_RING_PEOPLE,
  claimDays: CLAIM_DAYS.default,
  depositFromNewcomers: 0,
  marketDay: { isOn: true, hour: 20, timeZone: 'UTC' },
  limits: DEFAULT_LIMITS,
  announcement: null,
  maintenance: null,
  searchEngines: { indexNowKey: null, googleServiceAccountFile: null, bingApiKey: null },
  setIn: { environment: [], folder: [] },
};

/** The folder with the page of the application, not built: Vite only adds to it. */
export const WEB_SOURCES = path.resolve(import.meta.dirname, '../../src/web');

/** What a browser says of a request of our own pages. */
export const OUR_PAGE = { 'sec-fetch-site': 'same-origin' } as const;

export interface TestCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  /** The address it comes from. */
  readonly ip?: string;
}

/** What a sandbox can stand in for. */
type StandIn = 'stripe' | 'paypal' | 'mail' | 'inbound-mail' | 'openid';

/**
 * The same application as in production, over its own test database and without a socket. An answer of the REST API that
 * differs from the document fails the test that asked for it or, if it came another way than by `call`, the next one.
 */
export interface TestApp {
  readonly app: FastifyInstance;
  readonly ctx: TestContext;
  readonly deps: AppDeps;
  readonly database: TestDatabase;
  /** Null unless something is to be stood in for. */
  readonly sandbox: Sandbox | null;
  /** Sends a request with the session of `who`; null: without a session. */
  call(who: Actor | null, call: TestCall): Promise<LightMyRequestResponse>;
  /** Calls a procedure over tRPC. */
  trpc(
    who: Actor | null,
    type: 'query' | 'mutation',
    path: string,
    input?: unknown,
    headers?: Record<string, string>,
  ): Promise<LightMyRequestResponse>;
  close(): Promise<void>;
}

/** A log of production, and the lines that it has. */
export function keptLog(logLevel: 'info' | 'debug' | 'trace'): { log: ProgramLogger; lines: string[] } {
  const lines: string[] = [];
  const sink = new PassThrough().on('data', (line) => lines.push(String(line)));
  return { log: createLogger({ logLevel, isProduction: true }, sink), lines };
}

/** The application for the tests of one file. */
export function setUpApp(given?: Parameters<typeof createTestApp>[0]): TestApp {
  const test = {} as TestApp;
  beforeAll(async () => {
    Object.assign(test, await createTestApp(given));
  });
  afterAll(() => test.close());
  return test;
}

/** Another process of a test application, over its database and with its clock. */
export function besides({ database, ctx }: TestApp, given: Parameters<typeof createTestApp>[0] = {}) {
  const shared = { ...database, close: async () => {} };
  return createTestApp({ database: shared, clock: ctx.clock, ...given });
}

/**
 * Builds the test application. `given` replaces parts of the configuration, the clock, the log or the web build's
 * folder.
 */
export async function createTestApp(
  given: {
    config?: Partial<Config>;
    /** Used, and closed, instead of an empty one. */
    database?: TestDatabase;
    /** How many connections the pool of the empty one may open. */
    connections?: number;
    withLimits?: boolean;
    /** Counts instead of nothing. */
    limiter?: RateLimiter;
    clock?: TestClock;
    log?: ProgramLogger;
    webRoot?: string;
    /** How long pages wait for the database; by default as long as a test may take. */
    pageWaitMs?: number;
    watch?: (app: FastifyInstance) => void;
    /** What the sandbox stands in for. */
    standIns?: readonly StandIn[];
    /** How the sandbox delivers webhooks, its faults, and its store. */
    sandbox?: Partial<Pick<Parameters<typeof openSandbox>[0], 'webhooks' | 'fault' | 'store'>>;
    /** How often the settings are read again, in milliseconds; without it, only when they are changed here. */
    settingsMs?: number;
    /** How long to wait for one answer of a payment provider. */
    timeoutMs?: number;
    /** The application's own way to the database, as through a network that fails; the test's stays direct. */
    connect?: (database: TestDatabase) => Promise<DatabaseHandle & { readonly url: string }>;
    /** Opens a replica of the application's database. */
    replica?: (primary: DatabaseHandle) => NonNullable<AppDeps['replica']>;
    /** Replaces any of the other providers. */
    providers?: Partial<Omit<Providers, 'payments' | 'paymentClient'>>;
  } = {},
): Promise<TestApp> {
  const database = given.database ?? (await createTestDatabase({ connections: given.connections }));
  const plain = { ...TEST_CONFIG, ...given.config };
  const { standIns = [] } = given;
  let ownAddress: string | null = null;
  const sandbox =
    standIns.length === 0
      ? null
      : await openSandbox({
          store: openStore(),
          marketplace: () => ownAddress,
          publicUrl: plain.publicUrl,
          webhooks: 'held',
          ...given.sandbox,
        });
  const config = sandbox ? { ...plain, ...settingsOf(sandbox, standIns) } : plain;
  openMarket(config.market);
  await chargeDatabaseIn(database, config.market.currency);
  const base = createTestContext(database, given.clock && { clock: given.clock });
  const { clock, vault } = base;
  const own = (await given.connect?.(database)) ?? database;
  const log = given.log ?? base.log;
  const limiter = given.withLimits ? createRateLimiter(own.pool) : (given.limiter ?? unlimited);
  const { timeoutMs = HANGS_MS } = given;
  const payments = openPayments(config, { timeoutMs, retryAfterMs: 0 });
  const settings = await openSettings({
    db: own.db,
    start: config,
    log,
    everyMs: given.settingsMs ?? null,
  });
  const providers = {
    ...base.providers,
    ...openSources({
      files: { feeds: null, validators: null },
      ...{ settings, vault, log, origins: config.validatorOrigins },
      openFeed: given.providers?.tryFeed ?? base.providers.tryFeed,
    }),
    inboundMail: config.inboundMail && openInboundMail(config.inboundMail),
    openId: config.openId && openOpenId(config.openId, config.publicUrl),
    ...(sandbox && config.mail === 'outbox' && { mail: createOutboxMailer(sandbox.url) }),
    ...(sandbox && { push: openPush({ ...TEST_PUSH, sandboxUrl: sandbox.url }) }),
    ...given.providers,
    payments: payments.providers,
    paymentClient: payments.client,
  };
  const replica = given.replica?.(own) ?? null;
  const live = openLiveEvents({ url: own.url, db: own.db, log, readable: replica?.caughtUp });
  const deniedRequests = openDeniedRequests({ db: own.db, clock, log });
  const ctx = { ...base, config, settings, log, limiter, live, providers };
  const deps = {
    config,
    settings,
    db: own.db,
    replica,
    clock,
    vault,
    limiter,
    log,
    live,
    deniedRequests,
    providers,
  };
  const webRoot = given.webRoot ?? '/nowhere';
  let expectDocumented = () => {};
  const app = await buildApp(deps, {
    webRoot,
    pageWaitMs: given.pageWaitMs ?? HANGS_MS,
    isReady: async () => true,
    watch(built) {
      given.watch?.(built);
      expectDocumented = compareAnswers(built);
    },
  });

  app.addHook('onListen', async () => {
    const address = app.server.address();
    if (address && typeof address === 'object') ownAddress = `http://127.0.0.1:${address.port}`;
  });

  const tokens = new Map<number, string>();
  /** The person's session for calls; reused until it ends. */
  const sessionOf = async ({ id }: Actor): Promise<string> => {
    const open = tokens.get(id);
    if (open && (await resolveSession(base, open))) return open;
    const { token } = await startSession(base.db, clock, id);
    tokens.set(id, token);
    return token;
  };

  const call: TestApp['call'] = async (who, { method, url, body, headers = {}, ip }) => {
    const token = who ? await sessionOf(who) : null;
    const isText = typeof body === 'string';
    const answer = await app.inject({
      method,
      url,
      headers: {
        ...(token && { cookie: `${sessionCookieName(config)}=${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(ip !== undefined && { remoteAddress: ip }),
      ...(body !== undefined && { payload: isText ? body : JSON.stringify(body) }),
    });
    expectDocumented();
    return answer;
  };

  return {
    app,
    ctx,
    deps,
    database,
    sandbox,
    call,
    trpc: (who, type, path, input, headers = {}) => {
      const query = input === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify(input))}`;
      return type === 'query'
        ? call(who, { method: 'GET', url: `/api/trpc/${path}${query}`, headers: { ...OUR_PAGE, ...headers } })
        : call(who, {
            method: 'POST',
            url: `/api/trpc/${path}`,
            headers,
            ...(input !== undefined && { body: input }),
          });
    },
    close: async () => {
      await app.close();
      await live.close();
      await replica?.close();
      await deniedRequests.close();
      settings.close();
      await providers.pictures.close();
      await sandbox?.close();
      if (own !== database) await own.close();
      await database.close();
      expectDocumented();
    },
  };
}

/** The settings that a program gets for its stand-ins. */
export function settingsOf({ url }: Sandbox, standIns: readonly StandIn[]) {
  const env = environmentSchema.parse({ ...sandboxSettings(url), ...openIdSettings(url) });
  return {
    sandboxUrl: url,
    ...(standIns.includes('stripe') && { stripe: stripeOf(env) }),
    ...(standIns.includes('paypal') && { paypal: paypalOf(env) }),
    ...(standIns.includes('mail') && { mail: 'outbox' as const }),
    ...(standIns.includes('inbound-mail') && { inboundMail: inboundMailOf(env) }),
    ...(standIns.includes('openid') && { openId: openIdOf(env) }),
  };
}
