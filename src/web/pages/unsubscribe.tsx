import { Paper } from '@mantine/core';
import { useSearchParams } from 'react-router-dom';
import { PAGES } from '#contract/pages.ts';
import { PageShell } from '#web/components/page-shell.tsx';
import { Unsubscribe } from '#web/features/accounts/unsubscribe.tsx';

/** Where the link at the foot of every mail leads. */
export function Component() {
  const [params] = useSearchParams();
  const token = params.get('token') ?? '';
  return (
    <PageShell title={PAGES.unsubscribe.title} size="sm">
      <Paper bg="var(--surface)" p={{ base: 'md', sm: 'xl' }} radius="lg" withBorder>
        <Unsubscribe key={token} token={token} />
      </Paper>
    </PageShell>
  );
}
