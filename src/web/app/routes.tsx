import { createBrowserRouter, type RouteObject, RouterProvider } from 'react-router-dom';
import { paths } from '#web/lib/paths.ts';
import { PageError } from './page-error.tsx';
import { PageLoading } from './page-loading.tsx';
import { Shell } from './shell.tsx';
import { SignedIn } from './signed-in.tsx';

const routes: RouteObject[] = [
  {
    element: <Shell />,
    // For the frame itself; a page's own errors end below, with the frame still standing.
    errorElement: <PageError />,
    children: [
      {
        errorElement: <PageError />,
        // Here and not above, so that the header stands while the first page's code is still coming.
        HydrateFallback: PageLoading,
        children: [
          {
            path: paths.home,
            lazy: async () => ({ Component: (await import('../pages/home.tsx')).HomePage }),
          },
          {
            path: '/coupons/:id',
            lazy: async () => ({ Component: (await import('../pages/coupon.tsx')).CouponPage }),
          },
          {
            path: paths.validateCoupon,
            lazy: async () => ({
              Component: (await import('../pages/validate-coupon.tsx')).ValidateCouponPage,
            }),
          },
          {
            path: paths.howItWorks,
            lazy: async () => ({ Component: (await import('../pages/how-it-works.tsx')).HowItWorksPage }),
          },
          {
            path: paths.terms,
            lazy: async () => ({ Component: (await import('../pages/terms.tsx')).TermsPage }),
          },
          {
            path: paths.privacyPolicy,
            lazy: async () => ({
              Component: (await import('../pages/privacy-policy.tsx')).PrivacyPolicyPage,
            }),
          },
          {
            path: paths.acceptableUsePolicy,
            lazy: async () => ({
              Component: (await import('../pages/acceptable-use-policy.tsx')).AcceptableUsePolicyPage,
            }),
          },
          {
            path: paths.auth,
            lazy: async () => ({ Component: (await import('../pages/auth.tsx')).AuthPage }),
          },
          {
            path: paths.forgotPassword,
            lazy: async () => ({
              Component: (await import('../pages/forgot-password.tsx')).ForgotPasswordPage,
            }),
          },
          {
            path: paths.resetPassword,
            lazy: async () => ({
              Component: (await import('../pages/reset-password.tsx')).ResetPasswordPage,
            }),
          },
          {
            path: paths.verifyEmail,
            lazy: async () => ({ Component: (await import('../pages/verify-email.tsx')).VerifyEmailPage }),
          },
          {
            path: paths.unsubscribe,
            lazy: async () => ({ Component: (await import('../pages/unsubscribe.tsx')).UnsubscribePage }),
          },
          {
            path: paths.leaderboard,
            lazy: async () => ({ Component: (await import('../pages/leaderboard.tsx')).LeaderboardPage }),
          },
          {
            path: '/users/:id',
            lazy: async () => ({ Component: (await import('../pages/user.tsx')).UserPage }),
          },
          // Tells a visitor in its own words that it is for members (spec/3 section 3).
          {
            path: paths.profileSettings,
            lazy: async () => ({
              Component: (await import('../pages/profile-settings.tsx')).ProfileSettingsPage,
            }),
          },
          {
            element: <SignedIn />,
            children: [
              {
                path: paths.myCoupons,
                lazy: async () => ({ Component: (await import('../pages/my-coupons.tsx')).MyCouponsPage }),
              },
              {
                path: paths.discover,
                lazy: async () => ({ Component: (await import('../pages/discover.tsx')).DiscoverPage }),
              },
              {
                path: paths.exchanges,
                lazy: async () => ({ Component: (await import('../pages/exchanges.tsx')).ExchangesPage }),
              },
              {
                path: paths.myBids,
                lazy: async () => ({ Component: (await import('../pages/my-bids.tsx')).MyBidsPage }),
              },
              {
                path: '/checkout/:bidId',
                lazy: async () => ({ Component: (await import('../pages/checkout.tsx')).CheckoutPage }),
              },
              {
                path: paths.paymentComplete,
                lazy: async () => ({
                  Component: (await import('../pages/payment-complete.tsx')).PaymentCompletePage,
                }),
              },
              {
                path: paths.sellerOnboarding,
                lazy: async () => ({
                  Component: (await import('../pages/seller-onboarding.tsx')).SellerOnboardingPage,
                }),
              },
              {
                path: paths.profile,
                lazy: async () => ({ Component: (await import('../pages/profile.tsx')).ProfilePage }),
              },
              {
                path: paths.adminReports,
                lazy: async () => ({
                  Component: (await import('../pages/admin-reports.tsx')).AdminReportsPage,
                }),
              },
              {
                path: paths.admin,
                lazy: async () => ({ Component: (await import('../pages/admin.tsx')).AdminPage }),
              },
              {
                path: paths.claims,
                lazy: async () => ({ Component: (await import('../pages/claims.tsx')).ClaimsPage }),
              },
              {
                path: paths.messages,
                lazy: async () => ({ Component: (await import('../pages/messages.tsx')).MessagesPage }),
              },
              {
                path: paths.notifications,
                lazy: async () => ({
                  Component: (await import('../pages/notifications.tsx')).NotificationsPage,
                }),
              },
              {
                path: paths.transactionLogs,
                lazy: async () => ({
                  Component: (await import('../pages/transaction-logs.tsx')).TransactionLogsPage,
                }),
              },
            ],
          },
          {
            path: '*',
            lazy: async () => ({ Component: (await import('../pages/not-found.tsx')).NotFoundPage }),
          },
        ],
      },
    ],
  },
];

const router = createBrowserRouter(routes);

/** Every page, each a file that is loaded when somebody goes there. */
export function Routes() {
  return <RouterProvider router={router} />;
}
