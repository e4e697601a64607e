import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Page } from '#contract/primitives.ts';
import { ErrorState } from '#web/components/error-state.tsx';
import { ListPagination } from '#web/components/list-pagination.tsx';
import { readErrorText } from '#web/lib/errors.ts';
import classes from './activity-card.module.css';
import { PAGE_SIZE } from './queries.ts';

interface ActivityListProps<Item> {
  /** The query of one page. */
  readonly list: {
    data: Page<Item> | undefined;
    error: unknown;
    isFetching: boolean;
    refetch: () => unknown;
  };
  readonly page: number;
  readonly onPage: (page: number) => void;
  /** Names what is paged through. */
  readonly label: string;
  readonly failure: { readonly title: string; readonly text: string };
  /** What a card's inside looks like while it is coming. */
  readonly skeleton: ReactNode;
  /** In place of a list that has nothing at all. */
  readonly empty: ReactNode;
  readonly renderItem: (item: Item) => ReactNode;
}

/** A list of what has happened, in every state a list can be in: coming, failed, empty, and there. */
export function ActivityList<Item>(props: ActivityListProps<Item>) {
  const { data, error, isFetching, refetch } = props.list;
  if (error && !data) {
    return (
      <ErrorState
        title={props.failure.title}
        message={readErrorText(error, props.failure.text)}
        onRetry={() => refetch()}
        isRetrying={isFetching}
      />
    );
  }
  if (!data) {
    return (
      <Stack gap="sm" aria-busy="true">
        {['a', 'b', 'c', 'd', 'e'].map((key) => (
          <div key={key} className={classes.card}>
            {props.skeleton}
          </div>
        ))}
      </Stack>
    );
  }
  if (data.total === 0) return props.empty;
  return (
    <Stack gap="sm">
      {data.items.map(props.renderItem)}
      {data.items.length === 0 && (
        <Text c="dimmed" ta="center">
          There is nothing on this page.
        </Text>
      )}
      <ListPagination
        {...data}
        page={props.page}
        pageSize={PAGE_SIZE}
        onChange={props.onPage}
        label={props.label}
      />
    </Stack>
  );
}
