import { t } from '@lingui/core/macro';
import { Checkbox, Skeleton } from '@mantine/core';
import { DataTable as Table } from 'mantine-datatable';
import { Facts } from '#web/components/facts.tsx';
import { PlainList } from '#web/components/plain-list.tsx';
import { Surface } from '#web/components/surface.tsx';
import { useIsBelow } from '#web/lib/screen.ts';
import 'mantine-datatable/styles.css';
import classes from './data-table.module.css';
import { SortButton } from './table-tools.tsx';
import type { Column, Selection, Sorting } from './table-types.ts';

interface DataTableProps<Row> {
  /** Names the table. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string | number;
  readonly sorting?: Sorting;
  readonly selection?: Selection<Row>;
}

/** A table; on narrow screens a card for each row. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const isNarrow = useIsBelow('md');
  return isNarrow ? <Cards {...props} /> : <WideTable {...props} />;
}

function WideTable<Row>({ label, columns, rows, rowKey, sorting, selection }: DataTableProps<Row>) {
  return (
    <Table<Row>
      className={classes.table}
      aria-label={label}
      height="auto"
      withTableBorder
      borderRadius="lg"
      backgroundColor="var(--surface)"
      borderColor="var(--line)"
      // A bar that stays shows that there is more to the side.
      scrollAreaProps={{ type: 'auto', offsetScrollbars: 'present' }}
      // The lists say themselves that they are empty.
      emptyState={<span />}
      records={[...rows]}
      idAccessor={rowKey}
      columns={columns.map((column) => ({
        accessor: column.id ?? column.title,
        title: sorting && column.sort ? <SortButton column={column} {...sorting} /> : column.title,
        textAlign: column.isNumber ? 'right' : 'left',
        ...(column.isLong && { cellsClassName: classes.long }),
        render: column.render,
      }))}
      {...(selection && {
        selectedRecords: [...selection.selected],
        onSelectedRecordsChange: selection.onSelect,
        isRecordSelectable: selection.isSelectable,
        allRecordsSelectionCheckboxProps: { 'aria-label': t`Select all rows of this page` },
        getRecordSelectionCheckboxProps: (row: Row) => ({ 'aria-label': selection.nameOf(row) }),
      })}
    />
  );
}

function Cards<Row>({ label, columns, rows, rowKey, selection }: DataTableProps<Row>) {
  return (
    <PlainList gap={12} aria-label={label}>
      {rows.map((row) => (
        <Surface component="li" key={rowKey(row)} py={12}>
          {selection?.isSelectable(row) && (
            <Checkbox
              className={classes.select}
              label={selection.nameOf(row)}
              checked={selection.selected.some((chosen) => rowKey(chosen) === rowKey(row))}
              onChange={({ currentTarget }) =>
                selection.onSelect(
                  currentTarget.checked
                    ? [...selection.selected, row]
                    : selection.selected.filter((chosen) => rowKey(chosen) !== rowKey(row)),
                )
              }
            />
          )}
          <Facts
            layout="columns"
            facts={columns.map(({ title, render }) => ({ name: title, value: render(row) }))}
          />
        </Surface>
      ))}
    </PlainList>
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
