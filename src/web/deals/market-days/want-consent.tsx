import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Text, VisuallyHidden } from '@mantine/core';
import { formatDay } from '#contract/base/locale.ts';
import type { Want } from '#contract/coupons/wants.ts';
import { titleOf } from '#web/coupons/wants/wording.ts';
import { openDialog } from '#web/lib/open-dialog.ts';
import { toasts } from '#web/lib/toasts.ts';
import { trpc } from '#web/lib/trpc.ts';
import { ActiveOnly } from '#web/lib/viewer.tsx';
import { useConsents, useMarketDay } from './queries.ts';

/** Whether a wish is fulfilled on market day without asking, and the ways to agree to that and to take it back. */
export function WantConsent({ want }: { want: Want }) {
  const { data: next } = useMarketDay();
  const { data: consents } = useConsents();
  const withdraw = trpc.marketDays.withdrawWant.useMutation();
  if (!next || !consents || want.gives === 'nothing') return null;
  const consent = consents.wants.find(({ wantId }) => wantId === want.id);
  const title = titleOf(want);
  const open = () => openDialog('consentForWant', { want, consent, next });
  const takeBack = () =>
    withdraw.mutate(
      { wantId: want.id },
      {
        onSuccess: () =>
          toasts.success(t`Taken back`, t`We will ask you before anything is swapped for this wish.`),
        onError: (error) => toasts.failed(error, t`Not taken back`),
      },
    );
  if (!consent)
    return (
      <ActiveOnly>
        <Button size="compact-md" variant="light" mt="xs" aria-haspopup="dialog" onClick={open}>
          <Trans>
            Swap without asking me again<VisuallyHidden>: {title}</VisuallyHidden>
          </Trans>
        </Button>
      </ActiveOnly>
    );
  return (
    <Group gap="xs" mt="xs">
      <Text size="sm">
        <Trans>On market day we swap for this without asking you, until {formatDay(consent.until)}.</Trans>
      </Text>
      <Button size="compact-md" variant="default" aria-haspopup="dialog" onClick={open}>
        <Trans>
          Change<VisuallyHidden> what market day swaps for: {title}</VisuallyHidden>
        </Trans>
      </Button>
      <Button size="compact-md" variant="default" loading={withdraw.isPending} onClick={takeBack}>
        <Trans>
          Take back<VisuallyHidden>: {title}</VisuallyHidden>
        </Trans>
      </Button>
    </Group>
  );
}
