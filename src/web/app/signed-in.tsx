import { Center, Loader } from '@mantine/core';
import { useEffect } from 'react';
import { Outlet, useLocation, useNavigate } from 'react-router-dom';
import { paths } from '#contract/pages.ts';
import { useViewer } from '#web/lib/viewer.tsx';

/** Guards the pages for members: a visitor is sent to the sign-in page, and returns after signing in. */
export function SignedIn() {
  const { user, isLoading } = useViewer();
  if (isLoading) return <PageLoading />;
  return user ? <Outlet /> : <ToSignIn />;
}

function ToSignIn() {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    // After signing out the browser is already on the way to another page: do not redirect then.
    if (window.location.pathname === pathname) {
      void navigate(paths.authFrom(pathname + search), { replace: true });
    }
  }, [navigate, pathname, search]);
  return <PageLoading />;
}

/** Shown until the page's code and the viewer are loaded. */
export function PageLoading() {
  return (
    <Center mih="60vh">
      <Loader role="status" aria-label="Loading" />
    </Center>
  );
}
