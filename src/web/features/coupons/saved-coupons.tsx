import { ActionIcon, Button, Title } from '@mantine/core';
import { IconBookmarkOff } from '@tabler/icons-react';
import { type ReactNode, useEffect } from 'react';
import { Link } from 'react-router-dom';
import type { Coupon } from '#contract/coupons.ts';
import { paths } from '#contract/pages.ts';
import { TEXTS } from '#contract/texts.ts';
import { BookmarkDrawing } from '#web/components/drawings.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { PagedList } from '#web/components/paged-list.tsx';
import { rescueFocus } from '#web/lib/rescue-focus.ts';
import { toasts } from '#web/lib/toasts.ts';
import { usePageNumber } from '#web/lib/use-page-number.ts';
import browserClasses from './coupon-browser.module.css';
import { CouponGrid, CouponGridSkeleton } from './coupon-grid.tsx';
import classes from './coupon-results.module.css';
import { couponCount } from './coupon-results.tsx';
import { PAGE_SIZE } from './filters.ts';
import { useSavedCoupons, useSetSaved } from './queries.ts';
import { showSaveFailure } from './saved-toggle.tsx';

const LIST_ID = 'saved-coupons';

interface SavedCouponsProps {
  /** What can be done with a coupon; `remove` is the button that lets go of it. */
  readonly renderActions: (coupon: Coupon, remove: ReactNode) => ReactNode;
}

/** What the viewer has saved for later, page by page. */
export function SavedCoupons({ renderActions }: SavedCouponsProps) {
  const [page, setPage] = usePageNumber(PAGE_SIZE);
  const { data, error, isFetching, isPlaceholderData, refetch } = useSavedCoupons(page);
  const keep = useSetSaved({ onSuccess: () => toasts.neutral('Back in Saved'), onError: showSaveFailure });
  const drop = useSetSaved({
    onSuccess: ({ couponId }) =>
      toasts.neutral(
        'Removed from Saved',
        <Button variant="default" size="xs" mt={6} onClick={() => keep.mutate({ couponId, isSaved: true })}>
          Undo
        </Button>,
      ),
    onError: showSaveFailure,
  });

  // Let go of a moment ago, and on its way out of the list.
  const items = data?.items.filter(({ isSaved }) => isSaved) ?? [];
  const shown = data && { ...data, items, total: data.total - (data.items.length - items.length) };
  const isEmptied = data !== undefined && !isPlaceholderData && data.items.length === 0;
  useEffect(() => {
    // The last one on it has gone.
    if (isEmptied && page > 1) setPage(page - 1);
  }, [isEmptied, page, setPage]);

  const remove = ({ id }: Coupon) => {
    drop.mutate({ couponId: id, isSaved: false });
    // The pressed button goes with its ticket.
    rescueFocus([LIST_ID]);
  };

  const renderRemove = (coupon: Coupon) => (
    <ActionIcon
      variant="subtle"
      color="gray"
      title="Remove from Saved"
      size={36}
      radius="xl"
      aria-label={`Remove ${coupon.title} from Saved`}
      onClick={() => remove(coupon)}
    >
      <IconBookmarkOff size={20} aria-hidden="true" color="var(--mantine-color-text)" />
    </ActionIcon>
  );

  return (
    <div id={LIST_ID} tabIndex={-1} className={`${browserClasses.results} ${browserClasses.own}`}>
      {(shown ? shown.total > 0 : !error) && (
        <div className={classes.head}>
          <Title order={2} size="h4" className={classes.count}>
            <span role="status">{shown ? couponCount(shown) : 'Looking for coupons …'}</span>
          </Title>
        </div>
      )}
      <PagedList
        query={{ data: shown, error, isFetching, isPlaceholderData, refetch }}
        page={page}
        pageSize={PAGE_SIZE}
        onChange={setPage}
        label="Saved coupons"
        gap="md"
        errorTitle={TEXTS.coupons.loadFailed}
        skeleton={<CouponGridSkeleton />}
        empty={<NothingSaved />}
      >
        {(coupons) => (
          <CouponGrid
            label="Saved coupons"
            coupons={coupons}
            renderActions={(coupon) => renderActions(coupon, renderRemove(coupon))}
          />
        )}
      </PagedList>
    </div>
  );
}

function NothingSaved() {
  return (
    <EmptyState
      title="Nothing saved yet"
      text="Press the bookmark on a coupon that you might like, and find it here again."
      drawing={<BookmarkDrawing />}
      action={
        <Button component={Link} to={paths.home}>
          Browse Coupons
        </Button>
      }
    />
  );
}
