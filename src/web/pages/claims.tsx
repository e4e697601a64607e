import { PAGES } from '#contract/pages.ts';
import { PageShell } from '#web/components/page-shell.tsx';
import { ClaimList } from '#web/features/claims/claim-list.tsx';
import { ModerationNav } from '#web/features/moderation/moderation-nav.tsx';

/** The claims that wait for a decision of a moderator or an admin. */
export function Component() {
  return (
    <PageShell
      title={PAGES.claims.title}
      text="People who say that a code does not work: of sales, where the seller’s money waits, and of exchanges."
      size="md"
    >
      <ModerationNav />
      <ClaimList />
    </PageShell>
  );
}
