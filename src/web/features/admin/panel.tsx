import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Skeleton } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { PAGE_SIZES } from '#contract/page-sizes.ts';
import { paths } from '#contract/pages.ts';
import type { Page, PageRef } from '#contract/primitives.ts';
import { EmptyState } from '#web/components/empty-state.tsx';
import { Facts } from '#web/components/facts.tsx';
import { PagedList } from '#web/components/paged-list.tsx';
import { PlainList } from '#web/components/plain-list.tsx';
import { QueryContent } from '#web/components/query-content.tsx';
import { Surface } from '#web/components/surface.tsx';
import { useIsBelow } from '#web/lib/screen.ts';
import classes from './admin.module.css';
import type { AdminRead } from './queries.ts';

interface PanelProps<Data> {
  readonly read: AdminRead<Data>;
  readonly failure: string;
  readonly skeleton: ReactNode;
  readonly children: (data: Data) => ReactNode;
}

/** A part of the dashboard in every state: loading, failed, signed out, and loaded. */
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
      title={t`You are signed out`}
      text={t`Sign in again to continue.`}
      action={
        <Button component={Link} to={paths.authFrom(pathname + search)}>
          <Trans>Sign in</Trans>
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
  /** Shown where there are no rows. */
  readonly empty: Omit<ComponentProps<typeof EmptyState>, 'titleOrder'>;
  readonly page: PageRef;
  readonly onPage: (page: PageRef) => void;
}

/** A paged list of the dashboard. */
export function TablePanel<Row>(props: TablePanelProps<Row>) {
  const { label, read, failure, columns, rowKey, empty, page, onPage } = props;
  const { data } = read;
  if (data === null) return <SignedOut />;
  return (
    <PagedList
      query={{ ...read, data }}
      page={page}
      pageSize={PAGE_SIZES.admin}
      onChange={onPage}
      label={label}
      gap={24}
      errorTitle={failure}
      skeleton={<DataTableSkeleton columns={columns} />}
      empty={<EmptyState {...empty} titleOrder={3} />}
    >
      {(rows) => <DataTable label={label} columns={columns} rows={rows} rowKey={rowKey} />}
    </PagedList>
  );
}

export interface Column<Row> {
  readonly title: string;
  readonly render: (row: Row) => ReactNode;
  /** Aligns amounts and counts to the right. */
  readonly isNumber?: boolean;
  /** Long text that wraps; other columns stay on one line. */
  readonly isLong?: boolean;
}

interface DataTableProps<Row> {
  /** Names the table. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string | number;
}

/** A table; on narrow screens a card for each row. */
export function DataTable<Row>({ label, columns, rows, rowKey }: DataTableProps<Row>) {
  const isNarrow = useIsBelow('md');
  if (isNarrow) {
    return (
      <PlainList gap={12} aria-label={label}>
        {rows.map((row) => (
          <Surface component="li" key={rowKey(row)} py={12}>
            <Facts
              layout="columns"
              facts={columns.map(({ title, render }) => ({ name: title, value: render(row) }))}
            />
          </Surface>
        ))}
      </PlainList>
    );
  }
  return (
    <table className={classes.table} aria-label={label}>
      <thead>
        <tr>
          {columns.map(({ title, isNumber }) => (
            <th key={title} scope="col" data-number={isNumber || undefined}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={rowKey(row)}>
            {columns.map(({ title, render, isNumber, isLong }) => (
              <td key={title} data-number={isNumber || undefined} data-long={isLong || undefined}>
                {render(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const WAITING = [1, 2, 3, 4, 5, 6];

/** The table while its rows load. */
export function DataTableSkeleton({ columns }: { columns: readonly Omit<Column<never>, 'render'>[] }) {
  const bars = columns.map((column) => ({ ...column, render: () => <Skeleton height={16} /> }));
  return (
    <div aria-hidden="true">
      <DataTable label={t`Loading`} columns={bars} rows={WAITING} rowKey={(row) => row} />
    </div>
  );
}
