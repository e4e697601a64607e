import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Box, Button, Container, Skeleton } from '@mantine/core';
import { Link, useLocation } from 'react-router-dom';
import { marketName } from '#contract/base/market.ts';
import { paths } from '#contract/base/pages.ts';
import { Announcement } from '#web/components/announcement.tsx';
import { useUnreadMessages } from '#web/deals/messages/unread-queries.ts';
import { useViewer } from '#web/lib/viewer.tsx';
import { UserMenu } from '#web/people/accounts/user-menu.tsx';
import { NotificationsMenu } from '#web/people/notifications/notifications-menu.tsx';
import { accountLinksFor } from './navigation.ts';
import classes from './shell.module.css';
import { ThemeSwitch, useThemeColor } from './theme-switch.tsx';
import { TopLinks } from './top-links.tsx';
import { useNavigationLinks } from './use-navigation-links.ts';

function Logo() {
  return (
    <Link to={paths.home} className={classes.logo} aria-label={t`${{ market: marketName() }} home`}>
      <img src="/favicon.svg" width={32} height={32} alt="" />
      {marketName()}
    </Link>
  );
}

/** Signing in never returns to these pages, and a reset token must not be copied into another address. */
const SIGN_IN_PAGES: readonly string[] = [paths.auth, paths.forgotPassword, paths.resetPassword, paths.notMe];

/** Tells screen readers of a new message. */
function UnreadAnnouncement() {
  const unread = useUnreadMessages(true);
  return <Announcement count={unread} text={(count) => t`New message. ${count} unread.`} />;
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
        <Trans>Sign in</Trans>
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

/** The top bar; below 768 px its links are in a drawer, which the bar at the bottom opens. */
export function Header() {
  const { user } = useViewer();
  const links = useNavigationLinks();
  useThemeColor();
  return (
    <header className={classes.header}>
      <Container size="xl" className={classes.bar}>
        <Logo />
        <TopLinks links={links} />
        <div className={classes.end}>
          {!user && (
            <Box visibleFrom="sm">
              <ThemeSwitch />
            </Box>
          )}
          <div className={classes.viewer}>
            <HeaderEnd />
          </div>
        </div>
      </Container>
    </header>
  );
}
