import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Stack, Title } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { defineAddress, oneOf, pageRef } from '#contract/base/address.ts';
import { PAGES, paths } from '#contract/base/pages.ts';
import type { Deal, DealStage } from '#contract/deals/deal-list.ts';
import { SwapDrawing } from '#web/components/drawings.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { PageShell } from '#web/components/page-shell.tsx';
import { countText, PagedList } from '#web/components/paged-list.tsx';
import { PlainList } from '#web/components/plain-list.tsx';
import { Repeat } from '#web/components/repeat.tsx';
import { DEAL_LIST_ID } from '#web/deals/core/deal-buttons.tsx';
import { DealRowSkeleton } from '#web/deals/core/deal-row.tsx';
import { DealViews } from '#web/deals/core/deal-views.tsx';
import { useAddress } from '#web/lib/address.ts';
import { trpc } from '#web/lib/trpc.ts';
import { DealLine, dealKey } from './deal-line.tsx';

const PAGE_SIZE = 20;

const ADDRESS = defineAddress({ only: oneOf<'all' | 'claims'>(['all', 'claims']), page: pageRef });

const STAGES: readonly (readonly [DealStage, string])[] = [
  ['yours', t`Your turn`],
  ['others', t`Waiting for others`],
  ['ended', t`Finished`],
];

/** The viewer's deals of all kinds; what waits for the viewer comes first. */
export function Component() {
  const [{ only, page }, go] = useAddress(ADDRESS);
  const query = trpc.deals.list.useQuery(
    { only, page, limit: PAGE_SIZE },
    { placeholderData: keepPreviousData },
  );
  return (
    <PageShell title={PAGES.deals.title()} text={t`Everything you exchange, buy and sell, your turn first.`}>
      <DealViews current={only === 'claims' ? paths.claimedDeals : paths.deals} />
      <div id={DEAL_LIST_ID} tabIndex={-1}>
        <PagedList
          query={query}
          page={page}
          pageSize={PAGE_SIZE}
          onChange={(next) => go({ page: next }, { preventScrollReset: false })}
          label={t`Deals`}
          announce={(found) =>
            plural(found.total, { one: `${countText(found)} deal`, other: `${countText(found)} deals` })
          }
          errorTitle={t`Failed to load deals`}
          skeleton={<DealsSkeleton />}
          empty={<NoDeals isClaims={only === 'claims'} />}
        >
          {(deals) => <Stages deals={deals} />}
        </PagedList>
      </div>
    </PageShell>
  );
}

/** The deals under a heading for each stage. */
function Stages({ deals }: { deals: readonly Deal[] }) {
  return (
    <Stack gap="xl">
      {STAGES.map(([stage, heading]) => {
        const found = deals.filter((deal) => deal.stage === stage);
        if (found.length === 0) return null;
        return (
          <section key={stage} aria-labelledby={`deals-${stage}`}>
            <Title order={2} size="h3" mb="sm" id={`deals-${stage}`}>
              {heading}
            </Title>
            <PlainList gap={12}>
              {found.map((deal) => (
                <DealLine key={dealKey(deal)} deal={deal} />
              ))}
            </PlainList>
          </section>
        );
      })}
    </Stack>
  );
}

function DealsSkeleton() {
  return (
    <Stack gap={12} pt={41}>
      <Repeat count={4}>
        <DealRowSkeleton />
      </Repeat>
    </Stack>
  );
}

function NoDeals({ isClaims }: { isClaims: boolean }) {
  return isClaims ? (
    <EmptyState
      title={t`No claims`}
      text={t`If a code that you bought or got in an exchange does not work, open the deal and tell us.`}
      action={
        <Button component={Link} to={paths.deals}>
          <Trans>See all deals</Trans>
        </Button>
      }
    />
  ) : (
    <EmptyState
      title={t`No deals yet`}
      text={t`Find a coupon you would use, then propose an exchange or bid on it.`}
      drawing={<SwapDrawing />}
      action={
        <Button component={Link} to={paths.home}>
          <Trans>Browse Coupons</Trans>
        </Button>
      }
    />
  );
}
