import { Button, Group, Stack, Title, VisuallyHidden } from '@mantine/core';
import { Link } from 'react-router-dom';
import type { Exchange } from '#contract/exchanges.ts';
import { TEXTS } from '#contract/texts.ts';
import { SearchDrawing, SwapDrawing } from '#web/components/drawings.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { ErrorState } from '#web/components/error-state.tsx';
import { countText, ListPagination } from '#web/components/list-pagination.tsx';
import { readErrorText } from '#web/lib/errors.ts';
import { paths } from '#web/lib/paths.ts';
import classes from './exchange-rows.module.css';
import { ExchangeCards, ExchangeTable } from './exchange-rows.tsx';
import { ExchangeRowsSkeleton } from './exchange-rows-skeleton.tsx';
import type { ExchangesAddress } from './list-address.ts';
import { PAGE_SIZE, type useExchanges, useHasExchanges } from './queries.ts';
import type { ExchangeAct } from './sides.ts';

interface ExchangeListProps {
  readonly query: ReturnType<typeof useExchanges>;
  readonly address: ExchangesAddress;
  readonly isWide: boolean;
  readonly viewerId: number;
  readonly onPage: (page: number) => void;
  readonly onShowAll: () => void;
  readonly onOpen: (exchange: Exchange) => void;
  readonly onAct: (exchange: Exchange, act: ExchangeAct) => void;
  readonly onMessages: (exchange: Exchange) => void;
}

/** A page of the viewer's exchanges, or what stands in its place. */
export function ExchangeList(props: ExchangeListProps) {
  const { query, address, isWide, viewerId, onOpen, onAct, onMessages } = props;
  const { data, error, isFetching, isPlaceholderData, refetch } = query;
  if (error && !data) {
    return (
      <ErrorState
        title={TEXTS.exchanges.loadFailed}
        message={readErrorText(error)}
        onRetry={() => refetch()}
        isRetrying={isFetching}
      />
    );
  }
  if (!data) return <ExchangeRowsSkeleton isWide={isWide} />;
  if (data.items.length === 0) return <NoExchanges {...props} total={data.total} />;
  const Rows = isWide ? ExchangeTable : ExchangeCards;
  return (
    <Stack gap="lg">
      <div className={isPlaceholderData ? classes.stale : undefined} aria-busy={isPlaceholderData}>
        <VisuallyHidden>
          <Title order={2}>Your exchanges</Title>
        </VisuallyHidden>
        <VisuallyHidden role="status">{countText(data.total, data.totalIsCapped)} exchanges</VisuallyHidden>
        <Rows
          exchanges={data.items}
          viewerId={viewerId}
          onOpen={onOpen}
          onAct={onAct}
          onMessages={onMessages}
        />
      </div>
      <ListPagination
        page={address.page}
        pageSize={PAGE_SIZE}
        total={data.total}
        totalIsCapped={data.totalIsCapped}
        onChange={props.onPage}
        label="Exchanges"
      />
    </Stack>
  );
}

function NoExchanges(props: ExchangeListProps & { readonly total: number }) {
  const { address, total } = props;
  const isFiltered = address.tab !== 'all' || address.search !== '';
  const hasAny = useHasExchanges(isFiltered);
  if (total > 0) {
    // The last one of a later page has just left it.
    return (
      <EmptyState
        title={TEXTS.exchanges.noneFound}
        text="This page of the list is empty now."
        drawing={<SwapDrawing />}
        action={<Button onClick={() => props.onPage(1)}>Back to the first page</Button>}
      />
    );
  }
  if (isFiltered && hasAny === undefined) return <ExchangeRowsSkeleton isWide={props.isWide} />;
  const browse = (isMain: boolean) => (
    <Button component={Link} to={paths.home} variant={isMain ? 'filled' : 'default'}>
      Browse Coupons
    </Button>
  );
  if (isFiltered && hasAny) {
    return (
      <EmptyState
        title={TEXTS.exchanges.noneFound}
        text={TEXTS.exchanges.noneMatch}
        drawing={<SearchDrawing />}
        action={
          <Group justify="center" gap="sm">
            <Button onClick={props.onShowAll}>Show all exchanges</Button>
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
