import { Button, Stack, Text, Title } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';

interface ErrorStateProps {
  readonly title: string;
  readonly message: string;
  readonly onRetry: () => void;
  readonly isRetrying?: boolean;
}

/** A read that failed: what failed, why, and a way to try again. */
export function ErrorState({ title, message, onRetry, isRetrying }: ErrorStateProps) {
  return (
    <Stack align="center" gap="sm" py={48} px="md" ta="center" role="alert">
      <Title order={2} size="h3">
        {title}
      </Title>
      <Text c="dimmed" maw={440}>
        {message}
      </Text>
      <Button
        variant="default"
        leftSection={<IconRefresh size={18} />}
        onClick={onRetry}
        loading={isRetrying}
      >
        Retry
      </Button>
    </Stack>
  );
}
