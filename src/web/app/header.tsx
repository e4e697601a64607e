import { Box, Burger, Button, Container, Skeleton } from '@mantine/core';
import { useMemo, useSyncExternalStore } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { paths } from '#contract/pages.ts';
import { Announcement } from '#web/components/announcement.tsx';
import { UserMenu } from '#web/features/accounts/user-menu.tsx';
import { useDealCount } from '#web/features/deals/count-queries.ts';
import { useMatchCount } from '#web/features/matches/count-queries.ts';
import { useUnreadMessages } from '#web/features/messages/unread-queries.ts';
import { NotificationsMenu } from '#web/features/notifications/notifications-menu.tsx';
import { openDialog, openDialogs } from '#web/lib/open-dialog.ts';
import { useViewer } from '#web/lib/viewer.tsx';
import { accountLinksFor, navigationFor, withCounts } from './navigation.ts';
import classes from './shell.module.css';
import { ThemeSwitch } from './theme-switch.tsx';
import { TopLinks } from './top-links.tsx';

function Logo() {
  return (
    <Link to={paths.home} className={classes.logo} aria-label="ClipSwap home">
      <img src="/favicon.svg" width={32} height={32} alt="" />
      ClipSwap
    </Link>
  );
}

/** Signing in never returns to these pages, and a reset token must not be copied into another address. */
const SIGN_IN_PAGES: readonly string[] = [paths.auth, paths.forgotPassword, paths.resetPassword, paths.notMe];

/** Tells screen readers of a new message. */
function UnreadAnnouncement() {
  const unread = useUnreadMessages(true);
  return <Announcement count={unread} text={(count) => `New message. ${count} unread.`} />;
}

/** The right end of the bar depends on the viewer; until the viewer is known a skeleton keeps its place. */
function HeaderEnd() {
  const { user, isLoading } = useViewer();
  const { pathname, search } = useLocation();
  if (isLoading) return <Skeleton height={36} radius="xl" />;
  if (!user) {
    const here = SIGN_IN_PAGES.includes(pathname) ? paths.auth : paths.authFrom(pathname + search);
    return (
      <Button component={Link} to={here} variant="default">
        Sign in
      </Button>
    );
  }
  return (
    <>
      <UnreadAnnouncement />
      <NotificationsMenu />
      <Box visibleFrom="sm">
        <UserMenu user={user} links={accountLinksFor(user)} />
      </Box>
    </>
  );
}

/** The top bar; below 768 px its links move into a drawer. */
export function Header() {
  const { user, isLoading } = useViewer();
  const unread = useUnreadMessages(user !== null) ?? 0;
  const matches = useMatchCount(user !== null) ?? 0;
  const deals = useDealCount(user !== null) ?? 0;
  const links = useMemo(
    () => withCounts(navigationFor({ user, isLoading }), { unread, matches, deals }),
    [user, isLoading, unread, matches, deals],
  );
  const dialogs = useSyncExternalStore(openDialogs.subscribe, openDialogs.read);
  const isOpen = dialogs.some((dialog) => dialog.name === 'navigation' && dialog.isOpen);
  return (
    <header className={classes.header}>
      <Container size="xl" className={classes.bar}>
        <Burger
          hiddenFrom="sm"
          size="sm"
          opened={isOpen}
          onClick={() => openDialog('navigation', { links })}
          aria-label="Menu"
          aria-expanded={isOpen}
        />
        <Logo />
        <TopLinks links={links} />
        <div className={classes.end}>
          <ThemeSwitch />
          <div className={classes.viewer}>
            <HeaderEnd />
          </div>
        </div>
      </Container>
    </header>
  );
}
