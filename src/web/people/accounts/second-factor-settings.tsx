import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { QueryContent } from '#web/components/query-content.tsx';
import { ToneBadge } from '#web/components/status-badge.tsx';
import { formatDate } from '#web/lib/format.ts';
import { openDialog } from '#web/lib/open-dialog.ts';
import { useSecondFactor } from './queries.ts';

/** Turns the second factor on and off, and replaces the recovery codes. */
export function SecondFactorSettings() {
  const query = useSecondFactor();
  return (
    <QueryContent
      query={query}
      errorTitle={t`Error loading your second factor`}
      skeleton={<Skeleton height={84} radius="md" aria-hidden="true" />}
    >
      {({ isOn, enabledAt, recoveryCodesLeft, recoveryCodesMadeAt }) => (
        <Stack>
          <Group gap="xs">
            {isOn ? (
              <ToneBadge tone="success">
                <Trans context="second factor">On</Trans>
              </ToneBadge>
            ) : (
              <ToneBadge tone="neutral">
                <Trans context="second factor">Off</Trans>
              </ToneBadge>
            )}
            {enabledAt && (
              <Text size="sm">
                <Trans>Since {formatDate(enabledAt)}</Trans>
              </Text>
            )}
            {isOn && (
              <Text size="sm">
                <Trans>Unused recovery codes: {recoveryCodesLeft}</Trans>
              </Text>
            )}
            {recoveryCodesMadeAt && (
              <Text size="sm">
                <Trans>Made {formatDate(recoveryCodesMadeAt)}</Trans>
              </Text>
            )}
          </Group>
          <Group>
            {isOn ? (
              <>
                <Button
                  variant="default"
                  aria-haspopup="dialog"
                  onClick={() => openDialog('renewRecoveryCodes')}
                >
                  <Trans>New recovery codes</Trans>
                </Button>
                <Button
                  variant="default"
                  aria-haspopup="dialog"
                  onClick={() => openDialog('turnOffSecondFactor')}
                >
                  <Trans>Turn off</Trans>
                </Button>
              </>
            ) : (
              <Button
                variant="default"
                aria-haspopup="dialog"
                onClick={() => openDialog('turnOnSecondFactor')}
              >
                <Trans>Turn on</Trans>
              </Button>
            )}
          </Group>
        </Stack>
      )}
    </QueryContent>
  );
}
