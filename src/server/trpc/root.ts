import { router } from './procedures.ts';
import { accountsRouter } from './routers/accounts.ts';
import { adminRouter } from './routers/admin.ts';
import { awayRouter } from './routers/away.ts';
import { bidsRouter } from './routers/bids.ts';
import { blocksRouter } from './routers/blocks.ts';
import { claimsRouter } from './routers/claims.ts';
import { couponsRouter } from './routers/coupons.ts';
import { discoverRouter } from './routers/discover.ts';
import { exchangesRouter } from './routers/exchanges.ts';
import { imagesRouter } from './routers/images.ts';
import { leaderboardRouter } from './routers/leaderboard.ts';
import { liveRouter } from './routers/live.ts';
import { matchesRouter } from './routers/matches.ts';
import { mattersRouter } from './routers/matters.ts';
import { messagesRouter } from './routers/messages.ts';
import { moderationRouter } from './routers/moderation.ts';
import { notificationsRouter } from './routers/notifications.ts';
import { paymentsRouter } from './routers/payments.ts';
import { picturesRouter } from './routers/pictures.ts';
import { profilesRouter } from './routers/profiles.ts';
import { ratingsRouter } from './routers/ratings.ts';
import { sellersRouter } from './routers/sellers.ts';
import { seoRouter } from './routers/seo.ts';
import { wantsRouter } from './routers/wants.ts';

/** Every call of the product, one router per domain. */
export const appRouter = router({
  accounts: accountsRouter,
  admin: adminRouter,
  bids: bidsRouter,
  away: awayRouter,
  blocks: blocksRouter,
  claims: claimsRouter,
  coupons: couponsRouter,
  discover: discoverRouter,
  exchanges: exchangesRouter,
  images: imagesRouter,
  leaderboard: leaderboardRouter,
  live: liveRouter,
  matches: matchesRouter,
  matters: mattersRouter,
  messages: messagesRouter,
  moderation: moderationRouter,
  notifications: notificationsRouter,
  payments: paymentsRouter,
  pictures: picturesRouter,
  profiles: profilesRouter,
  ratings: ratingsRouter,
  sellers: sellersRouter,
  seo: seoRouter,
  wants: wantsRouter,
});

export type AppRouter = typeof appRouter;
