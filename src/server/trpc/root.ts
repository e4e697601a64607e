import { router } from './procedures.ts';
import { accountsRouter } from './routers/accounts.ts';
import { couponsRouter } from './routers/coupons.ts';
import { exchangesRouter } from './routers/exchanges.ts';
import { notificationsRouter } from './routers/notifications.ts';

/** Every call of the product, a router a domain. */
export const appRouter = router({
  accounts: accountsRouter,
  coupons: couponsRouter,
  exchanges: exchangesRouter,
  notifications: notificationsRouter,
});

export type AppRouter = typeof appRouter;
