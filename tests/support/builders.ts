import { randomUUID } from 'node:crypto';
import type { Insertable } from 'kysely';
import { beforeAll, beforeEach } from 'vitest';
import { DEFAULT_RING_PEOPLE } from '#contract/deals/deals.ts';
import { CLAIM_DAYS } from '#contract/money/claims.ts';
import { DEFAULT_FEE_RATES, type FeeRates } from '#contract/money/fees.ts';
import { NO_GUARANTEE } from '#contract/money/guarantee.ts';
import { type UserStatus, userRoleSchema, userStatusSchema } from '#contract/people/accounts.ts';
import type { UserRole } from '#contract/people/roles.ts';
import { DEFAULT_LIMITS, type SettingValues } from '#contract/people/settings.ts';
import type { Actor, Context, MemberContext, Providers } from '#server/context/context.ts';
import { addDays, type Clock, utcDay } from '#server/core/clock.ts';
import { createVault } from '#server/core/crypto.ts';
import type { LiveEvents } from '#server/core/live.ts';
import { createLogger, type ProgramLogger } from '#server/core/log.ts';
import { type RateLimiter, unlimited } from '#server/core/rate-limit.ts';
import { codeFingerprint } from '#server/coupons/core/code-fingerprint.ts';
import { codeContext } from '#server/coupons/core/view.ts';
import type { Database } from '#server/database/client.ts';
import type { DB } from '#server/database/types.ts';
import { TRUST } from '#server/people/sessions/trust-sql.ts';
import type { RunningSettings } from '#server/people/settings/running.ts';
import { internet } from '#server/providers/guarded-network.ts';
import { openPush } from '#server/providers/push/open-push.ts';
import { openSearchEngines } from '#server/providers/search-engines/search-engines.ts';
import { createMemoryStorage } from '#server/providers/storage/memory-storage.ts';
import { openValidators } from '#server/providers/validators/open-validators.ts';
import { openWebhooks } from '#server/providers/webhooks/open-webhooks.ts';
import { openFeedPictures } from '#server/readers/feeds/feed-pictures.ts';
import { openFeed, TRY_LIMITS } from '#server/readers/feeds/open-feeds.ts';
import { setUpDatabase } from './database.ts';
import { sharedPictures } from './picture-processes.ts';

/** A clock that stands still until the test moves it. */
export interface TestClock extends Clock {
  set(instant: Date): void;
  /** Moves the clock by a number of days; fractions and negative numbers are allowed. */
  advanceDays(days: number): void;
}

/** Ahead of the wall clock, so that days counted from here pass the contract's checks against the real date. */
const TEST_NOW = new Date('2035-06-15T12:00:00.000Z');

/** A clock that starts at `start`, by default 2035-06-15, noon UTC. */
export function createTestClock(start: Date = TEST_NOW): TestClock {
  let now = start;
  return Object.assign(() => new Date(now), {
    set(instant: Date) {
      now = instant;
    },
    advanceDays(days: number) {
      now = addDays(now, days);
    },
  });
}

export interface TestContext extends Context {
  readonly clock: TestClock;
  readonly log: ProgramLogger;
}

/** Live events without followers. */
const noLiveEvents: LiveEvents = {
  async open() {},
  transport: () => 'database',
  follow() {
    throw new Error('Nobody can follow here');
  },
  count: () => 0,
  async close() {},
};

/** What push services know us by. */
export const TEST_PUSH = {
  keys: {
    publicKey: 'BHAQneqKrEA5G4EoZoXrs_gEilDDdE6C7iuhs_PNFpw9MTeXxdc-iU0FooE_sqP3kvIfmUq8C_2T3JJ6tlqSlDw',
    privateKey: 'oyKJDwJ3ESXx9LCmtlOUUatKH7uv1lL5M0lBhVH77ss',
  },
  contact: 'https://clipswap.example',
};

/** Knows no host. */
const NO_NETWORK = { ...internet, resolve: async () => [] };

