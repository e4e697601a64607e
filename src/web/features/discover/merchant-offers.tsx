import { Loader, Title } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useRef } from 'react';
import { OFFERS_PER_MERCHANT } from '#contract/discover.ts';
import { EmptyState } from '#web/components/empty-state.tsx';
import { PagedList } from '#web/components/paged-list.tsx';
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
  const query = useOffers({ merchant, page }, known);
  const { data, error, isPlaceholderData } = query;
  const head = useRef<HTMLHeadingElement>(null);

  const total = known?.total ?? data?.total ?? 0;
  const isAllThere = data !== undefined && total <= data.items.length;
  const show = (next: number) => {
    onPage(next);
    head.current?.focus({ preventScroll: true });
    head.current?.scrollIntoView({ block: 'start' });
  };

  return (
    <>
      {(data || !error) && (
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
      )}
      <PagedList
        query={query}
        page={page}
        pageSize={OFFERS_PER_MERCHANT}
        onChange={show}
        label="Offers"
        gap={0}
        errorTitle="The offers could not be read"
        skeleton={<OfferGridSkeleton />}
        empty={
          <EmptyState
            title="Nothing from this merchant at the moment"
            text="Its offers have run out. Choose another merchant."
            titleOrder={3}
          />
        }
      >
        {(offers) => (
          <ul className={classes.grid} aria-label={`Offers of ${merchant}`}>
            {offers.map((offer) => (
              <li key={offer.id}>
                <OfferTicket offer={offer} />
              </li>
            ))}
          </ul>
        )}
      </PagedList>
    </>
  );
}

/** '1 offer', '12 offers', or '10000+ offers' where nobody counts further. */
function offerCount(total: number, isCapped: boolean): string {
  return `${total}${isCapped ? '+' : ''} ${total === 1 ? 'offer' : 'offers'}`;
}
