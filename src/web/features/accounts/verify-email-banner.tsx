import { CloseButton, Text } from '@mantine/core';
import { useSessionStorage } from '@mantine/hooks';
import { useLocation } from 'react-router-dom';
import type { SessionUser } from '#contract/accounts.ts';
import { paths } from '#web/lib/paths.ts';
import { useViewer } from '#web/lib/viewer.tsx';
import classes from './accounts.module.css';
import { SendLinkButton } from './verification.tsx';

/** These say it themselves, in their own place. */
const QUIET_PAGES: readonly string[] = [paths.profile, paths.profileSettings, paths.verifyEmail];

/**
 * Asks a member to confirm their address. It lies over the page's lower edge: nothing moves when it comes, and
 * nothing when it goes. Put away, it stays away until the browser is closed.
 */
export function VerifyEmailBanner() {
  const { user } = useViewer();
  const { pathname } = useLocation();
  if (!user || user.isEmailVerified || QUIET_PAGES.includes(pathname)) return null;
  return <BannerOf key={user.id} user={user} />;
}

function BannerOf({ user }: { user: SessionUser }) {
  const [isAway, setIsAway] = useSessionStorage({
    key: `clipswap.verify-banner.${user.id}`,
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  if (isAway) return null;
  const putAway = () => {
    setIsAway(true);
    // The button that had the keyboard is gone; the page's content is where it was.
    document.getElementById('main')?.focus({ preventScroll: true });
  };
  return (
    <aside className={classes.banner} aria-label="Your e-mail address">
      <Text className={classes.bannerText} size="sm">
        <Text span inherit fw={700}>
          Confirm your e-mail address.
        </Text>{' '}
        We have sent a link to {user.email}.
      </Text>
      <SendLinkButton address={user.email} label="Send again" />
      <CloseButton className={classes.close} iconSize={18} aria-label="Hide for now" onClick={putAway} />
    </aside>
  );
}
