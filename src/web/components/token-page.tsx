import { Paper } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import { useSearchParams } from 'react-router-dom';
import { PageShell } from './page-shell.tsx';

interface TokenPageProps {
  readonly title: string;
  /** What the page does with the token of its address. */
  readonly children: (token: string) => ReactNode;
}

/** A page that a mailed link opens. Another link in the same tab starts it anew. */
export function TokenPage({ title, children }: TokenPageProps) {
  const [params] = useSearchParams();
  const token = params.get('token') ?? '';
  return (
    <PageShell title={title} size="sm">
      <Paper bg="var(--surface)" p={{ base: 'md', sm: 'xl' }} radius="lg" withBorder>
        <Fragment key={token}>{children(token)}</Fragment>
      </Paper>
    </PageShell>
  );
}
