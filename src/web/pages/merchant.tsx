import { t } from '@lingui/core/macro';
import { Container } from '@mantine/core';
import { useParams } from 'react-router-dom';
import { PAGES, paths } from '#contract/base/pages.ts';
import { NO_FILTERS } from '#contract/coupons/coupon-filters.ts';
import { NotFound } from '#web/components/not-found.tsx';
import { usePageTitle } from '#web/components/page-shell.tsx';
import { QueryContent } from '#web/components/query-content.tsx';
import { MerchantHead } from '#web/coupons/discover/merchant-head.tsx';
import { MerchantHealth } from '#web/coupons/health/merchant-health.tsx';
import { CouponGridSkeleton } from '#web/coupons/search/coupon-results.tsx';
import { MerchantCoupons } from '#web/coupons/search/merchant-coupons.tsx';
import { useWantButton } from '#web/coupons/search/want-button.tsx';
import { hasCode } from '#web/lib/errors.ts';
import { trpc } from '#web/lib/trpc.ts';
import { useDealActions } from './deal-actions.tsx';

/** A merchant: its coupons, its public codes, and who looks for it. */
export function Component() {
  const { name = '' } = useParams();
  const query = trpc.merchants.byName.useQuery({ name });
  const { data, error, isFetching } = query;
  usePageTitle(data ? t`${data.name} coupons` : PAGES.merchant.title());
  const health = trpc.health.ofMerchant.useQuery({ name });
  const renderActions = useDealActions();
  const alertButton = useWantButton({ ...NO_FILTERS, merchant: data?.name ?? name });
  if ((hasCode(error, 'not_found') || hasCode(error, 'bad_input')) && !isFetching)
    return <MerchantNotFound />;
  return (
    <Container size="xl" py={{ base: 20, sm: 32 }}>
      <QueryContent
        // The figure stands between other words: nothing may move on screen.
        query={health.isLoading && health.failureCount === 0 ? { ...query, data: undefined } : query}
        errorTitle={t`Error loading this merchant`}
        errorOrder={1}
        skeleton={<CouponGridSkeleton />}
      >
        {(merchant) => (
          <>
            <MerchantHead merchant={merchant} alertButton={alertButton}>
              <MerchantHealth name={name} />
            </MerchantHead>
            <MerchantCoupons merchant={name} renderActions={renderActions} alertButton={alertButton} />
          </>
        )}
      </QueryContent>
    </Container>
  );
}

function MerchantNotFound() {
  return (
    <NotFound
      title={t`Merchant not found`}
      heading={t`We know no merchant of this name`}
      text={t`Search for a part of the name among the coupons.`}
      next={{ to: paths.home, label: t`Browse Coupons` }}
    />
  );
}
