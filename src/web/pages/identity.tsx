import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Paper, Skeleton } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { defineAddress, oneOf, plainText } from '#contract/base/address.ts';
import { PAGES, paths } from '#contract/base/pages.ts';
import type { IdentityFailure, PendingIdentity } from '#contract/people/identities.ts';
import { EmptyState } from '#web/components/empty-state.tsx';
import { PageShell } from '#web/components/page-shell.tsx';
import { QueryContent } from '#web/components/query-content.tsx';
import { useAddress } from '#web/lib/address.ts';
import { trpc } from '#web/lib/trpc.ts';
import { useViewer } from '#web/lib/viewer.tsx';
import { ChooseAccount, EnterWithProvider, LinkProvider } from '#web/people/accounts/provider-steps.tsx';

const ADDRESS = defineAddress({
  from: plainText,
  failed: oneOf<IdentityFailure | 'no'>(['no', 'cancelled', 'refused', 'unavailable']),
});

const FAILURES: Readonly<Record<IdentityFailure, string>> = {
  cancelled: t`You left before the sign-in finished. Nothing has changed.`,
  refused: t`The answer did not belong to a sign-in that this browser has just begun. Please start again.`,
  unavailable: t`The service did not answer. Try again in a minute, or sign in another way.`,
};

/** Where the provider of OpenID leads back to: goes on with whom it has named. */
export function ProviderReturn() {
  const [{ from, failed }] = useAddress(ADDRESS);
  const pending = trpc.identities.pending.useQuery(undefined, {
    staleTime: 'static',
    enabled: failed === 'no',
  });
  // It is used up before the browser leaves, and has an end: the form stays.
  const [shown, setShown] = useState<PendingIdentity | null>(null);
  if (pending.data && pending.data !== shown) setShown(pending.data);
  return (
    <PageShell title={PAGES.identity.title()} size="sm">
      <Paper bg="var(--surface)" p={{ base: 'md', sm: 'xl' }} radius="lg" withBorder>
        {shown ? (
          <Step pending={shown} from={from} />
        ) : failed === 'no' ? (
          <QueryContent
            query={pending}
            errorTitle={t`Error loading your sign-in`}
            skeleton={<Skeleton height={330} radius="md" />}
          >
            {() => <Problem from={from} />}
          </QueryContent>
        ) : (
          <Problem from={from} text={FAILURES[failed]} />
        )}
      </Paper>
    </PageShell>
  );
}

function Step({ pending, from }: { pending: PendingIdentity; from: string }) {
  if (pending.next === 'enter') return <EnterWithProvider pending={pending} />;
  if (pending.next === 'link') return <LinkProvider pending={pending} from={from} />;
  return <ChooseAccount pending={pending} from={from} />;
}

/** Why nobody was signed in, and the way back. */
function Problem({
  from,
  text = t`This sign-in has been used or has taken too long. Please start again.`,
}: {
  from: string;
  text?: string;
}) {
  const { user } = useViewer();
  return (
    <div role="alert">
      <EmptyState
        title={t`Not signed in`}
        text={text}
        action={
          <Button
            component={Link}
            to={user ? paths.settings('identities') : from ? paths.authFrom(from) : paths.auth}
          >
            {user ? <Trans>Back to your settings</Trans> : <Trans>Back to the sign-in</Trans>}
          </Button>
        }
      />
    </div>
  );
}
