import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { useLocation } from 'react-router-dom';
import { paths } from '#contract/pages.ts';
import { onDemand, useOnDemand } from '#web/components/on-demand.tsx';
import { PageNotice } from '#web/components/page-notice.tsx';
import { withStorage } from '#web/lib/storage.ts';
import { useViewer } from '#web/lib/viewer.tsx';

const LABEL = t`Your email address`;

const noticeOnDemand = onDemand(async () => (await import('./verify-email-notice.tsx')).VerifyEmailNotice);

/** These pages show the state of the address themselves. */
const QUIET_PAGES: readonly string[] = [paths.profile, paths.profileSettings, paths.verifyEmail];

/** Keeps the id of the member who has hidden it. */
const AWAY_KEY = 'clipswap.verify-banner';

/** Asks a member to confirm their address. Once hidden, it stays hidden for the browser session. */
export function VerifyEmailBanner() {
  const { user, isLoading } = useViewer();
  const { pathname } = useLocation();
  const [away, setAway] = useState(() =>
    withStorage('sessionStorage', (storage) => Number(storage.getItem(AWAY_KEY))),
  );
  const hideFor = (userId: number) => {
    withStorage('sessionStorage', (storage) => storage.setItem(AWAY_KEY, String(userId)));
    setAway(userId);
  };
  const isShown = user !== null && !user.isEmailVerified && away !== user.id;
  const Notice = useOnDemand(noticeOnDemand, isShown);
  if (QUIET_PAGES.includes(pathname)) return null;
  return isShown && Notice ? (
    <Notice label={LABEL} address={user.email} onClose={() => hideFor(user.id)} />
  ) : (
    <PageNotice label={LABEL} isKnown={!isLoading && !isShown} notice={null} />
  );
}
