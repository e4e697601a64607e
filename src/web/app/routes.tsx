import { t } from '@lingui/core/macro';
import { type ComponentType, useEffect } from 'react';
import { type RouteObject, RouterProvider, useRouteError } from 'react-router-dom';
import { NOT_FOUND_PAGE, PAGES, type PageName, type WebPage } from '#contract/base/pages.ts';
import { USER_ROLES } from '#contract/people/roles.ts';
import { isNotLoaded, NOT_LOADED } from '#web/components/on-demand.tsx';
import { PageShell } from '#web/components/page-shell.tsx';
import { ErrorState } from '#web/components/query-content.tsx';
import { createPageRouter } from '#web/lib/dialog-history.ts';
import { Component as HomePage } from '../pages/home.tsx';
import { Component as NotFoundPage } from '../pages/not-found.tsx';
import { PageLoading } from './page-loading.tsx';
import { Shell } from './shell.tsx';
import { SignedIn } from './signed-in.tsx';

/** Every page but Home, loaded when it is first opened. Home comes with the shell: most visits begin there. */
const LOADERS: Record<Exclude<PageName, 'home'>, () => Promise<{ Component: ComponentType }>> = {
  coupon: () => import('../pages/coupon.tsx'),
  user: () => import('../pages/user.tsx'),
  merchant: () => import('../pages/merchant.tsx'),
  howItWorks: () => import('../pages/how-it-works.tsx'),
  leaderboard: () => import('../pages/leaderboard.tsx'),
  validateCoupon: () => import('../pages/validate-coupon.tsx'),
  terms: () => import('../pages/terms.tsx'),
  privacyPolicy: () => import('../pages/privacy-policy.tsx'),
  acceptableUsePolicy: () => import('../pages/acceptable-use-policy.tsx'),
  risks: () => import('../pages/risks.tsx'),
  openBooks: () => import('../pages/open-books.tsx'),
  proofs: () => import('../pages/proofs.tsx'),
  auth: () => import('../pages/auth.tsx'),
  identity: () => import('../pages/auth.tsx'),
  forgotPassword: () => import('../pages/forgot-password.tsx'),
  resetPassword: () => import('../pages/reset-password.tsx'),
  notMe: () => import('../pages/not-me.tsx'),
  verifyEmail: () => import('../pages/verify-email.tsx'),
  defend: () => import('../pages/defend.tsx'),
  unsubscribe: () => import('../pages/unsubscribe.tsx'),
  discover: () => import('../pages/discover.tsx'),
  myCoupons: () => import('../pages/my-coupons.tsx'),
  addMany: () => import('../pages/add-many.tsx'),
  deals: () => import('../pages/deals.tsx'),
  exchanges: () => import('../pages/exchanges.tsx'),
  wants: () => import('../pages/wants.tsx'),
  matches: () => import('../pages/matches.tsx'),
  myBids: () => import('../pages/my-bids.tsx'),
  messages: () => import('../pages/messages.tsx'),
  checkout: () => import('../pages/checkout.tsx'),
  paymentComplete: () => import('../pages/payment-complete.tsx'),
  notifications: () => import('../pages/notifications.tsx'),
  transactionLogs: () => import('../pages/transaction-logs.tsx'),
  profile: () => import('../pages/profile.tsx'),
  profileSettings: () => import('../pages/profile-settings.tsx'),
  sellerOnboarding: () => import('../pages/seller-onboarding.tsx'),
  saleReceipt: () => import('../pages/sale-receipt.tsx'),
  sellerStatement: () => import('../pages/seller-statement.tsx'),
  claims: () => import('../pages/claims.tsx'),
  admin: () => import('../pages/admin.tsx'),
  adminReports: () => import('../pages/admin-reports.tsx'),
};

const routesFor = (access: WebPage['access']): RouteObject[] =>
  (Object.keys(LOADERS) as (keyof typeof LOADERS)[])
    .filter((name) => PAGES[name].access === access)
    .map((name) => ({ path: PAGES[name].path, lazy: LOADERS[name] }));

const routes: RouteObject[] = [
  {
    element: <Shell />,
    // For errors of the frame itself; a page's errors are caught below and keep the frame.
    errorElement: <PageError />,
    children: [
      {
        errorElement: <PageError />,
        // Here and not above, so that the header is shown while the first page loads.
        HydrateFallback: PageLoading,
        children: [
          { path: PAGES.home.path, element: <HomePage /> },
          ...routesFor('everybody'),
          ...USER_ROLES.map((role) => ({
            element: <SignedIn role={role} />,
            children: routesFor(role),
          })),
          { path: NOT_FOUND_PAGE.path, element: <NotFoundPage /> },
        ],
      },
    ],
  },
];

const router = createPageRouter(routes);

export function Routes() {
  return <RouterProvider router={router} />;
}

const BROKEN = {
  title: t`Something went wrong`,
  message: t`What you saved is safe. Reloading the page usually helps.`,
};

const reload = () => window.location.reload();

/** Shown for a page that threw, or whose code could not be loaded; the frame stays. */
function PageError() {
  const error = useRouteError();
  // People see plain words; the cause is for developers.
  console.error(error);
  const isMissing = isNotLoaded(error);
  useEffect(() => {
    if (!isMissing) return;
    window.addEventListener('online', reload);
    return () => window.removeEventListener('online', reload);
  }, [isMissing]);
  return (
    <PageShell title={t`This page is not working`} size="md">
      <ErrorState {...(isMissing ? NOT_LOADED : BROKEN)} onRetry={reload} />
    </PageShell>
  );
}
