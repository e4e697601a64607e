import { Paper } from '@mantine/core';
import { PageShell } from '#web/components/page-shell.tsx';
import { ForgotPasswordForm } from '#web/features/accounts/forgot-password-form.tsx';

export function ForgotPasswordPage() {
  return (
    <PageShell
      title="Forgot your password?"
      text="Tell us the e-mail address of your account. We send a link there that sets a new one."
      size="sm"
    >
      <Paper bg="var(--surface)" p={{ base: 'md', sm: 'xl' }} radius="lg" withBorder>
        <ForgotPasswordForm />
      </Paper>
    </PageShell>
  );
}
