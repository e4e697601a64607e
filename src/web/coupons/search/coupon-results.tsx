import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Loader, Title } from '@mantine/core';
import { memo, type ReactNode, type Ref, type RefObject, useEffect, useEffectEvent, useState } from 'react';
import { PAGE_SIZES } from '#contract/base/page-sizes.ts';
import type { Page, PageRef } from '#contract/base/primitives.ts';
import { SHELL_TEXTS } from '#contract/base/shell-texts.ts';
import { type Filters, NO_FILTERS } from '#contract/coupons/coupon-filters.ts';
import type { Coupon } from '#contract/coupons/coupons.ts';
import { isExpired } from '#contract/coupons/days-left.ts';
import { CouponTicket, CouponTicketSkeleton } from '#web/components/coupon-ticket.tsx';
import { SearchDrawing } from '#web/components/drawing.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { PagedList, type PageQuery } from '#web/components/paged-list.tsx';
import { PlainList } from '#web/components/plain-list.tsx';
import { Repeat } from '#web/components/repeat.tsx';
import type { ChangeAddress } from '#web/lib/address.ts';
import { rescueFocus } from '#web/lib/rescue-focus.ts';
import { activeFilters } from './active-filters.ts';
import classes from './coupon-list.module.css';
import { ListBadges } from './list-badges.tsx';
import { alone, type Listing, listedTogether } from './listed-together.ts';

interface CouponResultsProps {
  /** The count above the tickets. It takes the focus after a change of page or filter. */
  readonly ref: Ref<HTMLHeadingElement>;
  readonly query: PageQuery<Coupon>;
  readonly filters: Filters;
  readonly onChange: ChangeAddress<Filters>;
  /** A change that moves the focus to the tickets (`useShowResults`). */
  readonly onShow: (change: Partial<Filters>) => void;
  /** The pointer or the focus is near the page numbers. */
  readonly onNearPages?: () => void;
  /** Tickets render again when it changes. */
  readonly renderActions: (coupon: Coupon) => ReactNode;
  /** The next step when nothing is listed at all. */
  readonly addButton: ReactNode;
  /** The text above that button. */
  readonly noneText: string;
  /** Keeps a search; shown where something is searched. */
  readonly wantButton?: ReactNode;
  /** Shown where a search has found nothing. */
  readonly help?: ReactNode;
  /** How many coupons there are, where the page does not count them to the end. */
  readonly counted?: CountedPage | undefined;
}

/** The height of the sticky header. */
const HEADER_PX = 72;

/** '1 coupon', '12 coupons', 'More than 1,000 coupons'. */
function couponCount({ total, totalIsCapped }: CountedPage): string {
  return totalIsCapped
    ? plural(total, { one: 'More than # coupon', other: 'More than # coupons' })
    : plural(total, { one: '# coupon', other: '# coupons' });
}

/** Whether a list shows only a part of all coupons. */
function isNarrowed(filters: Filters): boolean {
  return filters.search !== '' || activeFilters(filters).length > 0;
}

type CountedPage = Pick<Page<Coupon>, 'total' | 'totalIsCapped'>;

interface CouponCountProps {
  readonly page: CountedPage | undefined;
  readonly counted?: CountedPage | undefined;
  /** Whether another page is loading. */
  readonly isStale?: boolean;
  /** Given where the count takes the focus. */
  readonly ref?: Ref<HTMLHeadingElement>;
}

/** The heading of a list of coupons: their number. */
export function CouponCount({ page, counted, isStale, ref }: CouponCountProps) {
  const count = page?.totalIsCapped ? (counted ?? page) : page;
  return (
    <div className={classes.head}>
      <Title order={2} size="h4" ref={ref} tabIndex={ref ? -1 : undefined} className={classes.count}>
        <span role="status">{count ? couponCount(count) : t`Looking for coupons…`}</span>
      </Title>
      {isStale && <Loader size={16} color="gray" aria-hidden="true" />}
    </div>
  );
}

/**
 * Makes a change that removes or moves the pressed button (a removed filter, another page): focuses the count above
 * the tickets and scrolls it into view.
 */
export function useShowResults(
  count: RefObject<HTMLHeadingElement | null>,
  onChange: ChangeAddress<Filters>,
) {
  return (change: Partial<Filters>) => {
    onChange(change);
    count.current?.focus({ preventScroll: true });
    if ((count.current?.getBoundingClientRect().top ?? HEADER_PX) < HEADER_PX)
      count.current?.scrollIntoView();
  };
}

