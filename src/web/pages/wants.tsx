import { PAGES } from '#contract/base/pages.ts';
import { PageShell } from '#web/components/page-shell.tsx';
import { WantList } from '#web/coupons/wants/want-list.tsx';
import { useConsents, useMarketDay } from '#web/deals/market-days/queries.ts';
import { WantConsent } from '#web/deals/market-days/want-consent.tsx';

/** What the viewer looks for, and what was found. */
export function Component() {
  const queries = [useMarketDay(), useConsents()];
  return (
    <PageShell title={PAGES.wants.title()} size="md">
      <WantList
        renderConsent={(want) => <WantConsent want={want} />}
        isWaiting={queries.some(({ isPending }) => isPending)}
      />
    </PageShell>
  );
}
