import { PAGES } from '#contract/pages.ts';
import { PageShell } from '#web/components/page-shell.tsx';
import { ModerationNav } from '#web/features/moderation/moderation-nav.tsx';
import { ClaimList } from '#web/features/payments/claim-list.tsx';

/** The claims that wait for a decision of a moderator or an admin. */
export function Component() {
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
