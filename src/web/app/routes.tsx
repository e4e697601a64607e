import { t } from '@lingui/core/macro';
import { type ComponentType, type ReactNode, useEffect } from 'react';
import { matchRoutes, type RouteObject, RouterProvider, useRouteError } from 'react-router-dom';
import { NOT_FOUND_PAGE, PAGES, type PageName, type WebPage } from '#contract/base/pages.ts';
import { USER_ROLES } from '#contract/people/roles.ts';
import { isNotLoaded, loadAhead, NOT_LOADED, onIntent } from '#web/components/on-demand.tsx';
import { PageShell } from '#web/components/page-shell.tsx';
import { ErrorState } from '#web/components/query-content.tsx';
import { createPageRouter } from '#web/lib/dialog-history.ts';
import { Component as HomePage } from '#web/pages/home.tsx';
import { Component as NotFoundPage } from '#web/pages/not-found.tsx';
import { PageLoading } from './page-loading.tsx';
import { Shell } from './shell.tsx';
import { SignedIn } from './signed-in.tsx';

/** Every page but Home, loaded when it is first opened, or somebody is about to press a link to it. Home comes with the shell: most visits begin there. */
const LOADERS: Record<Exclude<PageName, 'home'>, () => Promise<{ Component: ComponentType }>> = {
  coupon: () => import('#web/pages/coupon.tsx'),
  user: () => import('#web/pages/user.tsx'),
  merchant: () => import('#web/pages/merchant.tsx'),
  howItWorks: () => import('#web/pages/how-it-works.tsx'),
  leaderboard: () => import('#web/pages/leaderboard.tsx'),
  validateCoupon: () => import('#web/pages/validate-coupon.tsx'),
  terms: () => import('#web/pages/terms.tsx'),
  privacyPolicy: () => import('#web/pages/privacy-policy.tsx'),
  acceptableUsePolicy: () => import('#web/pages/acceptable-use-policy.tsx'),
  risks: () => import('#web/pages/risks.tsx'),
  marketDay: () => import('#web/pages/market-day.tsx'),
  openBooks: () => import('#web/pages/open-books.tsx'),
  proofs: () => import('#web/pages/proofs.tsx'),
  developers: () => import('#web/pages/developers.tsx'),
  auth: () => import('#web/pages/auth.tsx'),
  identity: () => import('#web/pages/auth.tsx'),
  forgotPassword: () => import('#web/pages/forgot-password.tsx'),
  resetPassword: () => import('#web/pages/reset-password.tsx'),
  notMe: () => import('#web/pages/not-me.tsx'),
  verifyEmail: () => import('#web/pages/verify-email.tsx'),
  defend: () => import('#web/pages/defend.tsx'),
  unsubscribe: () => import('#web/pages/unsubscribe.tsx'),
  discover: () => import('#web/pages/discover.tsx'),
  myCoupons: () => import('#web/pages/my-coupons.tsx'),
  addMany: () => import('#web/pages/add-many.tsx'),
  deals: () => import('#web/pages/deals.tsx'),
  exchanges: () => import('#web/pages/exchanges.tsx'),
  wants: () => import('#web/pages/wants.tsx'),
  matches: () => import('#web/pages/matches.tsx'),
  myBids: () => import('#web/pages/my-bids.tsx'),
  messages: () => import('#web/pages/messages.tsx'),
  checkout: () => import('#web/pages/checkout.tsx'),
  paymentComplete: () => import('#web/pages/payment-complete.tsx'),
  assistantRequest: () => import('#web/pages/assistant-request.tsx'),
  authorize: () => import('#web/pages/authorize.tsx'),
  notifications: () => import('#web/pages/notifications.tsx'),
  transactionLogs: () => import('#web/pages/transaction-logs.tsx'),
  profile: () => import('#web/pages/profile.tsx'),
  profileSettings: () => import('#web/pages/profile-settings.tsx'),
  sellerOnboarding: () => import('#web/pages/seller-onboarding.tsx'),
  saleReceipt: () => import('#web/pages/sale-receipt.tsx'),
  sellerStatement: () => import('#web/pages/seller-statement.tsx'),
  claims: () => import('#web/pages/claims.tsx'),
  admin: () => import('#web/pages/admin.tsx'),
  adminReports: () => import('#web/pages/admin-reports.tsx'),
};

const routesFor = (access: WebPage['access']): RouteObject[] =>
  (Object.keys(LOADERS) as (keyof typeof LOADERS)[])
    .filter((name) => PAGES[name].access === access)
    .map((name) => ({ path: PAGES[name].path, lazy: LOADERS[name] }));

/** All pages, in their frame. */
export const ROUTES: RouteObject[] = [
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

const matchesAt = (address: Pick<Location, 'pathname'>) =>
  matchRoutes(ROUTES, address, import.meta.env.BASE_URL) ?? [];

/** Loads the code of the page at the address: what the server has rendered stays until then. */
export async function loadPage(): Promise<void> {
  for (const { route } of matchesAt(window.location))
    if (typeof route.lazy === 'function') Object.assign(route, await route.lazy(), { lazy: undefined });
}

onIntent((target) => {
  const link = target.closest('a');
  if (link?.origin !== window.location.origin) return;
  const page = matchesAt(link).at(-1)?.route.lazy;
  if (typeof page === 'function') void loadAhead(page);
});

/** Starts the router. @returns the pages, to be rendered in one place */
export function openPages(isRendered: boolean): ReactNode {
  return <RouterProvider router={createPageRouter(ROUTES, isRendered)} />;
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
