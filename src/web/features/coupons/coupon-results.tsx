import { Button, Loader, Title } from '@mantine/core';
import { type ReactNode, type Ref, type RefObject, useEffect } from 'react';
import type { Coupon } from '#contract/coupons.ts';
import type { Page } from '#contract/primitives.ts';
import { TEXTS } from '#contract/texts.ts';
import { SearchDrawing } from '#web/components/drawings.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { countText, PagedList, type PageQuery } from '#web/components/paged-list.tsx';
import { CouponGrid, CouponGridSkeleton } from './coupon-grid.tsx';
import classes from './coupon-results.module.css';
import { activeFilters, type ChangeFilters, type Filters, NO_FILTERS, PAGE_SIZE } from './filters.ts';

interface CouponResultsProps {
  /** The count above the tickets, which takes the focus when the tickets have been exchanged for others. */
  readonly ref: Ref<HTMLHeadingElement>;
  readonly query: PageQuery<Coupon>;
  readonly filters: Filters;
  readonly onChange: ChangeFilters;
  /** A change after which the eye goes to the tickets (`useShowResults`). */
  readonly onShow: (change: Partial<Filters>) => void;
  /** The pointer or the focus has come near the page numbers. */
  readonly onNearPages?: () => void;
  readonly renderActions: (coupon: Coupon) => ReactNode;
  /** The next step where there is nothing at all. */
  readonly addButton: ReactNode;
  /** What that means, in a sentence. */
  readonly noneText: string;
}

/** What is above this line is under the sticky header. */
const HEADER_PX = 72;

/** '1 coupon', '12 coupons', '200+ coupons'. */
export function couponCount(page: Pick<Page<Coupon>, 'total' | 'totalIsCapped'>): string {
  return `${countText(page)} ${page.total === 1 ? 'coupon' : 'coupons'}`;
}

/**
 * A change whose button is gone or out of place once it has worked (a removed filter, another page): the focus goes
 * to the count above the tickets, and the tickets into sight.
 */
export function useShowResults(count: RefObject<HTMLHeadingElement | null>, onChange: ChangeFilters) {
  return (change: Partial<Filters>) => {
    onChange(change);
    count.current?.focus({ preventScroll: true });
    if ((count.current?.getBoundingClientRect().top ?? HEADER_PX) < HEADER_PX)
      count.current?.scrollIntoView();
  };
}

/** A page of coupons with its count and page numbers, or why there is none. */
export function CouponResults(props: CouponResultsProps) {
  const { ref, query, filters, onShow, renderActions, onNearPages } = props;
  const { data, error, isPlaceholderData } = query;
  useLastPage(query, filters.page, props.onChange);
  return (
    <>
      {(data || !error) && (
        <div className={classes.head}>
          <Title order={2} size="h4" ref={ref} tabIndex={-1} className={classes.count}>
            <span role="status">{data ? couponCount(data) : 'Looking for coupons …'}</span>
          </Title>
          {isPlaceholderData && <Loader size={16} color="gray" aria-hidden="true" />}
        </div>
      )}
      <PagedList
        query={query}
        page={filters.page}
        pageSize={PAGE_SIZE}
        onChange={(page) => onShow({ page })}
        onNearPages={onNearPages}
        label="Coupons"
        gap="md"
        errorTitle={TEXTS.coupons.loadFailed}
        skeleton={<CouponGridSkeleton />}
        empty={<NoCoupons {...props} />}
      >
        {(coupons) => <CouponGrid label="Coupons" coupons={coupons} renderActions={renderActions} />}
      </PagedList>
    </>
  );
}

/** A page that has emptied since (the last coupon on it is gone, the link is old) gives way to the last one. */
function useLastPage({ data, isPlaceholderData }: PageQuery<Coupon>, page: number, onChange: ChangeFilters) {
  const last =
    data && !isPlaceholderData && data.items.length === 0 ? Math.ceil(data.total / PAGE_SIZE) : null;
  useEffect(() => {
    if (last !== null && last > 0 && last < page) onChange({ page: last }, { replace: true });
  }, [last, page, onChange]);
}

function NoCoupons({ filters, onShow, addButton, noneText }: CouponResultsProps) {
  const isNarrowed = filters.search !== '' || activeFilters(filters).length > 0;
  if (!isNarrowed) {
    return <EmptyState title={TEXTS.coupons.noneFound} text={noneText} action={addButton} titleOrder={3} />;
  }
  return (
    <EmptyState
      title={TEXTS.coupons.noneFound}
      text="Nothing matches all of this at once. Try another word or fewer filters."
      drawing={<SearchDrawing />}
      titleOrder={3}
      action={
        <Button variant="default" onClick={() => onShow(NO_FILTERS)}>
          Reset filters
        </Button>
      }
    />
  );
}
