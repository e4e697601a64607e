import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import { merchantCouponsInput } from '#contract/base/first-answers.ts';
import { PAGE_SIZES } from '#contract/base/page-sizes.ts';
import { TEXTS } from '#contract/base/texts.ts';
import type { Coupon } from '#contract/coupons/coupons.ts';
import { SearchDrawing } from '#web/components/drawing.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { PagedList } from '#web/components/paged-list.tsx';
import { KEEP_PAGE, usePagedList } from '#web/lib/paged-list.ts';
import { trpc } from '#web/lib/trpc.ts';
import classes from './coupon-list.module.css';
import { CouponCount, CouponGrid, CouponGridSkeleton, useLastPage } from './coupon-results.tsx';

interface MerchantCouponsProps {
  readonly merchant: string;
  readonly renderActions: (coupon: Coupon) => ReactNode;
  /** The next step where there is none. */
  readonly alertButton: ReactNode;
}

/** The coupons of one merchant, page by page. */
export function MerchantCoupons({ merchant, renderActions, alertButton }: MerchantCouponsProps) {
  const { input, paging } = usePagedList(PAGE_SIZES.coupons);
  const query = trpc.coupons.ofMerchant.useQuery(merchantCouponsInput(merchant, input.page), KEEP_PAGE);
  useLastPage(query, input.page, (last) => paging.onChange(last, { replace: true }));
  return (
    <div className={`${classes.results} ${classes.own}`}>
      <PagedList
        query={query}
        {...paging}
        label={t`Coupons`}
        gap="md"
        errorTitle={TEXTS.coupons.loadFailed()}
        head={query.data?.total !== 0 && <CouponCount page={query.data} />}
        skeleton={<CouponGridSkeleton />}
        empty={
          <EmptyState
            title={t`No coupon of ${merchant} right now`}
            text={t`We can tell you when there is one.`}
            drawing={<SearchDrawing />}
            action={alertButton}
          />
        }
      >
        {(coupons) => <CouponGrid label={t`Coupons`} coupons={coupons} renderActions={renderActions} />}
      </PagedList>
    </div>
  );
}
