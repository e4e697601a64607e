import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { IconBookmarkOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { PAGE_SIZES } from '#contract/base/page-sizes.ts';
import { paths } from '#contract/base/pages.ts';
import { TEXTS } from '#contract/base/texts.ts';
import type { Coupon } from '#contract/coupons/coupons.ts';
import { ActionButton } from '#web/components/action-button.tsx';
import { BookmarkDrawing } from '#web/components/drawings.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { PagedList } from '#web/components/paged-list.tsx';
import { useSetSaved } from '#web/coupons/core/queries.ts';
import { KEEP_PAGE, usePagedList } from '#web/lib/paged-list.ts';
import { rescueFocus } from '#web/lib/rescue-focus.ts';
import { toasts } from '#web/lib/toasts.ts';
import { trpc } from '#web/lib/trpc.ts';
import classes from './coupon-list.module.css';
import { CouponCount, CouponGrid, CouponGridSkeleton, useLastPage } from './coupon-results.tsx';
import { showSaveFailure } from './saved-toggle.tsx';

const LIST_ID = 'saved-coupons';

interface SavedCouponsProps {
  /** The actions on a coupon; `remove` is the button that unsaves it. */
  readonly renderActions: (coupon: Coupon, remove: ReactNode) => ReactNode;
}

/** The coupons that the viewer has saved, page by page. */
export function SavedCoupons({ renderActions }: SavedCouponsProps) {
  const { input, paging } = usePagedList(PAGE_SIZES.coupons);
  const query = trpc.coupons.saved.useQuery(input, KEEP_PAGE);
  useLastPage(query, input.page, (last) => paging.onChange(last, { replace: true }));
  const restore = useSetSaved({
    onSuccess: () => toasts.neutral(t`Back in Saved`),
    onError: showSaveFailure,
  });
  const unsave = useSetSaved({
    onSuccess: ({ couponId }) =>
      toasts.neutral(
        t`Removed from Saved`,
        <Button
          variant="default"
          size="xs"
          mt={6}
          onClick={() => restore.mutate({ couponId, isSaved: true })}
        >
          <Trans>Undo</Trans>
        </Button>,
      ),
    onError: showSaveFailure,
  });

  // The data still contains a coupon that was just unsaved.
  const { data } = query;
  const items = data?.items.filter(({ isSaved }) => isSaved) ?? [];
  const shown = data && { ...data, items, total: data.total - (data.items.length - items.length) };

  const remove = ({ id }: Coupon) => {
    unsave.mutate({ couponId: id, isSaved: false });
    // The focused button goes with its ticket.
    rescueFocus([LIST_ID]);
  };

  const renderRemove = (coupon: Coupon) => (
    <ActionButton
      icon={IconBookmarkOff}
      label={t`Remove`}
      name={t`Remove ${coupon.title} from Saved`}
      hint={t`Remove from Saved`}
      isIcon
      onClick={() => remove(coupon)}
    />
  );

  return (
    <div id={LIST_ID} tabIndex={-1} className={`${classes.results} ${classes.own}`}>
      <PagedList
        query={{ ...query, data: shown }}
        {...paging}
        label={t`Saved coupons`}
        gap="md"
        errorTitle={TEXTS.coupons.loadFailed()}
        head={shown?.total !== 0 && <CouponCount page={shown} />}
        skeleton={<CouponGridSkeleton />}
        empty={<NothingSaved />}
      >
        {(coupons) => (
          <CouponGrid
            label={t`Saved coupons`}
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
      title={t`Nothing saved yet`}
      text={t`Press the bookmark on a coupon you like to find it here again.`}
      drawing={<BookmarkDrawing />}
      action={
        <Button component={Link} to={paths.home}>
          <Trans>Browse Coupons</Trans>
        </Button>
      }
    />
  );
}
