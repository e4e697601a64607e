import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, type MantineSpacing, Stack, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { COUNT_CAP } from '#contract/base/bounds.ts';
import { formatNumber } from '#contract/base/locale.ts';
import type { Page } from '#contract/base/primitives.ts';
import { fieldErrors } from '#web/lib/errors.ts';
import { EmptyState } from './empty-state.tsx';
import { lazyWithPreload, useLoaded } from './on-demand.tsx';
import type { PageChoice, PageNumbersProps } from './page-numbers.tsx';
import classes from './paged-list.module.css';
import { type ContentQuery, QueryContent, type QueryContentProps } from './query-content.tsx';

const lazyNumbers = lazyWithPreload(async () => (await import('./page-numbers.tsx')).PageNumbers);

/** A query of one page that keeps the page before as placeholder data. */
export interface PageQuery<Item> extends ContentQuery<Page<Item>> {
  readonly isPlaceholderData: boolean;
}

interface PagedListProps<Item> extends PageChoice, Omit<QueryContentProps<Page<Item>>, 'children'> {
  readonly query: PageQuery<Item>;
  /** The count for screen readers: '12 bids'. Left out where the count is visible or unknown. */
  readonly announce?: (page: Page<Item>) => string;
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
  return totalIsCapped ? `${formatNumber(COUNT_CAP)}+` : formatNumber(total);
}

/** One page of a list in every state: loading, failed, empty, stale while the next page loads, and loaded. */
export function PagedList<Item>(props: PagedListProps<Item>) {
  const {
    announce,
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
        <EmptyPage title={t`This page does not exist`} onFirst={() => onChange(1)} />
      ) : (
        <QueryContent {...content}>
          {(data) => (
            <>
              {announce && <VisuallyHidden role="status">{announce(data)}</VisuallyHidden>}
              {data.total === 0 ? (
                empty
              ) : (
                <Stack gap={gap}>
                  <div className={classes.rows} aria-busy={content.query.isPlaceholderData}>
                    {data.items.length > 0 ? (
                      children(data.items)
                    ) : (
                      <EmptyPage title={t`This page is now empty`} onFirst={() => onChange(1)} />
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
  return (
    <EmptyState
      title={title}
      action={
        <Button onClick={onFirst}>
          <Trans>Back to the first page</Trans>
        </Button>
      }
    />
  );
}

/** Page numbers, if there is more than one page. Their code may load later, because they are below the rows. */
function PageNumbers(props: PageNumbersProps) {
  const { page, pageSize, total, nextCursor } = props;
  const isNeeded = typeof page !== 'number' || total > pageSize || nextCursor !== null;
  const Numbers = useLoaded(lazyNumbers, isNeeded && page);
  if (!isNeeded) return null;
  return <div className={classes.numbers}>{Numbers && <Numbers {...props} />}</div>;
}
