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

const SERVER = 'src/server';

export const MODULES: Readonly<Record<string, Module>> = {
  fees: {
    mutate: ['src/contract/money/fees.ts'],
    tests: ['src/contract/money/fees.test.ts'],
    withConstants: true,
  },
  'ledger-rules': {
    mutate: [`${SERVER}/money/books/rules.ts`],
    tests: [`${SERVER}/money/books/rules.test.ts`],
    withConstants: true,
  },
  ledger: {
    mutate: [
      `${SERVER}/money/books/ledger.ts`,
      `${SERVER}/money/books/reserve.ts`,
      `${SERVER}/money/debts/service.ts`,
    ],
    tests: [
      `${SERVER}/money/books/{checking,ledger,reserve}.test.ts`,
      `${SERVER}/money/payments/{debts,empty-reserve,disputes,refunding}.test.ts`,
      `${SERVER}/money/claims/{guarantee,offered-cover}.test.ts`,
    ],
  },
  settlement: {
    mutate: [`${SERVER}/money/payments/{settlement,apply,facts}.ts`],
    tests: [
      `${SERVER}/money/payments/{settlement,paying,refunding,returning,cards,leg-prices,unpaid-bids,payouts}.test.ts`,
      `${SERVER}/money/claims/guarantee.test.ts`,
    ],
  },
  'payment-decisions': {
    mutate: [`${SERVER}/money/payments/{decide,decide-movement,decide-attempt,changes}.ts`],
    tests: [`${SERVER}/money/payments/{decide*,changes}.test.ts`],
    withConstants: true,
  },
  'deposit-decisions': {
    mutate: [`${SERVER}/money/deposits/decide.ts`],
    tests: [`${SERVER}/money/deposits/decide.test.ts`],
    withConstants: true,
  },
  'claim-decisions': {
    mutate: [`${SERVER}/money/claims/{decide,defaults,redemptions}.ts`],
    tests: [`${SERVER}/money/claims/{decide,defaults,redemptions}.test.ts`],
    withConstants: true,
  },
  'payment-rules': {
    mutate: [`${SERVER}/money/payments/rules.ts`],
    tests: [`${SERVER}/money/payments/rules.test.ts`],
    withConstants: true,
  },
  'payment-reports': {
    mutate: [`${SERVER}/money/payments/reports.ts`],
    tests: [`${SERVER}/money/payments/reports.test.ts`],
  },
  claims: {
    mutate: [
      `${SERVER}/money/claims/{holds,sale-claims,leg-claims,deadlines,verdicts,sale-stop,findings}.ts`,
    ],
    tests: [
      `${SERVER}/money/claims/*.test.ts`,
      `${SERVER}/money/payments/{payouts,disputes,refunding,leg-prices}.test.ts`,
      `${SERVER}/{deals/bids/service,deals/bids/moves,people/clocks/clock-stops}.test.ts`,
    ],
  },
  bids: {
    mutate: [`${SERVER}/deals/bids/{service,apply}.ts`],
    tests: [
      `${SERVER}/deals/bids/*.test.ts`,
      `${SERVER}/money/claims/sale-claims.test.ts`,
      `${SERVER}/money/payments/{disputes,refunding,reissues}.test.ts`,
      `${SERVER}/deals/{lifecycle,list}/*.test.ts`,
    ],
  },
  'bid-decisions': {
    mutate: [`${SERVER}/deals/bids/decide.ts`, `${SERVER}/deals/bids/decide-sale.ts`],
    tests: [`${SERVER}/deals/bids/{decide,refusals}.test.ts`],
  },
  'bid-rules': {
    mutate: [`${SERVER}/deals/bids/rules.ts`],
    tests: [`${SERVER}/deals/bids/rules.test.ts`],
  },
  deals: {
    mutate: [`${SERVER}/deals/lifecycle/{service,apply,expiry}.ts`],
    tests: [
      `${SERVER}/{deals/{lifecycle,list,bids,exchanges},oversight/moderation}/*.test.ts`,
      `${SERVER}/money/payments/{unpaid-bids,leg-prices,reissues}.test.ts`,
      `${SERVER}/money/claims/price-refunds.test.ts`,
      `${SERVER}/{people/clocks/clock-stops,deals/away/away}.test.ts`,
    ],
  },
  'ending-decisions': {
    mutate: [`${SERVER}/deals/lifecycle/decide.ts`],
    tests: [`${SERVER}/deals/lifecycle/decide.test.ts`],
  },
  'deal-rules': {
    mutate: [`${SERVER}/deals/lifecycle/{rules,terms}.ts`],
    tests: [`${SERVER}/deals/lifecycle/{rules,terms}.test.ts`],
  },
  legs: {
    mutate: [
      `${SERVER}/deals/lifecycle/exchange-legs-sql.ts`,
      `${SERVER}/deals/exchanges/apply.ts`,
      `${SERVER}/coupons/core/reservations.ts`,
    ],
    tests: [
      `${SERVER}/deals/exchanges/*.test.ts`,
      `${SERVER}/coupons/core/reservations.test.ts`,
      `${SERVER}/money/{payments/leg-prices,payments/reissues,claims/price-refunds}.test.ts`,
    ],
  },
  'leg-rules': {
    mutate: [`${SERVER}/deals/exchanges/rules.ts`],
    tests: [`${SERVER}/deals/exchanges/rules.test.ts`],
  },
  'exchange-decisions': {
    mutate: [`${SERVER}/deals/exchanges/{decide,decide-prices}.ts`],
    tests: [`${SERVER}/deals/exchanges/{decide,decide-prices,refusals}.test.ts`],
  },
  reveals: {
    mutate: [`${SERVER}/coupons/codes/reveals.ts`],
    tests: [
      `${SERVER}/coupons/codes/{reveals,reissuing}.test.ts`,
      `${SERVER}/money/payment-issues/evidence.test.ts`,
    ],
  },
  vault: {
    mutate: ['src/server/core/crypto.ts'],
    tests: ['src/server/core/crypto.test.ts'],
    withConstants: true,
  },
  'vault-keys': {
    mutate: ['src/server/database/vault.ts'],
    tests: ['src/server/database/vault.test.ts'],
  },
  sessions: {
    mutate: [`${SERVER}/people/sessions/{sessions,store,sign-ins}.ts`],
    tests: [`${SERVER}/people/sessions/*.test.ts`],
  },
  'second-factor': {
    mutate: [`${SERVER}/people/accounts/{second-factor,second-factor-store,tries}.ts`],
    tests: [
      `${SERVER}/people/accounts/{second-factor,limits,ways-in,signing-in,passkeys,passkey-sign-in,passwords}.test.ts`,
      `${SERVER}/oversight/moderation/lost-factors.test.ts`,
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
    mutate: [`${SERVER}/coupons/core/code-tries.ts`],
    tests: ['tests/api/{guessed-codes,guessing}.test.ts'],
  },
  access: {
    mutate: ['src/server/trpc/{procedures,scopes}.ts'],
    tests: [
      'src/server/trpc/scopes.test.ts',
      'tests/api/{access,api-keys,defending,denied-requests,maintenance,request-log}.test.ts',
    ],
  },
  maintenance: {
    mutate: ['src/server/trpc/maintenance.ts'],
    tests: ['tests/api/maintenance.test.ts'],
  },
};
