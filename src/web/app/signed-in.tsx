import { useEffect } from 'react';
import { Outlet, useLocation, useNavigate } from 'react-router-dom';
import { paths } from '#contract/pages.ts';
import { useViewer } from '#web/lib/viewer.tsx';
import { PageLoading } from './page-loading.tsx';

/** Pages for people who are signed in: a visitor goes to the sign-in page, and comes back after it. */
export function SignedIn() {
  const { user, isLoading } = useViewer();
  if (isLoading) return <PageLoading />;
  return user ? <Outlet /> : <ToSignIn />;
}

function ToSignIn() {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    // Whoever signs out is on the way to another page already, and needs no sign-in to leave this one.
    if (window.location.pathname === pathname) {
      void navigate(paths.authFrom(pathname + search), { replace: true });
    }
  }, [navigate, pathname, search]);
  return <PageLoading />;
}
