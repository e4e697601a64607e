import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { useIsBelow } from '#web/lib/screen.ts';
import classes from './admin.module.css';

export interface Column<Row> {
  readonly title: string;
  readonly render: (row: Row) => ReactNode;
  /** Amounts and counts stand right, one below the other. */
  readonly isNumber?: boolean;
  /** Long text, which breaks; everything else stays on one line. */
  readonly isLong?: boolean;
}

interface DataTableProps<Row> {
  /** Names the table. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string | number;
}

function useIsNarrow() {
  return useIsBelow('md');
}

/** Rows and columns; where they have no room, a card for each row. */
export function DataTable<Row>({ label, columns, rows, rowKey }: DataTableProps<Row>) {
  const isNarrow = useIsNarrow();
  if (isNarrow) {
    return (
      <ul className={classes.cards} aria-label={label}>
        {rows.map((row) => (
          <li key={rowKey(row)} className={classes.card}>
            <dl className={classes.pairs}>
              {columns.map(({ title, render }) => (
                <div key={title}>
                  <dt>{title}</dt>
                  <dd>{render(row)}</dd>
                </div>
              ))}
            </dl>
          </li>
        ))}
      </ul>
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

/** The same while its rows load. */
export function DataTableSkeleton({ columns }: { columns: readonly Omit<Column<never>, 'render'>[] }) {
  const bars = columns.map((column) => ({ ...column, render: () => <Skeleton height={16} /> }));
  return (
    <div aria-hidden="true">
      <DataTable label="Loading" columns={bars} rows={WAITING} rowKey={(row) => row} />
    </div>
  );
}
