import { Button, Group, Title, VisuallyHidden } from '@mantine/core';
import { Link } from 'react-router-dom';
import type { Exchange } from '#contract/exchanges.ts';
import { paths } from '#contract/pages.ts';
import type { PageRef } from '#contract/primitives.ts';
import { TEXTS } from '#contract/texts.ts';
import { SearchDrawing } from '#web/components/drawing.tsx';
import { SwapDrawing } from '#web/components/drawings.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { PagedList } from '#web/components/paged-list.tsx';
import { trpc } from '#web/lib/trpc.ts';
import { ExchangeCards, ExchangeRowsSkeleton, ExchangeTable } from './exchange-rows.tsx';
import type { ExchangesAddress } from './queries.ts';
import { PAGE_SIZE, type useExchanges } from './queries.ts';
import type { ExchangeAct } from './sides.ts';

interface ExchangeListProps {
  readonly query: ReturnType<typeof useExchanges>;
  readonly address: ExchangesAddress;
  readonly isWide: boolean;
  readonly onPage: (page: PageRef) => void;
  readonly onShowAll: () => void;
  readonly onOpen: (exchange: Exchange) => void;
  readonly onAct: (exchange: Exchange, act: ExchangeAct) => void;
}

/** A page of the viewer's exchanges. */
export function ExchangeList(props: ExchangeListProps) {
  const { query, address, isWide, onPage, onShowAll, ...rows } = props;
  const Rows = isWide ? ExchangeTable : ExchangeCards;
  return (
    <PagedList
      query={query}
      page={address.page}
      pageSize={PAGE_SIZE}
      onChange={onPage}
      label="Exchanges"
      noun="exchange"
      errorTitle={TEXTS.exchanges.loadFailed}
      skeleton={<ExchangeRowsSkeleton isWide={isWide} />}
      empty={<NoExchanges address={address} isWide={isWide} onShowAll={onShowAll} />}
    >
      {(exchanges) => (
        <>
          <VisuallyHidden>
            <Title order={2}>Your exchanges</Title>
          </VisuallyHidden>
          <Rows {...rows} exchanges={exchanges} />
        </>
      )}
    </PagedList>
  );
}

type NoExchangesProps = Pick<ExchangeListProps, 'address' | 'isWide' | 'onShowAll'>;

function NoExchanges({ address, isWide, onShowAll }: NoExchangesProps) {
  const isFiltered = address.tab !== 'all' || address.search !== '';
  const { data } = trpc.exchanges.list.useQuery({ tab: 'all', limit: 1 }, { enabled: isFiltered });
  if (isFiltered && !data) return <ExchangeRowsSkeleton isWide={isWide} />;
  const browse = (isMain: boolean) => (
    <Button component={Link} to={paths.home} variant={isMain ? 'filled' : 'default'}>
      Browse Coupons
    </Button>
  );
  if (isFiltered && data && data.total > 0) {
    return (
      <EmptyState
        title={TEXTS.exchanges.noneFound}
        text={TEXTS.exchanges.noneMatch}
        drawing={<SearchDrawing />}
        action={
          <Group justify="center" gap="sm">
            <Button onClick={onShowAll}>Show all exchanges</Button>
            {browse(false)}
          </Group>
        }
      />
    );
  }
  return (
    <EmptyState
      title={TEXTS.exchanges.noneFound}
      text={TEXTS.exchanges.noneYet}
      drawing={<SwapDrawing />}
      action={browse(true)}
    />
  );
}
