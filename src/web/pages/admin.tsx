import { PAGES } from '#contract/pages.ts';
import { PageShell } from '#web/components/page-shell.tsx';
import { Dashboard } from '#web/features/admin/dashboard.tsx';
import { useViewer } from '#web/lib/viewer.tsx';
import { Component as NotFoundPage } from './not-found.tsx';

/** The operator's view of the marketplace: for admins; to everybody else there is no such page (decisions 5.3). */
export function Component() {
  const { user } = useViewer();
  if (user?.role !== 'admin') return <NotFoundPage />;
  return (
    <PageShell
      title={PAGES.admin.title}
      text="Fees, activity, search engines, people, and how the system fares."
    >
      <Dashboard />
    </PageShell>
  );
}
