import { t } from '@lingui/core/macro';
import { isRestricted } from '#contract/roles.ts';
import { onDemand, useOnDemand } from '#web/components/on-demand.tsx';
import { PageNotice } from '#web/components/page-notice.tsx';
import { useViewer } from '#web/lib/viewer.tsx';

const LABEL = t`Suspension`;

const noticeOnDemand = onDemand(async () => (await import('./suspension-notice.tsx')).SuspensionNotice);

/** Tells a suspended or banned person on every page how long it lasts. */
export function SuspensionBanner() {
  const { user, isLoading } = useViewer();
  const isConcerned = user !== null && isRestricted(user.status);
  const Notice = useOnDemand(noticeOnDemand, isConcerned);
  return isConcerned && Notice ? (
    <Notice label={LABEL} user={user} />
  ) : (
    <PageNotice label={LABEL} isKnown={!isLoading && !isConcerned} notice={null} />
  );
}
