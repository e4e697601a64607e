import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, List, Skeleton, Stack, Text } from '@mantine/core';
import { useLocation } from 'react-router-dom';
import { PAGES } from '#contract/base/pages.ts';
import type { ApiScope } from '#contract/people/api-keys.ts';
import { type Authorization, type AuthorizationInput, CONSENT_DAYS } from '#contract/people/oauth.ts';
import { PageShell } from '#web/components/page-shell.tsx';
import { QueryContent } from '#web/components/query-content.tsx';
import { toasts } from '#web/lib/toasts.ts';
import { trpc } from '#web/lib/trpc.ts';
import { useMember } from '#web/lib/viewer.tsx';

/** The request of a program, by the names that OAuth gives its parts. */
function requestIn(search: string): AuthorizationInput {
  const given = new URLSearchParams(search);
  return {
    responseType: given.get('response_type') ?? '',
    clientId: given.get('client_id') ?? '',
    redirectUri: given.get('redirect_uri') ?? '',
    scope: given.get('scope') ?? undefined,
    state: given.get('state') ?? undefined,
    codeChallenge: given.get('code_challenge') ?? '',
    codeChallengeMethod: given.get('code_challenge_method') ?? '',
    resource: given.get('resource') ?? undefined,
  };
}

/** Asks a person whether a program may act for them: who asks, what for, and where the answer goes. */
export function Component() {
  const input = requestIn(useLocation().search);
  const query = trpc.oauth.authorization.useQuery(input, { retry: false });
  return (
    <PageShell title={PAGES.authorize.title()} size="sm">
      <QueryContent
        query={query}
        errorTitle={t`This assistant cannot be connected`}
        skeleton={<Skeleton height={280} radius="md" />}
      >
        {(authorization) => <Consent input={input} authorization={authorization} />}
      </QueryContent>
    </PageShell>
  );
}

/** What each scope lets an assistant do, in plain words. */
const scopeTexts = (): Partial<Record<ApiScope, string>> => ({
  'coupons:read': t`See your coupons and your wish list, without any code`,
  'coupons:write': t`Add wishes and drafts of coupons`,
  'deals:read': t`See your swaps, bids and matches`,
  'deals:write': t`Propose swaps, bid, and ask you to accept or complete a deal`,
  'messages:write': t`Write messages that you confirm before they are sent`,
  'payments:write': t`Ask you to pay, or to say that a code works`,
});

function Consent({ input, authorization }: { input: AuthorizationInput; authorization: Authorization }) {
  const { clientName, redirectHost, isOnDevice, scopes, deniedTo } = authorization;
  const { username } = useMember();
  const approving = trpc.oauth.approve.useMutation();
  const texts = scopeTexts();
  const approve = async () => {
    try {
      const { redirectTo } = await approving.mutateAsync(input);
      window.location.assign(redirectTo);
    } catch (error) {
      toasts.failed(error, t`Not connected`);
    }
  };
  return (
    <Stack>
      <Text fw={600}>
        <Trans>
          “{clientName}” wants to act for you, {username}.
        </Trans>
      </Text>
      <Text>
        <Trans>It could:</Trans>
      </Text>
      <List>
        {scopes.map((scope) => (
          <List.Item key={scope}>{texts[scope]}</List.Item>
        ))}
      </List>
      <Text>
        <Trans>
          It never sees a code, and it cannot accept or complete a deal or pay by itself. You can revoke this
          at any time in your settings; it ends after {CONSENT_DAYS} days.
        </Trans>
      </Text>
      <Alert color="yellow" role="note" title={t`Do you know this program?`}>
        {isOnDevice
          ? t`The name is its own, and we have not checked it. The answer goes to a program on this device. Go on only if you have just started it.`
          : t`The name is its own, and we have not checked it. The answer goes to ${redirectHost}. Go on only if you have just come from there.`}
      </Alert>
      <Group justify="flex-end">
        <Button
          variant="default"
          onClick={() => window.location.assign(deniedTo)}
          disabled={approving.isPending}
        >
          <Trans>Do not connect</Trans>
        </Button>
        <Button onClick={approve} loading={approving.isPending}>
          <Trans>Connect</Trans>
        </Button>
      </Group>
    </Stack>
  );
}
