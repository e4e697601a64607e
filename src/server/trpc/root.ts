import { router } from './procedures.ts';
import { accountsRouter } from './routers/accounts.ts';
import { adminRouter } from './routers/admin.ts';
import { bidsRouter } from './routers/bids.ts';
import { couponsRouter } from './routers/coupons.ts';
import { discoverRouter } from './routers/discover.ts';
import { exchangesRouter } from './routers/exchanges.ts';
import { imagesRouter } from './routers/images.ts';
import { notificationsRouter } from './routers/notifications.ts';
import { paymentsRouter } from './routers/payments.ts';
import { sellersRouter } from './routers/sellers.ts';

/** Every call of the product, a router a domain. */
export const appRouter = router({
  accounts: accountsRouter,
  admin: adminRouter,
  bids: bidsRouter,
  coupons: couponsRouter,
  discover: discoverRouter,
  exchanges: exchangesRouter,
  images: imagesRouter,
  notifications: notificationsRouter,
  payments: paymentsRouter,
  sellers: sellersRouter,
});

export type AppRouter = typeof appRouter;
