import type { ReactNode } from 'react';

export interface Column<Row> {
  /** A column with a name can be hidden; the device remembers it by this name. */
  readonly id?: string;
  readonly title: string;
  readonly render: (row: Row) => ReactNode;
  /** Aligns amounts and counts to the right. */
  readonly isNumber?: boolean;
  /** Long text that wraps; other columns stay on one line. */
  readonly isLong?: boolean;
  /** The first order by this column, such as 'name-asc', where the list has one. */
  readonly sort?: string;
}

/** The order of a list, such as 'name-asc', and what changes it. */
export interface Sorting {
  readonly sort: string;
  readonly onSort: (sort: string) => void;
}

/** The rows that are chosen for an act on several. */
export interface Selection<Row> {
  readonly selected: readonly Row[];
  readonly onSelect: (rows: readonly Row[]) => void;
  readonly isSelectable: (row: Row) => boolean;
  /** Names the row for its checkbox: 'Select maple_mia'. */
  readonly nameOf: (row: Row) => string;
}
