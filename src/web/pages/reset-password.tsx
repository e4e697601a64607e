import { Paper } from '@mantine/core';
import { PAGES } from '#contract/pages.ts';
import { PageShell } from '#web/components/page-shell.tsx';
import { ResetPasswordForm } from '#web/features/accounts/reset-password-form.tsx';
import { defineAddress, plainText, useAddress } from '#web/lib/address.ts';

const ADDRESS = defineAddress({ token: plainText });

/** Where the mailed link leads that sets a new password. */
export function Component() {
  const [{ token }] = useAddress(ADDRESS);
  return (
    <PageShell title={PAGES.resetPassword.title} size="sm">
      <Paper bg="var(--surface)" p={{ base: 'md', sm: 'xl' }} radius="lg" withBorder>
        <ResetPasswordForm key={token} token={token} />
      </Paper>
    </PageShell>
  );
}
