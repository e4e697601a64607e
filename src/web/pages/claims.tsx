import { t } from '@lingui/core/macro';
import { PAGES } from '#contract/base/pages.ts';
import { PageShell } from '#web/components/page-shell.tsx';
import { ClaimList } from '#web/oversight/moderation/claim-list.tsx';
import { ModerationNav } from '#web/oversight/moderation/moderation-nav.tsx';

/** The claims that wait for a decision of a moderator or an admin. */
export function Component() {
  return (
    <PageShell
      title={PAGES.claims.title()}
      text={t`Claims that a code does not work, from sales (where we hold the seller’s money) and from exchanges.`}
      size="md"
    >
      <ModerationNav />
      <ClaimList />
    </PageShell>
  );
}
