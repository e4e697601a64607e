import { accountsRouter } from './domains/accounts/router.ts';
import { apiKeysRouter } from './domains/api-keys/router.ts';
import { awayRouter } from './domains/away/router.ts';
import { bidsRouter } from './domains/bids/router.ts';
import { blocksRouter } from './domains/blocks/router.ts';
import { calendarRouter } from './domains/calendar/router.ts';
import { claimsRouter } from './domains/claims/router.ts';
import { couponsRouter } from './domains/coupons/router.ts';
import { dataExportsRouter } from './domains/data-exports/router.ts';
import { dealsRouter } from './domains/deals/router.ts';
import { discoverRouter } from './domains/discover/router.ts';
import { draftsRouter } from './domains/drafts/router.ts';
import { exchangesRouter } from './domains/exchanges/router.ts';
import { healthRouter } from './domains/health/router.ts';
import { identitiesRouter } from './domains/identities/router.ts';
import { imagesRouter } from './domains/images/router.ts';
import { leaderboardRouter } from './domains/leaderboard/router.ts';
import { matchesRouter } from './domains/matches/router.ts';
import { merchantsRouter } from './domains/merchants/router.ts';
import { messagesRouter } from './domains/messages/router.ts';
import { moderationRouter } from './domains/moderation/router.ts';
import { notificationsRouter } from './domains/notifications/router.ts';
import { adminRouter, operationsRouter } from './domains/operations/router.ts';
import { paymentIssuesRouter } from './domains/payment-issues/router.ts';
import { paymentsRouter } from './domains/payments/router.ts';
import { picturesRouter } from './domains/pictures/router.ts';
import { profilesRouter } from './domains/profiles/router.ts';
import { proofsRouter } from './domains/proofs/router.ts';
import { pushRouter } from './domains/push/router.ts';
import { ratingsRouter } from './domains/ratings/router.ts';
import { searchRouter } from './domains/search/router.ts';
import { sellersRouter } from './domains/sellers/router.ts';
import { seoRouter } from './domains/seo/router.ts';
import { settingsRouter } from './domains/settings/router.ts';
import { sourcesRouter } from './domains/sources/router.ts';
import { walletPassesRouter } from './domains/wallet-passes/router.ts';
import { wantsRouter } from './domains/wants/router.ts';
import { webhooksRouter } from './domains/webhooks/router.ts';
import { memberProcedure, router } from './trpc/procedures.ts';
import { SCOPES, type ScopesOf } from './trpc/scopes.ts';

/** Every call of the product, one router per domain. */
export const appRouter = router({
  accounts: accountsRouter,
  admin: adminRouter,
  apiKeys: apiKeysRouter,
  bids: bidsRouter,
  away: awayRouter,
  blocks: blocksRouter,
  calendar: calendarRouter,
  claims: claimsRouter,
  coupons: couponsRouter,
  dataExports: dataExportsRouter,
  deals: dealsRouter,
  discover: discoverRouter,
  drafts: draftsRouter,
  exchanges: exchangesRouter,
  health: healthRouter,
  identities: identitiesRouter,
  images: imagesRouter,
  leaderboard: leaderboardRouter,
  /** Live events. They carry no content: each one names what to read again. */
  live: router({
    events: memberProcedure.subscription(({ ctx }) => ctx.live.follow({ userId: ctx.actor.id, ip: ctx.ip })),
  }),
  matches: matchesRouter,
  operations: operationsRouter,
  paymentIssues: paymentIssuesRouter,
  merchants: merchantsRouter,
  messages: messagesRouter,
  moderation: moderationRouter,
  notifications: notificationsRouter,
  payments: paymentsRouter,
  pictures: picturesRouter,
  profiles: profilesRouter,
  proofs: proofsRouter,
  push: pushRouter,
  ratings: ratingsRouter,
  search: searchRouter,
  sellers: sellersRouter,
  seo: seoRouter,
  settings: settingsRouter,
  sources: sourcesRouter,
  walletPasses: walletPassesRouter,
  wants: wantsRouter,
  webhooks: webhooksRouter,
});

export type AppRouter = typeof appRouter;

/** Each domain has scopes, and names no call that is not there. */
SCOPES satisfies ScopesOf<AppRouter['_def']['record']>;
