import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { moneyText } from '#contract/base/money.ts';
import { paths } from '#contract/base/pages.ts';
import { rateText } from '#contract/money/fees.ts';
import {
  type FeePeriod,
  listPlatformFeesInputSchema,
  PAYMENT_STATUSES,
  type PlatformFee,
} from '#contract/money/payments.ts';
import { SearchBox } from '#web/components/search-box.tsx';
import { ToneBadge } from '#web/components/status-badge.tsx';
import { usePage } from '#web/lib/address.ts';
import { feeRatesNow } from '#web/lib/fee-rates.ts';
import { formatDateTime } from '#web/lib/format.ts';
import classes from './admin.module.css';
import { choices, type Filtering, NO_FILTERS } from './filters.ts';
import { TablePanel } from './panel.tsx';
import { usePlatformFees } from './queries.ts';
import { csvHref } from './table-tools.tsx';
import type { Column } from './table-types.ts';
import { feeTone, paymentWord } from './wording.ts';

const PERIODS: readonly { value: FeePeriod; label: string }[] = [
  { value: 'all', label: t`All time` },
  { value: 'day', label: t`Last 24 hours` },
  { value: 'week', label: t`Last 7 days` },
  { value: 'month', label: t`Last 30 days` },
  { value: 'year', label: t`Last 365 days` },
];

const columns = (): readonly Column<PlatformFee>[] => [
  {
    title: t`ID`,
    render: ({ id }) => (
      <Anchor className="target" component={Link} to={paths.adminPayment(id)} aria-label={t`Payment #${id}`}>
        #{id}
      </Anchor>
    ),
  },
  { id: 'date', title: t`Date`, render: ({ createdAt }) => formatDateTime(createdAt), sort: 'date-desc' },
  { id: 'coupon', title: t`Coupon`, render: ({ couponTitle }) => couponTitle, isLong: true },
  { id: 'buyer', title: t`Buyer`, render: ({ buyerUsername }) => buyerUsername },
  { id: 'seller', title: t`Seller`, render: ({ sellerUsername }) => sellerUsername },
  {
    id: 'amount',
    title: t`Amount`,
    render: ({ amount }) => moneyText(amount),
    isNumber: true,
    sort: 'amount-desc',
  },
  // What the platform keeps of both parties' fees.
  { id: 'fee', title: feeTitle(), render: ({ fee }) => moneyText(fee), isNumber: true },
  {
    id: 'status',
    title: t`Status`,
    render: ({ status }) => <ToneBadge tone={feeTone(status)}>{paymentWord(status)}</ToneBadge>,
  },
];

/** 'Fee (5% each)' where both parties' rates are the same. */
function feeTitle(): string {
  const [buyer, seller] = [rateText(feeRatesNow().buyer), rateText(feeRatesNow().seller)];
  return buyer === seller ? t`Fee (${buyer} each)` : t`Fee`;
}

/** The ledger's entries of a period as a CSV file; by default of this month. */
function JournalExport() {
  const today = new Date().toISOString().slice(0, 10);
  const [from, setFrom] = useState(`${today.slice(0, 8)}01`);
  const [to, setTo] = useState(today);
  const isPeriod = from !== '' && to !== '' && from <= to;
  return (
    <Group className={classes.toolbar} align="flex-end" gap="sm">
      <TextInput
        type="date"
        label={t`Journals from`}
        value={from}
        onChange={({ currentTarget }) => setFrom(currentTarget.value)}
      />
      <TextInput
        type="date"
        label={t`to (UTC)`}
        value={to}
        error={isPeriod ? null : t`Not before the first day`}
        onChange={({ currentTarget }) => setTo(currentTarget.value)}
      />
      <Button
        component="a"
        href={isPeriod ? `/api/admin/journals.csv?from=${from}&to=${to}` : undefined}
        download
        variant="default"
        leftSection={<IconDownload size={18} aria-hidden="true" />}
      >
        <Trans>Export journals</Trans>
      </Button>
    </Group>
  );
}

const STATUSES = choices(t`Any status`, PAYMENT_STATUSES, paymentWord);

interface FeeTransactionsProps extends Filtering {
  readonly period: FeePeriod;
  readonly onPeriod: (period: FeePeriod) => void;
}

/** The fees of paid sales, newest first, with a CSV export. */
export function FeeTransactions({ period, onPeriod, filters, onFilter }: FeeTransactionsProps) {
  const [page, setPage] = usePage();
  const { paid, person } = filters;
  const sort = listPlatformFeesInputSchema.shape.sort.safeParse(filters.sort).data;
  const given = { period, status: paid ?? undefined, person: person || undefined, sort };
  const read = usePlatformFees({ ...given, page });
  const isFiltered = period !== 'all' || paid !== null || person !== '';
  const showAll = () => {
    onFilter(NO_FILTERS);
    onPeriod('all');
  };
  return (
    <>
      <JournalExport />
      <TablePanel
        label={t`Fee transactions`}
        name="fees"
        read={read}
        failure={t`Failed to load fee transactions`}
        columns={columns()}
        rowKey={({ id }) => id}
        page={page}
        onPage={setPage}
        sorting={{ sort: sort ?? 'date-desc', onSort: (next) => onFilter({ sort: next }) }}
        exportHref={csvHref('/api/admin/platform-fees.csv', given)}
        filters={
          <>
            <NativeSelect
              label={t`Period`}
              value={period}
              data={[...PERIODS]}
              onChange={({ currentTarget }) =>
                onPeriod(PERIODS.find(({ value }) => value === currentTarget.value)?.value ?? 'all')
              }
            />
            <NativeSelect
              label={t`Status`}
              value={paid ?? ''}
              data={STATUSES}
              onChange={({ currentTarget }) =>
                onFilter({ paid: PAYMENT_STATUSES.find((value) => value === currentTarget.value) ?? null })
              }
            />
            <SearchBox
              label={t`Buyer or seller`}
              placeholder={t`Whole username`}
              value={person}
              onSearch={(text) => onFilter({ person: text })}
            />
          </>
        }
        empty={{
          title: t`No fee transactions`,
          text: isFiltered
            ? t`No paid sale matches these filters.`
            : t`The fee of each sale appears here once its buyer has paid.`,
          action: isFiltered && (
            <Button variant="default" onClick={showAll}>
              <Trans>Show all sales</Trans>
            </Button>
          ),
        }}
      />
    </>
  );
}
