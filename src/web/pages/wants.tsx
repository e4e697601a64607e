import { PAGES } from '#contract/base/pages.ts';
import { PageShell } from '#web/components/page-shell.tsx';
import { WantList } from '#web/coupons/wants/want-list.tsx';
import { WantConsent } from '#web/deals/market-days/want-consent.tsx';

/** What the viewer looks for, and what was found. */
export function Component() {
  return (
    <PageShell title={PAGES.wants.title()} size="md">
      <WantList renderConsent={(want) => <WantConsent want={want} />} />
    </PageShell>
  );
}
