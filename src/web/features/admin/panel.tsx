import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router-dom';
import type { Page } from '#contract/primitives.ts';
import { EmptyState } from '#web/components/empty-state.tsx';
import { ErrorState } from '#web/components/error-state.tsx';
import { ListPagination } from '#web/components/list-pagination.tsx';
import { readErrorText } from '#web/lib/errors.ts';
import { paths } from '#web/lib/paths.ts';
import classes from './admin.module.css';
import { type Column, DataTable, DataTableSkeleton } from './data-table.tsx';
import { type AdminRead, ROWS_PER_PAGE } from './queries.ts';

interface PanelProps<Data> {
  readonly read: AdminRead<Data>;
  readonly failure: string;
  readonly skeleton: ReactNode;
  readonly children: (data: Data) => ReactNode;
}

/** A part of the dashboard in every state: coming, failed, signed out meanwhile, and there. */
export function Panel<Data>({ read, failure, skeleton, children }: PanelProps<Data>) {
  const { data, error, isFetching, refetch } = read;
  if (data === null) return <SignedOut />;
  if (data !== undefined) return children(data);
  if (!error) return skeleton;
  return (
    <ErrorState
      title={failure}
      message={readErrorText(error)}
      onRetry={() => refetch()}
      isRetrying={isFetching}
    />
  );
}

function SignedOut() {
  const { pathname, search } = useLocation();
  return (
    <EmptyState
      title="You are signed out"
      text="Log in again to go on."
      action={
        <Button component={Link} to={paths.authFrom(pathname + search)}>
          Log in
        </Button>
      }
    />
  );
}

interface TablePanelProps<Row> {
  readonly label: string;
  readonly read: AdminRead<Page<Row>>;
  readonly failure: string;
  readonly columns: readonly Column<Row>[];
  readonly rowKey: (row: Row) => string | number;
  /** In place of a list that has nothing at all. */
  readonly empty: ReactNode;
  readonly page: number;
  readonly onPage: (page: number) => void;
}

/** A list of the dashboard, a page at a time. */
export function TablePanel<Row>(props: TablePanelProps<Row>) {
  const { label, read, failure, columns, rowKey, empty, page, onPage } = props;
  return (
    <Panel read={read} failure={failure} skeleton={<DataTableSkeleton columns={columns} />}>
      {(data) =>
        data.total === 0 ? (
          empty
        ) : (
          <div className={classes.stack}>
            {data.items.length > 0 ? (
              <DataTable
                label={label}
                columns={columns}
                rows={data.items}
                rowKey={rowKey}
                isBusy={read.isPlaceholderData}
              />
            ) : (
              <EmptyState
                title="There is nothing on this page"
                titleOrder={3}
                action={<Button onClick={() => onPage(1)}>Back to the first page</Button>}
              />
            )}
            <ListPagination {...data} page={page} pageSize={ROWS_PER_PAGE} onChange={onPage} label={label} />
          </div>
        )
      }
    </Panel>
  );
}
