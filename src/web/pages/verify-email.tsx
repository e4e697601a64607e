import { Paper } from '@mantine/core';
import { useSearchParams } from 'react-router-dom';
import { PAGES } from '#contract/pages.ts';
import { PageShell } from '#web/components/page-shell.tsx';
import { VerifyEmail } from '#web/features/accounts/verify-email.tsx';

/** Where the mailed link leads that confirms an e-mail address. */
export function Component() {
  const [params] = useSearchParams();
  const token = params.get('token') ?? '';
  return (
    <PageShell title={PAGES.verifyEmail.title} size="sm">
      <Paper bg="var(--surface)" p={{ base: 'md', sm: 'xl' }} radius="lg" withBorder>
        <VerifyEmail key={token} token={token} />
      </Paper>
    </PageShell>
  );
}
