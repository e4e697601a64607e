import { Button, Stack, Text, Title } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { readErrorText } from '#web/lib/errors.ts';

/** The used part of a react-query result. */
export interface ContentQuery<Data> {
  readonly data: Data | undefined;
  readonly error: unknown;
  readonly isFetching: boolean;
  readonly refetch: () => unknown;
}

export interface QueryContentProps<Data> {
  readonly query: ContentQuery<Data>;
  readonly errorTitle: string;
  /** Replaces the server's text. */
  readonly errorText?: ReactNode;
  readonly skeleton: ReactNode;
  readonly children: (data: Data) => ReactNode;
}

/** Loaded content: its skeleton while it loads, the error with a Retry button, or the content. */
export function QueryContent<Data>(props: QueryContentProps<Data>) {
  const { query, errorTitle, errorText, skeleton, children } = props;
  if (query.data !== undefined) return children(query.data);
  if (query.error) {
    return (
      <ErrorState
        title={errorTitle}
        message={errorText ?? readErrorText(query.error)}
        onRetry={() => query.refetch()}
        isRetrying={query.isFetching}
      />
    );
  }
  return <div aria-busy="true">{skeleton}</div>;
}

interface ErrorStateProps {
  readonly title: string;
  readonly message: ReactNode;
  readonly onRetry: () => void;
  readonly isRetrying?: boolean;
}

/** Shown for a failed read: what failed, why, and a Retry button. */
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
