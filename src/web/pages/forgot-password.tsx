import { Paper } from '@mantine/core';
import { PAGES } from '#contract/pages.ts';
import { PageShell } from '#web/components/page-shell.tsx';
import { ForgotPasswordForm } from '#web/features/accounts/forgot-password-form.tsx';

export function Component() {
  return (
    <PageShell
      title={PAGES.forgotPassword.title}
      text="Tell us the e-mail address of your account. We send a link there that sets a new one."
      size="sm"
    >
      <Paper bg="var(--surface)" p={{ base: 'md', sm: 'xl' }} radius="lg" withBorder>
        <ForgotPasswordForm />
      </Paper>
    </PageShell>
  );
}