/** A page of coupons with its count and page numbers. */
export function CouponResults(props: CouponResultsProps) {
  const { ref, query, filters, onChange, onShow, renderActions, onNearPages } = props;
  useLastPage(query, filters.page, (page) => onChange({ page }, { replace: true }));
  return (
    <PagedList
      query={query}
      page={filters.page}
      pageSize={PAGE_SIZES.coupons}
      onChange={(page) => onShow({ page })}
      onNearPages={onNearPages}
      label={t`Coupons`}
      gap="md"
      errorTitle={SHELL_TEXTS.coupons.loadFailed()}
      head={
        <Group justify="space-between" gap="xs">
          <CouponCount
            ref={ref}
            page={query.data}
            counted={props.counted}
            isStale={query.isPlaceholderData}
          />
          {isNarrowed(filters) && query.data?.total !== 0 && props.wantButton}
        </Group>
      }
      skeleton={<CouponGridSkeleton />}
      empty={<NoCoupons {...props} />}
    >
      {(coupons) => (
        <CouponGrid
          label={t`Coupons`}
          coupons={coupons}
          renderActions={renderActions}
          isGrouped={filters.sort === 'newest' && !isNarrowed(filters)}
        />
      )}
    </PagedList>
  );
}

/** Goes to the last counted page when the current one is empty: its last coupon has gone, or the link is old. */
export function useLastPage(query: PageQuery<Coupon>, page: PageRef, onLast: (page: PageRef) => void) {
  const { data, isPlaceholderData } = query;
  const isEmpty = data !== undefined && !isPlaceholderData && data.items.length === 0;
  const last = isEmpty ? Math.ceil(data.total / PAGE_SIZES.coupons) : 0;
  const goTo = useEffectEvent(onLast);
  useEffect(() => {
    if (last > 0 && last !== page) goTo(last);
  }, [last, page]);
}

interface CouponGridProps {
  readonly label: string;
  readonly coupons: readonly Coupon[];
  readonly renderActions: (coupon: Coupon) => ReactNode;
  /** Whether what one person has listed at once is one ticket, until the rest is asked for. */
  readonly isGrouped?: boolean;
}

export function CouponGrid({ label, coupons, renderActions, isGrouped = false }: CouponGridProps) {
  const [opened, setOpened] = useState<readonly number[]>([]);
  const listings = isGrouped ? listedTogether(coupons) : coupons.map(alone);
  const shown = listings.flatMap((listing) =>
    opened.includes(listing.coupon.id) ? [listing.coupon, ...listing.more].map(alone) : [listing],
  );
  const open = ({ coupon, more }: Listing<Coupon>) => {
    setOpened([...opened, coupon.id]);
    rescueFocus(more.slice(0, 1).map(itemId));
  };
  return (
    <PlainList className={classes.grid} aria-label={label}>
      {shown.map((listing) => {
        const { coupon, more } = listing;
        return (
          <li
            key={coupon.id}
            id={itemId(coupon)}
            tabIndex={-1}
            className={classes.item}
            data-expired={isExpired(coupon) || undefined}
          >
            <GridTicket coupon={coupon} renderActions={renderActions} />
            {more.length > 0 && (
              <Button variant="default" onClick={() => open(listing)}>
                {plural(more.length, {
                  one: `Show # more from ${coupon.ownerUsername}`,
                  other: `Show # more from ${coupon.ownerUsername}`,
                })}
              </Button>
            )}
          </li>
        );
      })}
    </PlainList>
  );
}

const itemId = ({ id }: Pick<Coupon, 'id'>) => `listed-${id}`;

interface GridTicketProps {
  readonly coupon: Coupon;
  readonly renderActions: (coupon: Coupon) => ReactNode;
}

/** Does not render again while the page around it does, for example when the tickets of a new filter are still loading. */
const GridTicket = memo(function GridTicket({ coupon, renderActions }: GridTicketProps) {
  return (
    <CouponTicket coupon={coupon} badges={<ListBadges coupon={coupon} />} actions={renderActions(coupon)} />
  );
});

export function CouponGridSkeleton() {
  return (
    <div className={classes.grid}>
      <Repeat count={PAGE_SIZES.coupons}>
        <CouponTicketSkeleton />
      </Repeat>
    </div>
  );
}

function NoCoupons({ filters, onShow, addButton, noneText, wantButton, help }: CouponResultsProps) {
  if (!isNarrowed(filters)) {
    return (
      <EmptyState title={SHELL_TEXTS.coupons.noneFound()} text={noneText} action={addButton} titleOrder={3} />
    );
  }
  return (
    <EmptyState
      title={SHELL_TEXTS.coupons.noneFound()}
      text={t`No coupon matches everything you chose. Try another word or fewer filters.`}
      drawing={<SearchDrawing />}
      titleOrder={3}
      action={
        <Group gap="sm" justify="center">
          {help}
          {wantButton}
          <Button variant="default" onClick={() => onShow(NO_FILTERS)}>
            <Trans>Reset filters</Trans>
          </Button>
        </Group>
      }
    />
  );
}
