import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Text } from '@mantine/core';
import { IconUserShield } from '@tabler/icons-react';
import type { IdentityProvider } from '#contract/people/identities.ts';
import { toasts } from '#web/lib/toasts.ts';
import { trpc } from '#web/lib/trpc.ts';

/** Leads to the page of the provider of OpenID, and back to where the person wanted to go. */
export function ProviderButton({ provider, label }: { provider: IdentityProvider; label: string }) {
  const { name, isAvailable } = provider;
  const start = trpc.identities.start.useMutation();
  const go = () => {
    const from = new URLSearchParams(window.location.search).get('from') ?? undefined;
    start.mutate(
      { from },
      {
        onSuccess: ({ url }) => window.location.assign(url),
        onError: (error) => toasts.failed(error, t`Not signed in`),
      },
    );
  };
  return (
    <>
      <Button
        variant="default"
        size="md"
        leftSection={<IconUserShield size={20} aria-hidden="true" />}
        disabled={!isAvailable}
        loading={start.isPending}
        onClick={go}
      >
        {label}
      </Button>
      {!isAvailable && (
        <Text size="sm" c="dimmed" ta="center">
          <Trans>{name} does not answer at the moment. Try again in a minute, or sign in another way.</Trans>
        </Text>
      )}
    </>
  );
}
