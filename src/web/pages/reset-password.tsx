import { Paper } from '@mantine/core';
import { useSearchParams } from 'react-router-dom';
import { PageShell } from '#web/components/page-shell.tsx';
import { ResetPasswordForm } from '#web/features/accounts/reset-password-form.tsx';

/** Where the mailed link leads that sets a new password. */
export function ResetPasswordPage() {
  const [params] = useSearchParams();
  const token = params.get('token') ?? '';
  return (
    <PageShell title="Set a new password" size="sm">
      <Paper bg="var(--surface)" p={{ base: 'md', sm: 'xl' }} radius="lg" withBorder>
        <ResetPasswordForm key={token} token={token} />
      </Paper>
    </PageShell>
  );
}
