import { useEffect, useRef } from 'react';
import { Outlet, ScrollRestoration, useLocation } from 'react-router-dom';
import { VerifyEmailBanner } from '#web/features/accounts/email-verification.tsx';
import { Footer } from './footer.tsx';
import { Header } from './header.tsx';
import { NavigationProgress } from './navigation-progress.tsx';
import { OfflineHint } from './offline-hint.tsx';
import classes from './shell.module.css';

/** Moves the focus to the new page, so that a screen reader goes on there and not in the link just followed. */
function useFocusOnNavigation() {
  const main = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const last = useRef(pathname);
  useEffect(() => {
    if (last.current === pathname) return;
    last.current = pathname;
    main.current?.focus({ preventScroll: true });
  }, [pathname]);
  return main;
}

/** The frame of every page: a way past the header, the header, the page, the footer. */
export function Shell() {
  const main = useFocusOnNavigation();
  return (
    <div className={classes.page}>
      <a href="#main" className={classes.skip}>
        Skip to the content
      </a>
      <NavigationProgress />
      <Header />
      <OfflineHint />
      <main id="main" ref={main} tabIndex={-1} className={classes.main}>
        <Outlet />
      </main>
      <Footer />
      <VerifyEmailBanner />
      <ScrollRestoration />
    </div>
  );
}
