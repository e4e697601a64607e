import { Button, Group, type MantineSpacing, Pagination, Stack, Text, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { COUNT_CAP, type Page } from '#contract/primitives.ts';
import { useIsPhone } from '#web/lib/screen.ts';
import { EmptyState } from './empty-state.tsx';
import classes from './paged-list.module.css';
import { type ContentQuery, QueryContent, type QueryContentProps } from './query-content.tsx';

/** A query of one page that keeps the page before as placeholder data. */
export interface PageQuery<Item> extends ContentQuery<Page<Item>> {
  readonly isPlaceholderData: boolean;
}

interface PageNumbersProps {
  readonly page: number;
  readonly pageSize: number;
  readonly onChange: (page: number) => void;
  /** Names the page numbers for screen readers: 'Coupons'. */
  readonly label: string;
  /** Called when the pointer or the focus comes near the page numbers. */
  readonly onNearPages?: () => void;
}

interface PagedListProps<Item> extends PageNumbersProps, Omit<QueryContentProps<Page<Item>>, 'children'> {
  readonly query: PageQuery<Item>;
  /** Announces the count to screen readers: 'bids' as '12 bids'. Left out where the count is visible or unknown. */
  readonly noun?: string;
  /** Above the list, loaded or not; an error takes its place. */
  readonly head?: ReactNode;
  /** Shown where there are no rows. */
  readonly empty: ReactNode;
  /** The space between the rows and the page numbers. */
  readonly gap?: MantineSpacing;
  readonly children: (items: readonly Item[]) => ReactNode;
}

/** The count in words: '12', or '200+' where rows are not counted further. */
export function countText({ total, totalIsCapped }: Pick<Page<unknown>, 'total' | 'totalIsCapped'>): string {
  return totalIsCapped ? `${COUNT_CAP}+` : String(total);
}

/** One page of a list in every state: loading, failed, empty, stale while the next page loads, and loaded. */
export function PagedList<Item>(props: PagedListProps<Item>) {
  const {
    noun,
    head,
    empty,
    gap = 'lg',
    children,
    page,
    pageSize,
    onChange,
    label,
    onNearPages,
    ...content
  } = props;
  return (
    <>
      {(content.query.data || !content.query.error) && head}
      <QueryContent {...content}>
        {(data) => (
          <>
            {noun && (
              <VisuallyHidden role="status">
                {countText(data)} {noun}
              </VisuallyHidden>
            )}
            {data.total === 0 ? (
              empty
            ) : (
              <Stack gap={gap}>
                <div className={classes.rows} aria-busy={content.query.isPlaceholderData}>
                  {data.items.length > 0 ? children(data.items) : <EmptyPage onFirst={() => onChange(1)} />}
                </div>
                <PageNumbers {...data} {...{ page, pageSize, onChange, label, onNearPages }} />
              </Stack>
            )}
          </>
        )}
      </QueryContent>
    </>
  );
}

/** Shown for a later page without rows: its last row is gone, or an old link leads too far. */
function EmptyPage({ onFirst }: { onFirst: () => void }) {
  return (
    <EmptyState
      title="This page of the list is empty now"
      action={<Button onClick={onFirst}>Back to the first page</Button>}
    />
  );
}

/** Page numbers as far as rows are counted; beyond that it suggests to search. */
function PageNumbers(props: PageNumbersProps & Pick<Page<unknown>, 'total' | 'totalIsCapped'>) {
  const { page, pageSize, total, totalIsCapped, onChange, label, onNearPages } = props;
  const isNarrow = useIsPhone();
  const pages = Math.ceil(total / pageSize);
  if (pages <= 1) return null;
  return (
    <Group
      justify="center"
      gap="sm"
      component="nav"
      aria-label={`${label} pages`}
      onPointerEnter={onNearPages}
      onFocus={onNearPages}
    >
      <Pagination
        total={pages}
        value={page}
        onChange={onChange}
        // Fits on one line of a phone, with buttons large enough for a finger.
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
