import { t } from '@lingui/core/macro';
import { PAGES } from '#contract/base/pages.ts';
import { PageShell } from '#web/components/page-shell.tsx';
import { trpc } from '#web/lib/trpc.ts';
import { ClaimList, ClaimListSkeleton } from '#web/oversight/moderation/claim-list.tsx';
import { ModerationNav } from '#web/oversight/moderation/moderation-nav.tsx';
import { StoppedSellers } from '#web/oversight/moderation/stopped-sellers.tsx';

/** The claims that wait for a decision of a moderator or an admin. */
export function Component() {
  const stopped = trpc.claims.stoppedSellers.useQuery();
  return (
    <PageShell
      title={PAGES.claims.title()}
      text={t`Claims that a code does not work, from sales (where we hold the seller’s money) and from exchanges.`}
      size="md"
    >
      <ModerationNav />
      {stopped.isPending ? (
        // Who waits stands above the claims, and would move them.
        <div aria-busy="true">
          <ClaimListSkeleton />
        </div>
      ) : (
        <>
          <StoppedSellers query={stopped} />
          <ClaimList />
        </>
      )}
    </PageShell>
  );
}
