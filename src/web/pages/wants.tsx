import { PAGES } from '#contract/base/pages.ts';
import { PageShell } from '#web/components/page-shell.tsx';
import { WantList } from '#web/coupons/wants/want-list.tsx';

/** What the viewer looks for, and what was found. */
export function Component() {
  return (
    <PageShell title={PAGES.wants.title()} size="md">
      <WantList />
    </PageShell>
  );
}
