import { PageShell } from '#web/components/page-shell.tsx';
import { Privacy } from '#web/features/legal/privacy.tsx';

export function PrivacyPolicyPage() {
  return (
    <PageShell title="Privacy Policy">
      <Privacy />
    </PageShell>
  );
}
