import { useEffect } from 'react';
import { Outlet, useLocation, useNavigate } from 'react-router-dom';
import { withoutPrefix } from '#contract/base/i18n.ts';
import { paths } from '#contract/base/pages.ts';
import { hasRole, type UserRole } from '#contract/people/roles.ts';
import { useViewer } from '#web/lib/viewer.tsx';
import { Component as NotFoundPage } from '#web/pages/not-found.tsx';
import { PageLoading } from './page-loading.tsx';

/**
 * Guards the pages that need a role. A visitor is sent to the sign-in page, and returns after signing in; people
 * without the role get the 404 page.
 */
export function SignedIn({ role }: { role: UserRole }) {
  const { user, isLoading } = useViewer();
  if (isLoading) return <PageLoading />;
  if (!user) return <ToSignIn />;
  return hasRole(user.role, role) ? <Outlet /> : <NotFoundPage />;
}

function ToSignIn() {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    // After signing out the browser is already on the way to another page: do not redirect then.
    if (withoutPrefix(window.location.pathname) === pathname) {
      void navigate(paths.authFrom(pathname + search), { replace: true });
    }
  }, [navigate, pathname, search]);
  return <PageLoading />;
}
