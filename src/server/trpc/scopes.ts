import type { ApiScope, ScopeGroup } from '#contract/people/api-keys.ts';

/** The scope of one call: its group; the same for one that shows a code; 'any': every key may make it; null: none may. */
type CallScope = ScopeGroup | { readonly showsCode: ScopeGroup } | 'any' | null;

interface DomainScopes {
  /** The group of its calls; null: they are for people only. */
  readonly group: ScopeGroup | null;
  /** The calls that differ. */
  readonly calls?: Readonly<Record<string, CallScope>>;
}

/** What `SCOPES` has to have for these routers. */
export type ScopesOf<Routers> = { readonly [Domain in keyof Routers]: DomainScopes };

/**
 * What a key needs for each domain's calls: `<group>:read` for queries, `<group>:write` for mutations, and `codes:read`
 * besides for what shows a code. No key may make calls about the ways into an account, nor those that hand out another
 * credential which would outlive the key: private addresses, pushes, passes of wallets, the copy of all data.
 */
export const SCOPES = {
  accounts: {
    group: null,
    calls: { me: 'profile', currentUser: 'profile', chooseLanguage: 'profile' },
  },
  admin: { group: 'admin', calls: { resetSecondFactor: null } },
  apiKeys: { group: null, calls: { whose: 'any' } },
  assistantRequests: { group: null, calls: { ask: 'any', byId: 'any' } },
  away: { group: 'profile' },
  bids: { group: 'deals' },
  blocks: { group: 'profile' },
  calendar: { group: null },
  claims: { group: 'deals', calls: { list: 'moderation', counts: 'moderation', decide: 'moderation' } },
  coupons: {
    group: 'coupons',
    calls: {
      reveal: { showsCode: 'coupons' },
      codeImage: { showsCode: 'coupons' },
      atTill: { showsCode: 'coupons' },
      keepCodes: { showsCode: 'coupons' },
      reportViews: { showsCode: 'coupons' },
    },
  },
  dataExports: { group: null },
  deals: { group: 'deals' },
  deposits: { group: 'payments' },
  discover: { group: 'coupons' },
  drafts: {
    group: 'coupons',
    calls: {
      list: { showsCode: 'coupons' },
      address: null,
      renewAddress: null,
      removeAddress: null,
      receiveMail: null,
    },
  },
  exchanges: { group: 'deals' },
  health: { group: 'coupons' },
  identities: { group: null },
  images: {
    group: 'coupons',
    calls: { read: { showsCode: 'coupons' }, extractCode: { showsCode: 'coupons' } },
  },
  leaderboard: { group: 'profile' },
  live: { group: null },
  // Only a person agrees that something of theirs is traded without asking.
  marketDays: { group: 'deals', calls: { consentForWant: null, consentForCoupon: null } },
  matches: { group: 'deals' },
  merchants: { group: 'coupons' },
  messages: { group: 'messages' },
  moderation: { group: 'moderation', calls: { report: 'profile' } },
  notifications: { group: 'notifications', calls: { unsubscribe: null } },
  oauth: { group: null },
  operations: { group: 'admin' },
  paymentIssues: { group: 'admin' },
  payments: { group: 'payments', calls: { decideClaim: 'moderation', receiveEvent: null } },
  pictures: { group: 'coupons' },
  profiles: { group: 'profile' },
  proofs: { group: 'coupons' },
  push: { group: null },
  ratings: { group: 'deals' },
  search: { group: 'coupons' },
  sellers: {
    group: 'payments',
    calls: { createAccountLink: null, createPaypalOnboardingLink: null },
  },
  seo: { group: null },
  settings: { group: null, calls: { announcement: 'profile' } },
  sources: { group: null },
  walletPasses: { group: null },
  wants: { group: 'coupons' },
  webhooks: { group: 'webhooks' },
} as const satisfies Record<string, DomainScopes>;

/**
 * The scopes that a key needs for a call; null: no key may make it.
 * @param path the name of the call: 'coupons.list'
 */
export function neededScopes(path: string, type: 'query' | 'mutation' | 'subscription'): ApiScope[] | null {
  const [domain = '', call = ''] = path.split('.');
  const scopes: Readonly<Record<string, DomainScopes>> = SCOPES;
  const ofDomain = scopes[domain];
  const scope = ofDomain?.calls?.[call] === undefined ? (ofDomain?.group ?? null) : ofDomain.calls[call];
  if (scope === null || type === 'subscription') return null;
  if (scope === 'any') return [];
  const access = type === 'query' ? 'read' : 'write';
  return typeof scope === 'string' ? [`${scope}:${access}`] : [`${scope.showsCode}:${access}`, 'codes:read'];
}
