import { t } from '@lingui/core/macro';
import { Paper } from '@mantine/core';
import { useSearchParams } from 'react-router-dom';
import { PAGES } from '#contract/base/pages.ts';
import { PageShell } from '#web/components/page-shell.tsx';
import { ResetPasswordForm } from '#web/people/accounts/reset-password-form.tsx';

/** Sets a new password; opened by the link of a "forgot password" mail. */
export function Component() {
  const [params] = useSearchParams();
  const token = params.get('token') ?? '';
  return (
    <PageShell title={PAGES.resetPassword.title()} size="sm">
      <Paper bg="var(--surface)" p={{ base: 'md', sm: 'xl' }} radius="lg" withBorder>
        <ResetPasswordForm
          key={token}
          token={token}
          text={t`This signs you out on every device, removes your passkeys and linked sign-ins, ends your keys and your calendar address, and switches off your webhooks. An authenticator app stays on.`}
          submitLabel={t`Set the new password`}
        />
      </Paper>
    </PageShell>
  );
}
