import { PageShell } from '#web/components/page-shell.tsx';
import { Terms } from '#web/features/legal/terms.tsx';

export function TermsPage() {
  return (
    <PageShell title="Terms and Conditions">
      <Terms />
    </PageShell>
  );
}
