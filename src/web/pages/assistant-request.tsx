import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Skeleton, Stack, Text } from '@mantine/core';
import { Link, useParams } from 'react-router-dom';
import { PAGES, paths } from '#contract/base/pages.ts';
import { idSchema } from '#contract/base/primitives.ts';
import type { AssistantRequest } from '#contract/people/assistant-requests.ts';
import { PageShell } from '#web/components/page-shell.tsx';
import { QueryContent } from '#web/components/query-content.tsx';
import { hasCode } from '#web/lib/errors.ts';
import { trpc } from '#web/lib/trpc.ts';
import { AskedAct } from './assistant-request-acts.tsx';
import { Component as NotFoundPage } from './not-found.tsx';

/** What an assistant asks the viewer to do: exactly what will happen, to confirm or to decline. */
export function Component() {
  const id = idSchema.safeParse(Number(useParams().id)).data;
  return id === undefined ? <NotFoundPage /> : <Request id={id} />;
}

function Request({ id }: { id: number }) {
  const query = trpc.assistantRequests.byId.useQuery({ id });
  if (hasCode(query.error, 'not_found')) return <NotFoundPage />;
  return (
    <PageShell title={PAGES.assistantRequest.title()} size="sm">
      <QueryContent
        query={query}
        errorTitle={t`Error loading the request`}
        skeleton={<Skeleton height={320} radius="md" />}
      >
        {(request) =>
          request.state === 'waiting' ? <AskedAct request={request} /> : <Ended state={request.state} />
        }
      </QueryContent>
    </PageShell>
  );
}

const endText = (state: AssistantRequest['state']): string => {
  switch (state) {
    case 'confirmed':
      return t`You have confirmed this.`;
    case 'declined':
      return t`You have declined this. Nothing was done.`;
    default:
      return t`This request has expired, and nothing was done. Your assistant can ask again.`;
  }
};

function Ended({ state }: Pick<AssistantRequest, 'state'>) {
  return (
    <Stack align="flex-start">
      <Text role="status">{endText(state)}</Text>
      <Button component={Link} to={paths.deals}>
        <Trans>Go to your deals</Trans>
      </Button>
    </Stack>
  );
}
