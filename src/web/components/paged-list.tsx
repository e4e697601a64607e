import { Button, Group, type MantineSpacing, Pagination, Stack, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { COUNT_CAP } from '#contract/bounds.ts';
import type { Page, PageRef } from '#contract/primitives.ts';
import { fieldErrors } from '#web/lib/errors.ts';
import { useIsPhone } from '#web/lib/screen.ts';
import { EmptyState } from './empty-state.tsx';
import classes from './paged-list.module.css';
import { type ContentQuery, QueryContent, type QueryContentProps } from './query-content.tsx';

/** A query of one page that keeps the page before as placeholder data. */
export interface PageQuery<Item> extends ContentQuery<Page<Item>> {
  readonly isPlaceholderData: boolean;
}

interface PageNumbersProps {
  readonly page: PageRef;
  readonly pageSize: number;
  readonly onChange: (page: PageRef) => void;
  /** Names the page numbers for screen readers: 'Coupons'. */
  readonly label: string;
  /** Called when the pointer or the focus comes near the page numbers. */
  readonly onNearPages?: () => void;
}

interface PagedListProps<Item> extends PageNumbersProps, Omit<QueryContentProps<Page<Item>>, 'children'> {
  readonly query: PageQuery<Item>;
  /** Announces the count to screen readers: 'bid' as '1 bid' or '12 bids'. Left out where the count is visible or unknown. */
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
      {isWrongPage(content.query) ? (
        <EmptyPage title="This list has no such page" onFirst={() => onChange(1)} />
      ) : (
        <QueryContent {...content}>
          {(data) => (
            <>
              {noun && (
                <VisuallyHidden role="status">
                  {countText(data)} {data.total === 1 ? noun : `${noun}s`}
                </VisuallyHidden>
              )}
              {data.total === 0 ? (
                empty
              ) : (
                <Stack gap={gap}>
                  <div className={classes.rows} aria-busy={content.query.isPlaceholderData}>
                    {data.items.length > 0 ? (
                      children(data.items)
                    ) : (
                      <EmptyPage title="This page of the list is empty now" onFirst={() => onChange(1)} />
                    )}
                  </div>
                  <PageNumbers {...data} {...{ page, pageSize, onChange, label, onNearPages }} />
                </Stack>
              )}
            </>
          )}
        </QueryContent>
      )}
    </>
  );
}

/** Whether the list has no page as the address names it: the number is too high, or the text is from another list. */
function isWrongPage({ data, error }: ContentQuery<unknown>): boolean {
  return data === undefined && 'page' in fieldErrors(error);
}

/** Shown in place of a later page: its last row is gone, or an old link leads too far. */
function EmptyPage({ title, onFirst }: { title: string; onFirst: () => void }) {
  return <EmptyState title={title} action={<Button onClick={onFirst}>Back to the first page</Button>} />;
}

/** Page numbers as far as rows are counted; beyond, the pages before and after. */
function PageNumbers(props: PageNumbersProps & Omit<Page<unknown>, 'items'>) {
  const { page, pageSize, total, nextCursor, previousCursor, onChange, label, onNearPages } = props;
  const isNarrow = useIsPhone();
  const pages = Math.ceil(total / pageSize);
  const isNumbered = typeof page === 'number';
  if (isNumbered && pages <= 1 && nextCursor === null) return null;
  const go = (to: PageRef | null) => ({
    disabled: to === null,
    onClick: () => to !== null && onChange(to),
  });
  const number = isNumbered ? page : 0;
  return (
    <Pagination.Root
      total={Math.max(pages, number)}
      value={number}
      onChange={onChange}
      // Fits on one line of a phone, with buttons large enough for a finger.
      siblings={isNarrow ? 0 : 1}
      getItemProps={(item) => ({ 'aria-label': `Page ${item}` })}
    >
      <Group
        justify="center"
        gap={isNarrow ? 3 : 8}
        component="nav"
        aria-label={`${label} pages`}
        onPointerEnter={onNearPages}
        onFocus={onNearPages}
      >
        <Pagination.Previous
          aria-label="Previous page"
          {...go(isNumbered ? (page > 1 ? page - 1 : null) : previousCursor)}
        />
        <Pagination.Items />
        <Pagination.Next aria-label="Next page" {...go(isNumbered && page < pages ? page + 1 : nextCursor)} />
      </Group>
    </Pagination.Root>
  );
}
