import { t } from '@lingui/core/macro';
import { onDemand, useOnDemand } from '#web/components/on-demand.tsx';
import { PageNotice } from '#web/components/page-notice.tsx';
import { useViewer } from '#web/lib/viewer.tsx';

const LABEL = t`Selling`;

const noticeOnDemand = onDemand(async () => (await import('./seller-notice.tsx')).SellerNotice);

/** The place of a notice for signed-in people who cannot be paid yet. */
export function SellerBanner() {
  const { user, isLoading } = useViewer();
  const Notice = useOnDemand(noticeOnDemand, user);
  return user && Notice ? (
    <Notice key={user.id} label={LABEL} userId={user.id} />
  ) : (
    <PageNotice label={LABEL} isKnown={!isLoading && !user} notice={null} />
  );
}
