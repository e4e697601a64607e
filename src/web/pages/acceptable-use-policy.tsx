import { PAGES } from '#contract/pages.ts';
import { PageShell } from '#web/components/page-shell.tsx';
import { AcceptableUse } from '#web/features/legal/acceptable-use.tsx';

export function Component() {
  return (
    <PageShell title={PAGES.acceptableUsePolicy.title}>
      <AcceptableUse />
    </PageShell>
  );
}
