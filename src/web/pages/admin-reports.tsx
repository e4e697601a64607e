import { PAGES } from '#contract/pages.ts';
import { PageShell } from '#web/components/page-shell.tsx';
import { ModerationNav } from '#web/features/moderation/moderation-nav.tsx';
import { ReportList } from '#web/features/moderation/report-list.tsx';
import { useViewer } from '#web/lib/viewer.tsx';
import { Component as NotFoundPage } from './not-found.tsx';

/** What people report about each other: for moderators and admins; to everybody else there is no such page. */
export function Component() {
  const { user } = useViewer();
  if (user?.role !== 'moderator' && user?.role !== 'admin') return <NotFoundPage />;
  return (
    <PageShell
      title={PAGES.adminReports.title}
      text="What people report about each other. Each is decided once, and kept."
      size="md"
    >
      <ModerationNav />
      <ReportList />
    </PageShell>
  );
}
