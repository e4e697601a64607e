import type { ReactNode } from 'react';
import { ErrorState } from '#web/components/error-state.tsx';
import { readErrorText } from '#web/lib/errors.ts';

/** What is used of a react-query result. */
export interface ContentQuery<Data> {
  readonly data: Data | undefined;
  readonly error: unknown;
  readonly isFetching: boolean;
  readonly refetch: () => unknown;
}

export interface QueryContentProps<Data> {
  readonly query: ContentQuery<Data>;
  readonly errorTitle: string;
  /** In place of what the server said. */
  readonly errorText?: string;
  /** What the content looks like while it loads. */
  readonly skeleton: ReactNode;
  readonly children: (data: Data) => ReactNode;
}

/** Content that is read: its skeleton while it loads, the error with a Retry button, or the content itself. */
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
