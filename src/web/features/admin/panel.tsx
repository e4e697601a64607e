import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { paths } from '#contract/pages.ts';
import type { Page } from '#contract/primitives.ts';
import { EmptyState } from '#web/components/empty-state.tsx';
import { PagedList } from '#web/components/paged-list.tsx';
import { QueryContent } from '#web/components/query-content.tsx';
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
  const { data } = read;
  if (data === null) return <SignedOut />;
  return (
    <QueryContent query={{ ...read, data }} errorTitle={failure} skeleton={skeleton}>
      {children}
    </QueryContent>
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
  const { data } = read;
  if (data === null) return <SignedOut />;
  return (
    <PagedList
      query={{ ...read, data }}
      page={page}
      pageSize={ROWS_PER_PAGE}
      onChange={onPage}
      label={label}
      gap={24}
      errorTitle={failure}
      skeleton={<DataTableSkeleton columns={columns} />}
      empty={empty}
    >
      {(rows) => <DataTable label={label} columns={columns} rows={rows} rowKey={rowKey} />}
    </PagedList>
  );
}
