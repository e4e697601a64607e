/** What money and trust depend on, and the tests that have to notice each change of it. */

export interface Module {
  /** The files that are changed. */
  readonly mutate: readonly string[];
  /** Patterns of the test files that are run. */
  readonly tests: readonly string[];
  /**
   * Whether what is computed once, while a module is loaded, is changed, too: each such change needs a new process, which
   * takes long where the tests load the whole server.
   */
  readonly withConstants?: boolean;
}

const DOMAINS = 'src/server/domains';

export const MODULES: Readonly<Record<string, Module>> = {
  fees: {
    mutate: ['src/contract/money/fees.ts'],
    tests: ['src/contract/money/fees.test.ts'],
    withConstants: true,
  },
  'ledger-rules': {
    mutate: [`${DOMAINS}/books/rules.ts`],
    tests: [`${DOMAINS}/books/rules.test.ts`],
    withConstants: true,
  },
  ledger: {
    mutate: [`${DOMAINS}/books/service.ts`, `${DOMAINS}/books/reserve.ts`, `${DOMAINS}/books/debts.ts`],
    tests: [
      `${DOMAINS}/books/{checking,service,fees}.test.ts`,
      `${DOMAINS}/payments/{debts,empty-reserve,guarantee,disputes,refunding}.test.ts`,
    ],
  },
  settlement: {
    mutate: [`${DOMAINS}/payments/settlement.ts`],
    tests: [
      `${DOMAINS}/payments/{settlement,paying,refunding,cards,checkout,leg-prices,unpaid-bids,outside}.test.ts`,
      `${DOMAINS}/books/fees.test.ts`,
    ],
  },
  'payment-rules': {
    mutate: [`${DOMAINS}/payments/rules.ts`],
    tests: [`${DOMAINS}/payments/rules.test.ts`],
    withConstants: true,
  },
  'payment-reports': {
    mutate: [`${DOMAINS}/payments/reports.ts`],
    tests: [`${DOMAINS}/payments/reports.test.ts`],
  },
  holds: {
    mutate: [`${DOMAINS}/payments/holds.ts`, `${DOMAINS}/payments/protection.ts`],
    tests: [
      `${DOMAINS}/payments/{protection,claim-deadlines,guarantee,payouts,disputes,refunding,leg-prices,price-refunds}.test.ts`,
      `${DOMAINS}/{bids/service,bids/moves,clock-stops}.test.ts`,
    ],
  },
  bids: {
    mutate: [`${DOMAINS}/bids/{service,transitions}.ts`],
    tests: [
      `${DOMAINS}/bids/*.test.ts`,
      `${DOMAINS}/payments/{protection,disputes,refunding,reissues}.test.ts`,
      `${DOMAINS}/deals/*.test.ts`,
    ],
  },
  'bid-rules': {
    mutate: [`${DOMAINS}/bids/rules.ts`],
    tests: [`${DOMAINS}/bids/rules.test.ts`],
  },
  deals: {
    mutate: [`${DOMAINS}/deals/{service,expiry}.ts`],
    tests: [
      `${DOMAINS}/{deals,bids,exchanges,moderation}/*.test.ts`,
      `${DOMAINS}/payments/{unpaid-bids,leg-prices,price-refunds,reissues}.test.ts`,
      `${DOMAINS}/{clock-stops,away/away}.test.ts`,
    ],
  },
  'deal-rules': {
    mutate: [`${DOMAINS}/deals/rules.ts`],
    tests: [`${DOMAINS}/deals/rules.test.ts`],
  },
  legs: {
    mutate: [
      `${DOMAINS}/exchange-legs.ts`,
      `${DOMAINS}/exchanges/{completing,transitions}.ts`,
      `${DOMAINS}/coupons/reservations.ts`,
    ],
    tests: [
      `${DOMAINS}/exchanges/*.test.ts`,
      `${DOMAINS}/payments/{leg-prices,price-refunds,reissues}.test.ts`,
    ],
  },
  'leg-rules': {
    mutate: [`${DOMAINS}/exchanges/rules.ts`],
    tests: [`${DOMAINS}/exchanges/rules.test.ts`],
  },
  reveals: {
    mutate: [`${DOMAINS}/coupons/reveals.ts`],
    tests: [`${DOMAINS}/coupons/{reveals,reissuing}.test.ts`, `${DOMAINS}/payment-issues/evidence.test.ts`],
  },
  vault: {
    mutate: ['src/server/core/crypto.ts'],
    tests: ['src/server/core/crypto.test.ts'],
    withConstants: true,
  },
  'vault-keys': {
    mutate: ['src/server/database/vault.ts'],
    tests: ['tests/faults/key-rotation.test.ts'],
  },
  sessions: {
    mutate: [`${DOMAINS}/sessions/{service,store,sign-ins}.ts`],
    tests: [`${DOMAINS}/sessions/*.test.ts`],
  },
  'second-factor': {
    mutate: [`${DOMAINS}/accounts/{second-factor,second-factor-store,tries}.ts`],
    tests: [
      `${DOMAINS}/accounts/{second-factor,limits,ways-in,signing-in,passkeys,passkey-sign-in,passwords}.test.ts`,
      `${DOMAINS}/moderation/lost-factors.test.ts`,
      'tests/faults/key-rotation.test.ts',
      'tests/api/{lockout,access}.test.ts',
    ],
  },
  'rate-limits': {
    mutate: ['src/server/core/rate-limit.ts', 'src/server/database/rate-limits.ts'],
    tests: ['src/server/{core/rate-limit,database/rate-limits}.test.ts'],
    withConstants: true,
  },
  'code-tries': {
    mutate: [`${DOMAINS}/code-tries.ts`],
    tests: ['tests/api/{guessed-codes,guessing}.test.ts'],
  },
  access: {
    mutate: ['src/server/trpc/{procedures,scopes}.ts'],
    tests: ['src/server/trpc/scopes.test.ts', 'tests/api/{access,api-keys,banned}.test.ts'],
  },
  maintenance: {
    mutate: ['src/server/trpc/maintenance.ts'],
    tests: ['tests/api/maintenance.test.ts'],
  },
};
