import { Plural, Trans } from '@lingui/react/macro';
import { VisuallyHidden } from '@mantine/core';
import { IconWifiOff } from '@tabler/icons-react';
import { useMutationState } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Outlet, ScrollRestoration, useLocation, useNavigation } from 'react-router-dom';
import { lazyWithPreload } from '#web/components/on-demand.tsx';
import { useIsBelow } from '#web/lib/screen.ts';
import { entryKey, SCROLL_POSITIONS } from '#web/lib/scroll-positions.ts';
import { useIsOnline } from '#web/lib/use-is-online.ts';
import { VerifyEmailBanner } from '#web/people/accounts/email-verification.tsx';
import { SuspensionBanner } from '#web/people/accounts/suspension-banner.tsx';
import { Dialogs } from './dialog-outlet.ts';
import { Footer } from './footer.tsx';
import { Header } from './header.tsx';
import classes from './shell.module.css';

/** Moves the focus to the new page, so that a screen reader continues there. */
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

/** The frame of every page: skip link, header, page, footer. */
export function Shell() {
  const main = useFocusOnNavigation();
  return (
    <div className={classes.page}>
      <a href="#main" className={classes.skip}>
        <Trans>Skip to the content</Trans>
      </a>
      <NavigationProgress />
      <Header />
      <OfflineHint />
      <VerifyEmailBanner />
      <SuspensionBanner />
      <main id="main" ref={main} tabIndex={-1} className={classes.main}>
        <Outlet />
      </main>
      <Footer />
      <PhoneBar />
      <Dialogs />
      <ScrollRestoration getKey={entryKey} storageKey={SCROLL_POSITIONS} />
    </div>
  );
}

/** A progress bar while the next page loads. */
function NavigationProgress() {
  const isLoading = useNavigation().state !== 'idle';
  return (
    <div aria-live="polite">
      {isLoading && (
        <>
          <div className={classes.progress} aria-hidden="true" />
          <VisuallyHidden>
            <Trans>Loading the page</Trans>
          </VisuallyHidden>
        </>
      )}
    </div>
  );
}

const BottomBar = lazyWithPreload(async () => (await import('./bottom-bar.tsx')).BottomBar);

/** The bar at the bottom of phones, whose place `--bottom-bar` keeps free. */
export function PhoneBar() {
  return useIsBelow('sm') && <BottomBar />;
}

const LastSeen = lazyWithPreload(async () => (await import('./last-seen.tsx')).LastSeen);

/** A hint while the browser is offline, with how old the page is, and how many changes wait for the network. */
function OfflineHint() {
  const online = useIsOnline();
  const waiting = useMutationState({ filters: { predicate: ({ state }) => state.isPaused } }).length;
  return (
    <div aria-live="polite">
      {!online && (
        <div className={classes.offline}>
          <IconWifiOff size={18} aria-hidden="true" />
          <Trans>You are offline.</Trans> <LastSeen />{' '}
          <Trans>We will update this page when you are back online.</Trans>{' '}
          {waiting > 0 && (
            <Plural
              value={waiting}
              one="# change waits until then: leave this page open."
              other="# changes wait until then: leave this page open."
            />
          )}
        </div>
      )}
    </div>
  );
}
