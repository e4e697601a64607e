import { PAGES } from '#contract/pages.ts';
import { PageShell } from '#web/components/page-shell.tsx';
import { Privacy } from '#web/features/legal/privacy.tsx';

export function Component() {
  return (
    <PageShell title={PAGES.privacyPolicy.title}>
      <Privacy />
    </PageShell>
  );
}
