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
      errorTitle="Error loading your second factor"
      skeleton={<Skeleton height={84} radius="md" aria-hidden="true" />}
    >
      {({ isOn, enabledAt, recoveryCodesLeft, recoveryCodesMadeAt }) => (
        <Stack>
          <Group gap="xs">
            {isOn ? <ToneBadge tone="success">On</ToneBadge> : <ToneBadge tone="neutral">Off</ToneBadge>}
            {enabledAt && <Text size="sm">Since {formatDate(enabledAt)}</Text>}
            {isOn && <Text size="sm">Unused recovery codes: {recoveryCodesLeft}</Text>}
            {recoveryCodesMadeAt && <Text size="sm">Made {formatDate(recoveryCodesMadeAt)}</Text>}
          </Group>
          <Group>
            {isOn ? (
              <>
                <Button
                  variant="default"
                  aria-haspopup="dialog"
                  onClick={() => openDialog('renewRecoveryCodes')}
                >
                  New recovery codes
                </Button>
                <Button
                  variant="default"
                  aria-haspopup="dialog"
                  onClick={() => openDialog('turnOffSecondFactor')}
                >
                  Turn off
                </Button>
              </>
            ) : (
              <Button
                variant="default"
                aria-haspopup="dialog"
                onClick={() => openDialog('turnOnSecondFactor')}
              >
                Turn on
              </Button>
            )}
          </Group>
        </Stack>
      )}
    </QueryContent>
  );
}
