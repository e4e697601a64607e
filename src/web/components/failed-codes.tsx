import { Text } from '@mantine/core';

interface FailedCodesProps {
  readonly person: {
    readonly username: string;
    readonly successfulExchanges: number;
    readonly failedCodes: number;
  };
}

/** How many codes that a person gave in exchanges did not work; nothing if all did. */
export function FailedCodes({ person: { username, failedCodes, successfulExchanges } }: FailedCodesProps) {
  if (failedCodes === 0) return null;
  const codes = `${failedCodes} ${failedCodes === 1 ? 'code' : 'codes'}`;
  const swaps = `${successfulExchanges} ${successfulExchanges === 1 ? 'swap' : 'swaps'}`;
  return (
    <Text component="span" c="var(--danger-ink)" fw={600}>
      {username} gave {codes} that did not work, in {swaps}
    </Text>
  );
}
