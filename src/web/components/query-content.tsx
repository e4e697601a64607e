import { Trans } from '@lingui/react/macro';
import { Button, Stack, Text, Title } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { isOffline, readErrorText } from '#web/lib/errors.ts';

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
  /** Replaces the server's text; without a network that is said instead. */
  readonly errorText?: ReactNode;
  /** Of the title of a failure: 1 where it is the page's own. */
  readonly errorOrder?: 1 | 2;
  readonly skeleton: ReactNode;
  readonly children: (data: Data) => ReactNode;
}

/** Loaded content: its skeleton while it loads, the error with a Retry button, or the content. */
export function QueryContent<Data>(props: QueryContentProps<Data>) {
  const { query, errorTitle, errorText, errorOrder, skeleton, children } = props;
  if (query.data !== undefined) return children(query.data);
  if (query.error) {
    return (
      <ErrorState
        title={errorTitle}
        order={errorOrder}
        message={(!isOffline(query.error) && errorText) || readErrorText(query.error)}
        onRetry={() => query.refetch()}
        isRetrying={query.isFetching}
      />
    );
  }
  return <div aria-busy="true">{skeleton}</div>;
}

interface ErrorStateProps {
  readonly title: string;
  readonly order?: 1 | 2 | undefined;
  readonly message: ReactNode;
  readonly onRetry: () => void;
  readonly isRetrying?: boolean;
}

/** Shown for a failed read: what failed, why, and a Retry button. */
export function ErrorState({ title, order = 2, message, onRetry, isRetrying }: ErrorStateProps) {
  return (
    <Stack align="center" gap="sm" py={48} px="md" ta="center" role="alert">
      <Title order={order} size="h3">
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
        <Trans>Retry</Trans>
      </Button>
    </Stack>
  );
}
