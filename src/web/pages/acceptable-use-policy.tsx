import { PageShell } from '#web/components/page-shell.tsx';
import { AcceptableUse } from '#web/features/legal/acceptable-use.tsx';

export function AcceptableUsePolicyPage() {
  return (
    <PageShell title="Acceptable Use Policy">
      <AcceptableUse />
    </PageShell>
  );
}
