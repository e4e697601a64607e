import { PAGES } from '#contract/pages.ts';
import { PageShell } from '#web/components/page-shell.tsx';
import { ModerationNav } from '#web/features/moderation/moderation-nav.tsx';
import { ClaimList } from '#web/features/payments/claim-list.tsx';
import { useViewer } from '#web/lib/viewer.tsx';
import { Component as NotFoundPage } from './not-found.tsx';

/** The claims that wait for a decision, for moderators and admins; everybody else gets the 404 page. */
export function Component() {
  const { user } = useViewer();
  if (user?.role !== 'moderator' && user?.role !== 'admin') return <NotFoundPage />;
  return (
    <PageShell
      title={PAGES.claims.title}
      text="Buyers who say that a code does not work. The seller’s money waits until you decide."
      size="md"
    >
      <ModerationNav />
      <ClaimList />
    </PageShell>
  );
}
