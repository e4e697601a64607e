import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Menu, NativeSelect, TextInput, UnstyledButton } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconArrowDown, IconArrowsSort, IconArrowUp, IconColumns, IconDownload } from '@tabler/icons-react';
import { useIsBelow } from '#web/lib/screen.ts';
import classes from './data-table.module.css';
import type { Column, Sorting } from './table-types.ts';

type Named = Omit<Column<never>, 'render'>;

/** The columns that are shown of a table; the device remembers those that are not. */
export function useShownColumns<Row>(name: string, columns: readonly Column<Row>[]) {
  const [stored, setHidden] = useLocalStorage<readonly string[]>({
    key: `columns-hidden-${name}`,
    defaultValue: [],
    getInitialValueInEffect: false,
  });
  const hidden = Array.isArray(stored) ? stored : [];
  return { shown: columns.filter(({ id }) => id === undefined || !hidden.includes(id)), hidden, setHidden };
}

interface ColumnsMenuProps {
  readonly columns: readonly Named[];
  /** The ids of hidden columns. */
  readonly hidden: readonly string[];
  readonly onHidden: (hidden: readonly string[]) => void;
}

/** Hides and shows columns. */
export function ColumnsMenu({ columns, hidden, onHidden }: ColumnsMenuProps) {
  return (
    <Menu closeOnItemClick={false} position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<IconColumns size={18} aria-hidden="true" />}>
          <Trans>Columns</Trans>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {columns.map(
          ({ id, title }) =>
            id !== undefined && (
              <Menu.CheckboxItem
                key={id}
                checked={!hidden.includes(id)}
                onChange={(isShown) =>
                  onHidden(isShown ? hidden.filter((name) => name !== id) : [...hidden, id])
                }
              >
                {title}
              </Menu.CheckboxItem>
            ),
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Downloads all rows that the filters leave. */
export function ExportLink({ href }: { href: string }) {
  return (
    <Button
      component="a"
      href={href}
      download
      variant="default"
      leftSection={<IconDownload size={18} aria-hidden="true" />}
    >
      <Trans>Export CSV</Trans>
    </Button>
  );
}

/** The address of an export with the filters that are set. */
export function csvHref(path: string, filters: Readonly<Record<string, string | null | undefined>>): string {
  const set = Object.entries(filters).filter((entry): entry is [string, string] => !!entry[1]);
  const query = new URLSearchParams(set).toString();
  return query === '' ? path : `${path}?${query}`;
}

const directionOf = (sort: string) => (sort.endsWith('-asc') ? 'asc' : 'desc');
const columnOf = (sort: string | undefined) => sort?.split('-')[0];
const reversed = (sort: string) => `${columnOf(sort)}-${directionOf(sort) === 'asc' ? 'desc' : 'asc'}`;

/** The title of a column that sorts by it; pressed again, the other way round. */
export function SortButton({ column, sort, onSort }: { column: Named } & Sorting) {
  const { title, sort: first = '' } = column;
  const isSorted = columnOf(first) === columnOf(sort);
  const isUp = directionOf(sort) === 'asc';
  const Icon = !isSorted ? IconArrowsSort : isUp ? IconArrowUp : IconArrowDown;
  const label = !isSorted
    ? t`Sort by ${title}`
    : isUp
      ? t`${title}, sorted in ascending order`
      : t`${title}, sorted in descending order`;
  return (
    <UnstyledButton
      className={classes.sort}
      data-sorted={isSorted || undefined}
      aria-label={label}
      onClick={() => onSort(isSorted ? reversed(sort) : first)}
    >
      {title}
      <Icon size={14} aria-hidden="true" />
    </UnstyledButton>
  );
}

/** The order of the cards on narrow screens, which have no titles to press. */
export function SortSelect({ columns, sorting }: { columns: readonly Named[]; sorting: Sorting }) {
  const isNarrow = useIsBelow('md');
  const orders = columns.flatMap(({ sort, title }) =>
    sort === undefined
      ? []
      : [sort, reversed(sort)].map((value) => ({
          value,
          label: directionOf(value) === 'asc' ? t`${title}, ascending` : t`${title}, descending`,
        })),
  );
  if (!isNarrow || orders.length === 0) return null;
  return (
    <NativeSelect
      label={t`Order`}
      value={sorting.sort}
      data={orders}
      onChange={({ currentTarget }) => sorting.onSort(currentTarget.value)}
    />
  );
}

interface DayRangeProps {
  readonly fromLabel: string;
  readonly from: string;
  readonly to: string;
  readonly onChange: (change: { readonly from?: string; readonly to?: string }) => void;
}

/** The first and the last day of a list, in UTC; '' for no bound. */
export function DayRange({ fromLabel, from, to, onChange }: DayRangeProps) {
  return (
    <>
      <TextInput
        type="date"
        label={fromLabel}
        value={from}
        onChange={({ currentTarget }) => onChange({ from: currentTarget.value })}
      />
      <TextInput
        type="date"
        label={t`to (UTC)`}
        value={to}
        error={from !== '' && to !== '' && to < from ? t`Not before the first day` : null}
        onChange={({ currentTarget }) => onChange({ to: currentTarget.value })}
      />
    </>
  );
}