/** Providers without external services; pictures are read and stored as in production. */
function createProviders(): Providers {
  return {
    payments: { stripe: null, paypal: null },
    paymentClient: { isSandbox: false, stripe: null, paypal: null },
    storage: createMemoryStorage(),
    pictures: sharedPictures(),
    validators: openValidators({ adapters: [] }),
    feeds: () => [],
    tryFeed: (setting) => openFeed(setting, { network: NO_NETWORK, limits: TRY_LIMITS }),
    feedPictures: openFeedPictures(),
    mail: null,
    push: openPush({ ...TEST_PUSH, sandboxUrl: null }),
    webhooks: openWebhooks({ network: NO_NETWORK }),
    inboundMail: null,
    wallets: { apple: null, google: null },
    openId: null,
    searchEngines: openSearchEngines(null),
  };
}

/** The secret key of the test contexts. */
export const TEST_SECRET_KEY = Buffer.alloc(32, 'test vault key');

/** Settings that nobody changes. */
function unchangedSettings(values: SettingValues): RunningSettings {
  const start = { ...values, setIn: { environment: [], folder: [] } };
  return { start, current: () => values, keys: () => [], refresh: async () => {}, close: () => {} };
}

/** A context over a test database: a fixed key, no log, a clock that stands still, and no actor. */
export function createTestContext(
  testDatabase: { readonly db: Database },
  given: {
    clock?: TestClock;
    actor?: Actor;
    limiter?: RateLimiter;
    ip?: string;
    providers?: Partial<Providers>;
    feeRates?: FeeRates;
    live?: LiveEvents;
  } = {},
): TestContext {
  const values: SettingValues = {
    feeRates: given.feeRates ?? DEFAULT_FEE_RATES,
    guarantee: NO_GUARANTEE,
    ringPeopleMax: DEFAULT_RING_PEOPLE,
    claimDays: CLAIM_DAYS.default,
    depositFromNewcomers: 0,
    marketDay: { isOn: true, hour: 20, timeZone: 'UTC' },
    limits: DEFAULT_LIMITS,
    announcement: null,
    maintenance: null,
    feeds: [],
    validators: [],
  };
  return {
    db: testDatabase.db,
    clock: given.clock ?? createTestClock(),
    vault: createVault([TEST_SECRET_KEY]),
    limiter: given.limiter ?? unlimited,
    log: createLogger({ logLevel: 'silent', isProduction: true }),
    providers: { ...createProviders(), ...given.providers },
    config: {
      publicUrl: 'http://localhost',
      supportEmail: 'help@clipswap.example',
      ...values,
      validatorOrigins: [],
    },
    settings: unchangedSettings(values),
    actor: given.actor ?? null,
    live: given.live ?? noLiveEvents,
    ip: given.ip ?? '192.0.2.1',
    userAgent: '',
  };
}

/** The same context with a signed-in person. */
export function actingAs<Given extends Context>(ctx: Given, actor: Actor): Given & MemberContext {
  return { ...ctx, actor };
}

/** The password of everybody created by `createUser`. */
export const TEST_PASSWORD = 'correct horse battery';
/** Its Argon2id hash at the lowest possible cost, so that tests are fast. */
const TEST_PASSWORD_HASH =
  '$argon2id$v=19$m=8,t=1,p=1$JQ5o4eHj7K0bB+8ZvtG0pw$ya4H15LIUwBAUfrDfFzacMs2lh4MuASVfpW8Vy2Ryko';

let counter = 0;

/**
 * Inserts a person with a confirmed address and a good record directly into the database; any column can be given.
 */
