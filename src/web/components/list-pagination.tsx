import { Group, Pagination, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { COUNT_CAP } from '#contract/primitives.ts';

interface ListPaginationProps {
  readonly page: number;
  readonly pageSize: number;
  readonly total: number;
  readonly totalIsCapped: boolean;
  readonly onChange: (page: number) => void;
  /** Names what is paged through, for screen readers: 'Coupons'. */
  readonly label: string;
}

/** How many there are, in words: '12', or '200+' where nobody counts further. */
export function countText(total: number, totalIsCapped: boolean): string {
  return totalIsCapped ? `${COUNT_CAP}+` : String(total);
}

/** Page numbers as far as rows are counted; beyond that a search finds more than leafing does. */
export function ListPagination({
  page,
  pageSize,
  total,
  totalIsCapped,
  onChange,
  label,
}: ListPaginationProps) {
  const isNarrow = useMediaQuery('(max-width: 36em)', false, { getInitialValueInEffect: false });
  const pages = Math.ceil(total / pageSize);
  if (pages <= 1) return null;
  return (
    <Group justify="center" gap="sm" component="nav" aria-label={`${label} pages`}>
      <Pagination
        total={pages}
        value={page}
        onChange={onChange}
        // On one line of a phone, each still as large as a finger.
        siblings={isNarrow ? 0 : 1}
        gap={isNarrow ? 3 : 8}
        getItemProps={(number) => ({ 'aria-label': `Page ${number}` })}
        getControlProps={(control) => ({
          'aria-label': `${control === 'previous' ? 'Previous' : 'Next'} page`,
        })}
      />
      {totalIsCapped && page === pages && (
        <Text size="sm" c="dimmed" ta="center">
          There are more. Narrow the search to find them.
        </Text>
      )}
    </Group>
  );
}
