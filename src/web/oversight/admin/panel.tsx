import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { PAGE_SIZES } from '#contract/base/page-sizes.ts';
import { paths } from '#contract/base/pages.ts';
import type { Page, PageRef } from '#contract/base/primitives.ts';
import { EmptyState } from '#web/components/empty-state.tsx';
import { PagedList } from '#web/components/paged-list.tsx';
import { QueryContent } from '#web/components/query-content.tsx';
import classes from './admin.module.css';
import { DataTable, DataTableSkeleton } from './data-table.tsx';
import type { AdminRead } from './queries.ts';
import { ColumnsMenu, ExportLink, SortSelect, useShownColumns } from './table-tools.tsx';
import type { Column, Selection, Sorting } from './table-types.ts';

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
  /** Under this name the device remembers which columns are hidden. */
  readonly name: string;
  readonly read: AdminRead<Page<Row>>;
  readonly failure: string;
  readonly columns: readonly Column<Row>[];
  readonly rowKey: (row: Row) => string | number;
  /** Shown where there are no rows. */
  readonly empty: Omit<ComponentProps<typeof EmptyState>, 'titleOrder'>;
  readonly page: PageRef;
  readonly onPage: (page: PageRef) => void;
  readonly sorting?: Sorting;
  /** What narrows the list down, above it. */
  readonly filters?: ReactNode;
  /** The address of the same rows, all pages of them, as a CSV file. */
  readonly exportHref?: string;
  readonly selection?: Selection<Row>;
  /** What can be done with the selected rows. */
  readonly acts?: ReactNode;
}

/** A paged list of the dashboard, with what filters, sorts and exports it. */
export function TablePanel<Row>(props: TablePanelProps<Row>) {
  const { label, name, read, failure, rowKey, empty, page, onPage, sorting, exportHref, selection } = props;
  const { shown, hidden, setHidden } = useShownColumns(name, props.columns);
  const { data } = read;
  if (data === null) return <SignedOut />;
  return (
    <>
      {props.filters && (
        <Group className={classes.toolbar} gap="sm" align="flex-end">
          {props.filters}
        </Group>
      )}
      <Group className={classes.toolbar} gap="sm" align="flex-end">
        {sorting && <SortSelect columns={props.columns} sorting={sorting} />}
        {props.acts}
        <Group gap="sm" ml="auto">
          <ColumnsMenu columns={props.columns} hidden={hidden} onHidden={setHidden} />
          {exportHref && <ExportLink href={exportHref} />}
        </Group>
      </Group>
      <PagedList
        query={{ ...read, data }}
        page={page}
        pageSize={PAGE_SIZES.admin}
        onChange={onPage}
        label={label}
        gap={24}
        errorTitle={failure}
        skeleton={<DataTableSkeleton columns={shown} />}
        empty={<EmptyState {...empty} titleOrder={3} />}
      >
        {(rows) => (
          <DataTable
            label={label}
            columns={shown}
            rows={rows}
            rowKey={rowKey}
            {...(sorting && { sorting })}
            {...(selection && { selection })}
          />
        )}
      </PagedList>
    </>
  );
}