export async function createUser(
  ctx: Context,
  columns: Partial<Insertable<DB['users']>> & { role?: UserRole; status?: UserStatus } = {},
): Promise<Actor> {
  counter += 1;
  const now = ctx.clock();
  const username = columns.username ?? `person-${counter}`;
  const row = await ctx.db
    .insertInto('users')
    .values({
      username,
      email: `${username}@example.org`,
      passwordHash: TEST_PASSWORD_HASH,
      termsAcceptedAt: now,
      adultConfirmedAt: now,
      createdAt: now,
      updatedAt: now,
      emailVerifiedAt: now,
      establishedAt: now,
      ...columns,
    })
    .returning(['id', 'username', 'role', 'status', 'createdAt', ...TRUST])
    .executeTakeFirstOrThrow();
  return {
    id: row.id,
    username: row.username,
    role: userRoleSchema.parse(row.role),
    status: userStatusSchema.parse(row.status),
    memberSince: row.createdAt,
    isConfirmed: row.isConfirmed,
    isEstablished: row.isEstablished,
  };
}

/** A link to a provider that nobody uses. @returns its id */
export async function createIdentity(
  { db, clock }: Context,
  { id: userId }: Pick<Actor, 'id'>,
): Promise<number> {
  const { id } = await db
    .insertInto('identities')
    .values({ userId, issuer: 'https://id.example', subject: randomUUID(), createdAt: clock() })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** A passkey that signs nothing. @returns its id */
export async function createPasskey(
  { db, clock }: Context,
  { id: userId }: Pick<Actor, 'id'>,
): Promise<number> {
  const { id } = await db
    .insertInto('passkeys')
    .values({
      userId,
      credentialId: randomUUID(),
      publicKey: Buffer.alloc(1),
      counter: 0,
      transports: [],
      name: 'Key',
      createdAt: clock(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** What tests need to know of a coupon. */
export interface TestCoupon {
  readonly id: number;
  readonly ownerId: number;
  readonly title: string;
  readonly merchant: string;
  /** Null for a coupon without a code. */
  readonly code: string | null;
}

/**
 * Inserts a coupon of 10 CAD directly into the database, with its code encrypted; it expires in 30 days. Any column can
 * be given, and `code` (null: none); give `expiryDate: null` with `hasNoExpiry: true`.
 */
export async function createCoupon(
  ctx: Context,
  owner: Pick<Actor, 'id'>,
  given: Partial<Insertable<DB['coupons']>> & { code?: string | null } = {},
): Promise<TestCoupon> {
  counter += 1;
  const now = ctx.clock();
  const { code = `TESTCODE-${counter}-SECRET`, ...columns } = given;
  const merchant = columns.merchant ?? 'Bakery Lane';
  const row = await ctx.db
    .insertInto('coupons')
    .values({
      ownerId: owner.id,
      title: `Test coupon ${counter}`,
      description: 'A coupon that a test has made.',
      value: 1_000,
      merchant,
      category: 'food',
      // Public codes are never listed.
      isActive: columns.category !== 'imported' && columns.category !== 'scraped',
      expiryDate: utcDay(addDays(now, 30)),
      codeHash: code === null ? null : codeFingerprint(ctx.vault, merchant, code),
      createdAt: now,
      updatedAt: now,
      ...columns,
    })
    .returning(['id', 'ownerId', 'title', 'merchant'])
    .executeTakeFirstOrThrow();
  if (code !== null) {
    await ctx.db
      .insertInto('couponSecrets')
      .values({ couponId: row.id, code: ctx.vault.seal(code, codeContext(row.id)) })
      .execute();
  }
  return { ...row, code };
}

/** A context for the tests of one file, over its own test database unless one is given. */
export function setUpContext(database: { readonly db: Database } = setUpDatabase()): TestContext {
  const ctx = {} as TestContext;
  beforeAll(() => {
    Object.assign(ctx, createTestContext(database));
  });
  return ctx;
}

/** Like `setUpContext`, with a new clock and new providers before each test. */
export function setUpFreshContext(database: { readonly db: Database } = setUpDatabase()): TestContext {
  const ctx = {} as TestContext;
  beforeEach(() => {
    Object.assign(ctx, createTestContext(database));
  });
  return ctx;
}
