import { Plural, Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';

interface FailedCodesProps {
  readonly person: {
    readonly username: string;
    readonly successfulExchanges: number;
    readonly failedCodes: number;
  };
}

/** How many codes that a person gave did not work; nothing if all did. */
export function FailedCodes({ person: { username, failedCodes, successfulExchanges } }: FailedCodesProps) {
  if (failedCodes === 0) return null;
  return (
    <Text component="span" c="var(--danger-ink)" fw={600}>
      <Trans>
        {username} gave <Plural value={failedCodes} one="# code" other="# codes" /> that did not work, in{' '}
        <Plural value={successfulExchanges} one="# swap" other="# swaps" />
      </Trans>
    </Text>
  );
}
