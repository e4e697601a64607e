import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Loader, Progress, Stack, Text, Title } from '@mantine/core';
import { IconCheck, IconDownload } from '@tabler/icons-react';
import { useRef } from 'react';
import { formatNumber } from '#contract/base/locale.ts';
import type { PageRef } from '#contract/base/primitives.ts';
import { TEXTS } from '#contract/base/texts.ts';
import { IMPORT_ALL_MAX, OFFERS_PER_MERCHANT } from '#contract/coupons/discover.ts';
import { CouponTicketSkeleton } from '#web/components/coupon-ticket.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { PagedList } from '#web/components/paged-list.tsx';
import { PlainList } from '#web/components/plain-list.tsx';
import { Repeat } from '#web/components/repeat.tsx';
import { toasts } from '#web/lib/toasts.ts';
import { trpc } from '#web/lib/trpc.ts';
import { ActiveOnly } from '#web/lib/viewer.tsx';
import classes from './discover.module.css';
import { OfferTicket } from './offer-ticket.tsx';
import { type KnownGroup, useOffers } from './queries.ts';

interface MerchantOffersProps {
  readonly merchant: string;
  /** The merchant's entry in the list, if the list has it. */
  readonly known: KnownGroup | undefined;
  readonly page: PageRef;
  readonly onPage: (page: PageRef) => void;
}

/** The offers of one merchant, page by page, to be imported one by one or all at once. */
export function MerchantOffers({ merchant, known, page, onPage }: MerchantOffersProps) {
  const query = useOffers({ merchant, page }, known);
  const { data, isPlaceholderData } = query;
  const title = useRef<HTMLHeadingElement>(null);

  const total = known?.total ?? data?.total ?? 0;
  const isSinglePage = data !== undefined && total <= data.items.length;
  const show = (next: PageRef) => {
    onPage(next);
    title.current?.focus({ preventScroll: true });
    title.current?.scrollIntoView({ block: 'start' });
  };

  const head = (
    <div className={classes.head}>
      <Group gap="4px 12px" align="baseline" miw={0}>
        <Title order={2} size="h3" ref={title} tabIndex={-1} className={classes.title}>
          {merchant}
        </Title>
        <Text span role="status" c="dimmed" className="tabular">
          {data ? offerCount(total, !known && data.totalIsCapped) : t`Looking for offers…`}
        </Text>
        {isPlaceholderData && <Loader size={16} color="gray" aria-hidden="true" />}
      </Group>
      {data &&
        data.items.length > 0 &&
        (isSinglePage && data.items.every(({ isImported }) => isImported) ? (
          <Group component="span" display="inline-flex" gap={6} c="var(--mantine-color-green-text)" fw={600}>
            <IconCheck size={18} aria-hidden="true" /> <Trans>All in My Coupons</Trans>
          </Group>
        ) : (
          <ImportAll merchant={merchant} total={total} />
        ))}
    </div>
  );

  return (
    <PagedList
      query={query}
      page={page}
      pageSize={OFFERS_PER_MERCHANT}
      onChange={show}
      label={t`Offers`}
      gap={0}
      errorTitle={t`Error loading offers`}
      head={head}
      skeleton={<OfferGridSkeleton />}
      empty={
        <EmptyState
          title={t`Nothing from this merchant right now`}
          text={t`Its offers have expired. Choose another merchant.`}
          titleOrder={3}
        />
      }
    >
      {(offers) => (
        <PlainList className={classes.grid} aria-label={t`Offers of ${merchant}`}>
          {offers.map((offer) => (
            <li key={offer.id}>
              <OfferTicket offer={offer} />
            </li>
          ))}
        </PlainList>
      )}
    </PagedList>
  );
}

/** '1 offer', '12 offers', or '10,000+ offers' where offers are not counted further. */
function offerCount(total: number, isCapped: boolean): string {
  const shown = `${formatNumber(total)}${isCapped ? '+' : ''}`;
  return plural(total, { one: `${shown} offer`, other: `${shown} offers` });
}

export function OfferGridSkeleton() {
  return (
    <div className={classes.grid} aria-busy="true">
      <Repeat count={6}>
        <CouponTicketSkeleton />
      </Repeat>
    </div>
  );
}

interface ImportAllProps {
  readonly merchant: string;
  /** The number of the merchant's offers. */
  readonly total: number;
}

/** Imports a merchant's offers, up to a limit per call, and shows how many were imported. */
function ImportAll({ merchant, total }: ImportAllProps) {
  const importAll = trpc.discover.importAll.useMutation({
    onSuccess: ({ length: count }) => {
      if (count === 0)
        toasts.neutral(t`Nothing new to import`, t`You already have all of these in My Coupons.`);
      else
        toasts.success(
          plural(count, { one: '# coupon imported', other: '# coupons imported' }),
          nextStepText(count, total),
        );
    },
    onError: (error) =>
      toasts.failed(error, TEXTS.discover.importFailed(), TEXTS.discover.importAllFailedText()),
  });
  if (importAll.isPending) {
    return (
      <Stack gap={6} w="13rem" fz="sm" fw={600} role="status">
        {plural(Math.min(total, IMPORT_ALL_MAX), { one: 'Importing # offer…', other: 'Importing # offers…' })}
        <Progress value={100} animated striped aria-label={t`Importing the offers of ${merchant}`} />
      </Stack>
    );
  }
  return (
    <ActiveOnly>
      <Button
        leftSection={<IconDownload size={18} aria-hidden="true" />}
        onClick={() => importAll.mutate({ merchant })}
      >
        <Trans>Import All</Trans>
      </Button>
    </ActiveOnly>
  );
}

function nextStepText(count: number, total: number): string {
  return count === IMPORT_ALL_MAX && total > IMPORT_ALL_MAX
    ? t`You can import ${IMPORT_ALL_MAX} at a time. Press Import All again for the rest.`
    : t`Find them in My Coupons.`;
}
