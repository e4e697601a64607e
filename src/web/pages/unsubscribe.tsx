import { Paper } from '@mantine/core';
import { PAGES } from '#contract/pages.ts';
import { PageShell } from '#web/components/page-shell.tsx';
import { Unsubscribe } from '#web/features/accounts/unsubscribe.tsx';
import { defineAddress, plainText, useAddress } from '#web/lib/address.ts';

const ADDRESS = defineAddress({ token: plainText });

/** Where the link at the foot of every mail leads. */
export function Component() {
  const [{ token }] = useAddress(ADDRESS);
  return (
    <PageShell title={PAGES.unsubscribe.title} size="sm">
      <Paper bg="var(--surface)" p={{ base: 'md', sm: 'xl' }} radius="lg" withBorder>
        <Unsubscribe key={token} token={token} />
      </Paper>
    </PageShell>
  );
}
