import { Button, Loader, Title } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useRef } from 'react';
import { OFFERS_PER_MERCHANT } from '#contract/discover.ts';
import { EmptyState } from '#web/components/empty-state.tsx';
import { ErrorState } from '#web/components/error-state.tsx';
import { ListPagination } from '#web/components/list-pagination.tsx';
import { readErrorText } from '#web/lib/errors.ts';
import classes from './discover.module.css';
import { OfferGridSkeleton } from './discover-skeleton.tsx';
import { ImportAll } from './import-all.tsx';
import { OfferTicket } from './offer-ticket.tsx';
import { type KnownGroup, useOffers } from './queries.ts';

interface MerchantOffersProps {
  readonly merchant: string;
  /** The merchant as the list has it, where it is on the list. */
  readonly known: KnownGroup | undefined;
  readonly page: number;
  readonly onPage: (page: number) => void;
}

/** The public codes of one merchant, page by page, to be imported one by one or all at once. */
export function MerchantOffers({ merchant, known, page, onPage }: MerchantOffersProps) {
  const { data, error, isFetching, isPlaceholderData, refetch } = useOffers({ merchant, page }, known);
  const head = useRef<HTMLHeadingElement>(null);

  if (!data && error) {
    return (
      <ErrorState
        title="The offers could not be read"
        message={readErrorText(error)}
        onRetry={() => refetch()}
        isRetrying={isFetching}
      />
    );
  }
  const total = known?.total ?? data?.total ?? 0;
  const isAllThere = data !== undefined && total <= data.items.length;
  const show = (next: number) => {
    onPage(next);
    head.current?.focus({ preventScroll: true });
    head.current?.scrollIntoView({ block: 'start' });
  };

  return (
    <>
      <div className={classes.head}>
        <div className={classes.merchant}>
          <Title order={2} size="h3" ref={head} tabIndex={-1} className={classes.title}>
            {merchant}
          </Title>
          <span role="status" className={classes.count}>
            {data ? offerCount(total, !known && data.totalIsCapped) : 'Looking for offers …'}
          </span>
          {isPlaceholderData && <Loader size={16} color="gray" aria-hidden="true" />}
        </div>
        {data &&
          data.items.length > 0 &&
          (isAllThere && data.items.every(({ isImported }) => isImported) ? (
            <span className={classes.done}>
              <IconCheck size={18} aria-hidden="true" /> All in My Coupons
            </span>
          ) : (
            <ImportAll merchant={merchant} total={total} />
          ))}
      </div>
      {!data && <OfferGridSkeleton />}
      {data?.items.length === 0 && (
        <EmptyState
          title={page === 1 ? 'Nothing from this merchant at the moment' : 'There is no such page any more'}
          text={
            page === 1
              ? 'Its offers have run out. Choose another merchant.'
              : 'There are fewer offers than there were.'
          }
          titleOrder={3}
          action={
            page > 1 && (
              <Button variant="default" onClick={() => show(1)}>
                To the first page
              </Button>
            )
          }
        />
      )}
      {data && data.items.length > 0 && (
        <ul className={classes.grid} aria-label={`Offers of ${merchant}`} aria-busy={isPlaceholderData}>
          {data.items.map((offer) => (
            <li key={offer.id} className={classes.item}>
              <OfferTicket offer={offer} />
            </li>
          ))}
        </ul>
      )}
      {data && (
        <ListPagination
          page={page}
          pageSize={OFFERS_PER_MERCHANT}
          total={data.total}
          totalIsCapped={data.totalIsCapped}
          onChange={show}
          label="Offers"
        />
      )}
    </>
  );
}

/** '1 offer', '12 offers', or '10000+ offers' where nobody counts further. */
function offerCount(total: number, isCapped: boolean): string {
  return `${total}${isCapped ? '+' : ''} ${total === 1 ? 'offer' : 'offers'}`;
}
