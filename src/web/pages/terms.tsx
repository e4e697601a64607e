import { PAGES } from '#contract/pages.ts';
import { PageShell } from '#web/components/page-shell.tsx';
import { Terms } from '#web/features/legal/terms.tsx';

export function Component() {
  return (
    <PageShell title={PAGES.terms.title}>
      <Terms />
    </PageShell>
  );
}
