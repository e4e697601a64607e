import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Text } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router-dom';
import { defineAddress, keyed, oneOf, openedId, pageRef, searchText } from '#contract/base/address.ts';
import { SEARCH_MAX } from '#contract/base/bounds.ts';
import { PAGES, paths } from '#contract/base/pages.ts';
import { TEXTS } from '#contract/base/texts.ts';
import { EXCHANGE_TABS, type Exchange, type ExchangeTab } from '#contract/deals/exchanges.ts';
import { SearchDrawing } from '#web/components/drawing.tsx';
import { SwapDrawing } from '#web/components/drawings.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { PageShell } from '#web/components/page-shell.tsx';
import { SearchBox } from '#web/components/search-box.tsx';
import { FIRST_COUPON, useHasCoupon } from '#web/coupons/core/first-coupon.ts';
import { AddCouponButton } from '#web/coupons/publishing/add-coupon-button.tsx';
import { AwaySuggestion } from '#web/deals/away/absence.tsx';
import { DealBrowser } from '#web/deals/core/deal-browser.tsx';
import { focusAfterAct } from '#web/deals/core/deal-buttons.tsx';
import { OUTCOME_ID } from '#web/deals/exchanges/exchange-actions.tsx';
import { ExchangeDetail } from '#web/deals/exchanges/exchange-detail.tsx';
import { ExchangeCards, ExchangeRowsSkeleton, ExchangeTable } from '#web/deals/exchanges/exchange-rows.tsx';
import classes from '#web/deals/exchanges/exchanges.module.css';
import { useExchange } from '#web/deals/exchanges/queries.ts';
import { type ExchangeAct, ratedIn } from '#web/deals/exchanges/sides.ts';
import { RateDeal } from '#web/deals/ratings/rate-deal.tsx';
import { useAddress } from '#web/lib/address.ts';
import { openDialog } from '#web/lib/open-dialog.ts';
import { useIsBelow } from '#web/lib/screen.ts';
import { trpc } from '#web/lib/trpc.ts';
import { useMember } from '#web/lib/viewer.tsx';
import { LegClaims } from '#web/money/claims/leg-claims.tsx';

/** Rows on one page of the list. */
const PAGE_SIZE = 10;

/** The list's tab, search and page, and the open exchange. */
const ADDRESS = defineAddress({
  tab: oneOf(EXCHANGE_TABS),
  search: keyed('q', searchText()),
  page: pageRef,
  openId: keyed('exchange', openedId),
});

const TABS: readonly (readonly [ExchangeTab, string])[] = [
  ['all', t`All`],
  ['requested', t`Requested`],
  ['received', t`Received`],
  ['pending', t`Pending`],
  ['completed', t({ context: 'exchanges', message: 'Completed' })],
];

/** The viewer's exchanges, and the details of one. The address holds the tab, the search and the open exchange. */
export function Component() {
  const viewer = useMember();
  const [{ tab, search, page, openId }, go] = useAddress(ADDRESS);
  const query = trpc.exchanges.list.useQuery(
    { tab, search: search || undefined, page, limit: PAGE_SIZE },
    { placeholderData: keepPreviousData },
  );
  const open = useExchange(openId, query.data?.items);
  const isWide = !useIsBelow('md');
  const [swappedId, setSwappedId] = useState<number | null>(null);

  const act = (exchange: Exchange, what: ExchangeAct) => {
    if (what === 'revise' || what === 'counter') {
      const onCountered = ({ id }: Exchange) => go({ openId: id }, { replace: true });
      openDialog('changeOffer', { exchange, act: what, onCountered });
    } else {
      const focusAfter = [OUTCOME_ID, ...focusAfterAct(exchange.id)];
      openDialog('actOnExchange', { exchange, act: what, onDone: done }, { focusAfter });
    }
  };
  const done = (exchange: Exchange) => {
    if (exchange.status !== 'completed') return;
    // The details show the swap as an animation, and a button for the next step.
    setSwappedId(exchange.id);
    if (openId === null) go({ openId: exchange.id });
  };
  const close = () => {
    setSwappedId(null);
    go({ openId: null }, { replace: true });
  };

  const Rows = isWide ? ExchangeTable : ExchangeCards;
  const skeleton = <ExchangeRowsSkeleton isWide={isWide} />;
  return (
    <PageShell
      title={PAGES.exchanges.title()}
      text={t`Exchanges you proposed, and exchanges proposed to you.`}
    >
      <AwaySuggestion />
      <DealBrowser
        noun="exchange"
        tabs={TABS}
        tab={tab}
        onTab={(next) => go({ tab: next })}
        filter={
          <SearchBox
            className={classes.search}
            label={t`Search exchanges`}
            placeholder={t`Search exchanges...`}
            maxLength={SEARCH_MAX}
            value={search}
            onSearch={(text) => go({ search: text }, { replace: true })}
          />
        }
        heading={t`Your exchanges`}
        query={query}
        page={page}
        pageSize={PAGE_SIZE}
        onChange={(next) => go({ page: next })}
        errorTitle={TEXTS.exchanges.loadFailed()}
        skeleton={skeleton}
        empty={
          <NoExchanges
            isFiltered={tab !== 'all' || search !== ''}
            skeleton={skeleton}
            onShowAll={() => go({ tab: 'all', search: '' })}
          />
        }
        openId={openId}
        detail={open}
        detailWidth={720}
        renderDetail={(exchange) => (
          <ExchangeDetail
            exchange={exchange}
            hasJustSwapped={swappedId !== null && swappedId === openId}
            onAct={act}
          >
            <LegClaims exchangeId={exchange.id} completedAt={exchange.completedAt} />
            {ratedIn(exchange, viewer.id).map((otherId) => (
              <RateDeal key={otherId} dealType="exchange" dealId={exchange.id} otherId={otherId} />
            ))}
          </ExchangeDetail>
        )}
        onClose={close}
      >
        {(exchanges) => <Rows exchanges={exchanges} onOpen={({ id }) => go({ openId: id })} onAct={act} />}
      </DealBrowser>
    </PageShell>
  );
}

interface NoExchangesProps {
  readonly isFiltered: boolean;
  readonly skeleton: ReactNode;
  readonly onShowAll: () => void;
}

function NoExchanges({ isFiltered, skeleton, onShowAll }: NoExchangesProps) {
  const { data: any } = trpc.exchanges.list.useQuery({ tab: 'all', limit: 1 }, { enabled: isFiltered });
  const noneMatch = isFiltered && any && any.total > 0;
  const hasCoupon = useHasCoupon(!noneMatch);
  if ((isFiltered && !any) || (!noneMatch && hasCoupon === undefined)) return skeleton;
  const isNew = !noneMatch && !hasCoupon;
  return (
    <EmptyState
      title={TEXTS.exchanges.noneFound()}
      text={noneMatch ? TEXTS.exchanges.noneMatch() : TEXTS.exchanges.noneYet()}
      drawing={noneMatch ? <SearchDrawing /> : <SwapDrawing />}
      action={
        <Group justify="center" gap="sm">
          {isNew && (
            <Text w="100%" fw={600}>
              {FIRST_COUPON}.
            </Text>
          )}
          {isNew && <AddCouponButton onClick={() => openDialog('coupon')} />}
          {noneMatch && (
            <Button onClick={onShowAll}>
              <Trans>Show all exchanges</Trans>
            </Button>
          )}
          <Button component={Link} to={paths.home} variant={noneMatch || isNew ? 'default' : 'filled'}>
            <Trans>Browse Coupons</Trans>
          </Button>
        </Group>
      }
    />
  );
}
