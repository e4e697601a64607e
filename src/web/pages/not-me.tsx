import { t } from '@lingui/core/macro';
import { Paper } from '@mantine/core';
import { useSearchParams } from 'react-router-dom';
import { PAGES } from '#contract/base/pages.ts';
import { PageShell } from '#web/components/page-shell.tsx';
import { ResetPasswordForm } from '#web/people/accounts/reset-password-form.tsx';

/** Takes an account back; opened by the link "This was not me" of a mail that tells of a change. */
export function Component() {
  const [params] = useSearchParams();
  const token = params.get('token') ?? '';
  return (
    <PageShell title={PAGES.notMe.title()} size="sm">
      <Paper bg="var(--surface)" p={{ base: 'md', sm: 'xl' }} radius="lg" withBorder>
        <ResetPasswordForm
          key={token}
          token={token}
          text={t`Choose a new password. We sign everyone out, remove every passkey and every linked sign-in, end every key and your calendar address, switch off every webhook, turn off any authenticator app that was turned on since our email, and give the account back the address we emailed.`}
          submitLabel={t`Take my account back`}
        />
      </Paper>
    </PageShell>
  );
}
