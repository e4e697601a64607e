import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { DEMO_PASSWORD } from '#contract/people/accounts.ts';
import { openSandbox, type Sandbox, sandboxSettings } from '#sandbox/main.ts';
import { openStore, type SandboxStore } from '#sandbox/store.ts';
import { systemClock } from '#server/core/clock.ts';
import { loadConfig } from '#server/core/config.ts';
import { openDeniedRequests } from '#server/people/audit/denied-requests.ts';
import type { Program } from '#server/program.ts';
import { openPayments } from '#server/providers/open-payments.ts';
import { createTestContext, createUser } from '#tests/support/builders.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { itLong } from '#tests/support/long-form.ts';
import { createDemoDatabase } from '../../tests/demo.ts';
import { planDemo } from './plan.ts';
import { type SeedProgram, seedDemoOnce, withoutSales } from './seed.ts';

const TABLES = [
  'users',
  'sessions',
  'coupons',
  'couponSecrets',
  'couponReveals',
  'couponReservations',
  'couponTransfers',
  'exchanges',
  'bids',
  'sellerAccounts',
  'paymentTransactions',
  'claims',
  'paymentCustomers',
  'paymentMethods',
  'ledgerJournals',
  'ledgerEntries',
  'notifications',
  'mailOutbox',
  'transactionLogs',
  'userRatings',
  'leaderboard',
  'feedOffers',
  'feedMerchants',
  'savedCoupons',
  'expiryReminders',
  'messages',
  'userReports',
] as const;

let database: TestDatabase;
let sandbox: Sandbox;
const consoleLog = vi.spyOn(console, 'log').mockImplementation(() => {});

/** The program on the test's database, with the real clock, because the demo data is relative to today. */
function programOf(
  { db, pool }: TestDatabase,
  given: Partial<Program['deps']> = {},
  settings: Record<string, string> = sandboxSettings(sandbox.url),
): SeedProgram {
  const config = loadConfig({
    NODE_ENV: 'test',
    SECRET_KEY: Buffer.alloc(32).toString('base64'),
    SEED_DEMO: 'true',
    ...settings,
  });
  const base = createTestContext({ db });
  const { vault, limiter, log, live, settings: started, providers: others } = base;
  const payments = openPayments(config);
  const providers = { ...others, payments: payments.providers, paymentClient: payments.client };
  const deniedRequests = openDeniedRequests({ db, clock: systemClock, log });
  const services = {
    settings: started,
    vault,
    limiter,
    log,
    live,
    deniedRequests,
    providers,
  };
  const deps = { config, db, replica: null, clock: systemClock, ...services, ...given };
  return { deps, pool };
}

async function countRows({ db }: TestDatabase): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of TABLES) {
    const { count } = await db
      .selectFrom(table)
      .select((select) => select.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    counts[table] = count;
  }
  return counts;
}

const NOTHING = Object.fromEntries(TABLES.map((table) => [table, 0]));

/** The rows that an interrupted run left behind. */
let leftBehind: Record<string, number>;

beforeAll(async () => {
  database = await createTestDatabase();
  const store = openStore();
  let hasMoneyMoved = false;
  const watched: SandboxStore = {
    ...store,
    put(kind, id, value) {
      hasMoneyMoved ||= kind === 'stripe.charge';
      return store.put(kind, id, value);
    },
  };
  sandbox = await openSandbox({
    store: watched,
    marketplace: () => null,
    publicUrl: 'http://localhost',
    webhooks: 'held',
  });
  const { vault } = createTestContext(database);
  const failing = {
    ...vault,
    seal(text: string, context: string) {
      // A rollback does not undo what the sandboxes have done.
      if (hasMoneyMoved) throw new Error('the power went out');
      return vault.seal(text, context);
    },
  };
  await expect(seedDemoOnce(programOf(database, { vault: failing }))).rejects.toThrow();
  expect(hasMoneyMoved).toBe(true);
  leftBehind = await countRows(database);
});
afterAll(async () => {
  await sandbox?.close();
  await database?.close();
});

describe('filling the marketplace', () => {
  it('leaves nothing behind when it is interrupted', () => {
    expect(leftBehind).toEqual(NOTHING);
  });

  it('happens once, also when two processes start at once or when run again', async () => {
    const filledByTwo = await createDemoDatabase();
    try {
      const before = await countRows(filledByTwo);
      expect(before).toMatchObject({ users: 41, coupons: 303, exchanges: 98, bids: 65 });
      consoleLog.mockClear();
      await seedDemoOnce(programOf(filledByTwo));
      expect(await countRows(filledByTwo)).toEqual(before);
      expect(consoleLog).not.toHaveBeenCalled();
    } finally {
      await filledByTwo.close();
    }
  });

  it('does not happen without the setting, or after anybody has registered', async () => {
    const empty = await createTestDatabase();
    try {
      const { deps } = programOf(empty);
      await seedDemoOnce(programOf(empty, { config: { ...deps.config, seedDemo: false } }));
      expect(await countRows(empty)).toEqual(NOTHING);
      await createUser(createTestContext(empty));
      await seedDemoOnce(programOf(empty));
      expect(await countRows(empty)).toEqual({ ...NOTHING, users: 1 });
    } finally {
      await empty.close();
    }
  });
});

describe('with real payments, or none', () => {
  it('plans no sales, no moderators and nothing that one has decided', () => {
    const { people, coupons, swaps, bids } = withoutSales(planDemo());
    expect({ bids, roles: people.flatMap(({ role }) => role ?? []) }).toEqual({ bids: [], roles: [] });
    expect([people.length, coupons.length, swaps.length]).toEqual([40, 300, 96]);
    const claims = swaps.flatMap(({ claim }) => claim ?? []);
    expect(claims.length).toBeGreaterThan(0);
    expect(claims.filter(({ note }) => note !== undefined)).toEqual([]);
  });

  itLong('has no sales, no payments and no moderators', async () => {
    const real = await createTestDatabase();
    try {
      consoleLog.mockClear();
      await seedDemoOnce(programOf(real, {}, {}));
      expect(consoleLog.mock.calls).toEqual([
        [
          'The marketplace is filled with 40 demo people, 300 coupons, 96 exchanges and 0 bids. ' +
            `Sign in as maple_mia with the password ${DEMO_PASSWORD}.`,
        ],
      ]);
      const sales = { bids: 0, sellerAccounts: 0, paymentTransactions: 0, ledgerJournals: 0 };
      expect(await countRows(real)).toMatchObject({ users: 40, exchanges: 98, ...sales });
      const roles = await real.db.selectFrom('users').select('role').distinct().execute();
      expect(roles).toEqual([{ role: 'user' }]);
    } finally {
      await real.close();
    }
  });
});
