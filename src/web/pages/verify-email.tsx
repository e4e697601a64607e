import { Paper } from '@mantine/core';
import { PAGES } from '#contract/pages.ts';
import { PageShell } from '#web/components/page-shell.tsx';
import { VerifyEmail } from '#web/features/accounts/verify-email.tsx';
import { defineAddress, plainText, useAddress } from '#web/lib/address.ts';

const ADDRESS = defineAddress({ token: plainText });

/** Where the mailed link leads that confirms an e-mail address. */
export function Component() {
  const [{ token }] = useAddress(ADDRESS);
  return (
    <PageShell title={PAGES.verifyEmail.title} size="sm">
      <Paper bg="var(--surface)" p={{ base: 'md', sm: 'xl' }} radius="lg" withBorder>
        <VerifyEmail key={token} token={token} />
      </Paper>
    </PageShell>
  );
}
