import { useSessionStorage } from '@mantine/hooks';
import { useLocation } from 'react-router-dom';
import type { SessionUser } from '#contract/accounts.ts';
import { paths } from '#contract/pages.ts';
import { EdgeBanner } from '#web/components/edge-banner.tsx';
import { useViewer } from '#web/lib/viewer.tsx';
import { SendLinkButton } from './verification.tsx';

/** These say it themselves, in their own place. */
const QUIET_PAGES: readonly string[] = [paths.profile, paths.profileSettings, paths.verifyEmail];

/** Asks a member to confirm their address. Put away, it stays away until the browser is closed. */
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
  return (
    <EdgeBanner
      label="Your e-mail address"
      lead="Confirm your e-mail address."
      text={`We have sent a link to ${user.email}.`}
      closeLabel="Hide for now"
      // Whoever cannot be written to confirms the address before setting up to be paid.
      isUrgent
      onClose={() => setIsAway(true)}
    >
      <SendLinkButton address={user.email} label="Send again" />
    </EdgeBanner>
  );
}
