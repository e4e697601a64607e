import { callTRPCProcedure } from '@trpc/server';
import { calendarRouter } from './coupons/calendar/router.ts';
import { codesRouter } from './coupons/codes/router.ts';
import { discoverRouter } from './coupons/discover/router.ts';
import { draftsRouter } from './coupons/drafts/router.ts';
import { imagesRouter } from './coupons/images/router.ts';
import { merchantsRouter } from './coupons/merchants/router.ts';
import { publishingRouter } from './coupons/publishing/router.ts';
import { couponListsRouter } from './coupons/search/lists-router.ts';
import { searchRouter } from './coupons/search/router.ts';
import { usingRouter } from './coupons/using/router.ts';
import { walletPassesRouter } from './coupons/wallet-passes/router.ts';
import { wantsRouter } from './coupons/wants/router.ts';
import { awayRouter } from './deals/away/router.ts';
import { bidsRouter } from './deals/bids/router.ts';
import { couponChangesRouter } from './deals/coupon-changes/router.ts';
import { exchangesRouter } from './deals/exchanges/router.ts';
import { healthRouter } from './deals/health/router.ts';
import { historyRouter } from './deals/lifecycle/router.ts';
import { dealsRouter } from './deals/list/router.ts';
import { marketDaysRouter } from './deals/market-days/router.ts';
import { matchesRouter } from './deals/matches/router.ts';
import { messagesRouter } from './deals/messages/router.ts';
import { ratingsRouter } from './deals/ratings/router.ts';
import { claimsRouter } from './money/claims/router.ts';
import { salesRouter } from './money/claims/sales-router.ts';
import { bidsWithProtection, bidWithProtection, withProtection } from './money/claims/service.ts';
import { depositsRouter } from './money/deposits/router.ts';
import { paymentIssuesRouter } from './money/payment-issues/router.ts';
import { paymentsRouter } from './money/payments/router.ts';
import { adminRouter, operationsRouter } from './oversight/checks/router.ts';
import { dataExportsRouter } from './oversight/data-exports/router.ts';
import { leaderboardRouter } from './oversight/leaderboard/router.ts';
import { blockingRouter, leavingRouter, moderationRouter } from './oversight/moderation/router.ts';
import { profilesRouter } from './oversight/profiles/router.ts';
import { proofsRouter } from './oversight/proofs/router.ts';
import { seoRouter } from './oversight/seo/router.ts';
import { sourcesRouter } from './oversight/sources/router.ts';
import { accountsRouter } from './people/accounts/router.ts';
import { apiKeysRouter } from './people/api-keys/router.ts';
import { assistantRequestsRouter } from './people/assistant-requests/router.ts';
import { blocksRouter } from './people/blocks/router.ts';
import { identitiesRouter } from './people/identities/router.ts';
import { notificationsRouter } from './people/notifications/router.ts';
import { oauthRouter } from './people/oauth/router.ts';
import { picturesRouter } from './people/pictures/router.ts';
import { pushRouter } from './people/push/router.ts';
import { sellersRouter } from './people/sellers/router.ts';
import { settingsRouter } from './people/settings/router.ts';
import { webhooksRouter } from './people/webhooks/router.ts';
import type { CallContext } from './trpc/context.ts';
import { memberProcedure, mergeRouters, router } from './trpc/procedures.ts';
import { SCOPES, type ScopesOf } from './trpc/scopes.ts';

const people = {
  accounts: mergeRouters(accountsRouter, leavingRouter),
  apiKeys: apiKeysRouter,
  assistantRequests: assistantRequestsRouter(doCall),
  blocks: mergeRouters(blocksRouter, blockingRouter),
  identities: identitiesRouter,
  notifications: mergeRouters(notificationsRouter, historyRouter),
  oauth: oauthRouter,
  pictures: picturesRouter,
  push: pushRouter,
  sellers: sellersRouter,
  settings: settingsRouter,
  webhooks: webhooksRouter,
};

const coupons = {
  calendar: calendarRouter,
  coupons: mergeRouters(couponListsRouter, publishingRouter, codesRouter, usingRouter, couponChangesRouter),
  discover: discoverRouter,
  drafts: draftsRouter,
  images: imagesRouter,
  merchants: merchantsRouter,
  search: searchRouter,
  walletPasses: walletPassesRouter,
  wants: wantsRouter,
};

const deals = {
  away: awayRouter,
  bids: bidsRouter({ bidWithProtection, bidsWithProtection }),
  deals: dealsRouter(withProtection),
  exchanges: exchangesRouter,
  health: healthRouter,
  marketDays: marketDaysRouter,
  matches: matchesRouter,
  messages: messagesRouter,
  ratings: ratingsRouter,
};

const money = {
  claims: claimsRouter,
  deposits: depositsRouter,
  paymentIssues: paymentIssuesRouter,
  payments: mergeRouters(paymentsRouter, salesRouter),
};

const oversight = {
  admin: adminRouter,
  dataExports: dataExportsRouter,
  leaderboard: leaderboardRouter,
  moderation: moderationRouter,
  operations: operationsRouter,
  profiles: profilesRouter,
  proofs: proofsRouter,
  seo: seoRouter,
  sources: sourcesRouter,
};

/** The calls of each floor, under their names, which stay where their code moves. */
export const FLOORS = { people, coupons, deals, money, oversight };

/** Every call of the product. */
export const appRouter = router({
  ...people,
  ...coupons,
  ...deals,
  ...money,
  ...oversight,
  /** Live events. They carry no content: each one names what to read again. */
  live: router({
    events: memberProcedure.subscription(({ ctx }) => ctx.live.follow({ userId: ctx.actor.id, ip: ctx.ip })),
  }),
});

/** Makes a call for somebody who has confirmed it, with all its own checks. */
function doCall(ctx: CallContext, path: string, input: unknown): Promise<unknown> {
  const getRawInput = async () => input;
  const call = { path, ctx, getRawInput, type: 'mutation', signal: undefined, batchIndex: 0 } as const;
  return callTRPCProcedure({ ...call, router: appRouter });
}

export type AppRouter = typeof appRouter;

/** Each domain has scopes, and names no call that is not there. */
SCOPES satisfies ScopesOf<AppRouter['_def']['record']>;
