import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { rateText } from '#contract/fees.ts';
import { moneyText } from '#contract/money.ts';
import { paths } from '#contract/pages.ts';
import type { FeePeriod, PlatformFee } from '#contract/payments.ts';
import { ToneBadge } from '#web/components/status-badge.tsx';
import { usePage } from '#web/lib/address.ts';
import { feeRatesNow } from '#web/lib/fee-rates.ts';
import { formatDateTime } from '#web/lib/format.ts';
import classes from './admin.module.css';
import { type Column, TablePanel } from './panel.tsx';
import { usePlatformFees } from './queries.ts';
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
  { title: t`Date`, render: ({ createdAt }) => formatDateTime(createdAt) },
  { title: t`Coupon`, render: ({ couponTitle }) => couponTitle, isLong: true },
  { title: t`Buyer`, render: ({ buyerUsername }) => buyerUsername },
  { title: t`Seller`, render: ({ sellerUsername }) => sellerUsername },
  { title: t`Amount`, render: ({ amount }) => moneyText(amount), isNumber: true },
  // What the platform keeps of both parties' fees.
  { title: feeTitle(), render: ({ fee }) => moneyText(fee), isNumber: true },
  {
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

interface FeeTransactionsProps {
  readonly period: FeePeriod;
  readonly onPeriod: (period: FeePeriod) => void;
}

/** The fees of paid sales, newest first, with a CSV export. */
export function FeeTransactions({ period, onPeriod }: FeeTransactionsProps) {
  const [page, setPage] = usePage();
  const read = usePlatformFees({ period, page });
  return (
    <>
      <Group className={classes.toolbar} justify="space-between" align="flex-end" gap="sm">
        <NativeSelect
          label={t`Period`}
          value={period}
          data={[...PERIODS]}
          onChange={({ currentTarget }) =>
            onPeriod(PERIODS.find(({ value }) => value === currentTarget.value)?.value ?? 'all')
          }
        />
        <Button
          component="a"
          href={`/api/admin/platform-fees.csv?period=${period}`}
          download
          variant="default"
          leftSection={<IconDownload size={18} aria-hidden="true" />}
        >
          <Trans>Export CSV</Trans>
        </Button>
      </Group>
      <JournalExport />
      <TablePanel
        label={t`Fee transactions`}
        read={read}
        failure={t`Failed to load fee transactions`}
        columns={columns()}
        rowKey={({ id }) => id}
        page={page}
        onPage={setPage}
        empty={{
          title: t`No fee transactions`,
          text:
            period === 'all'
              ? t`The fee of each sale appears here once its buyer has paid.`
              : t`No sales were paid in this period.`,
          action: period !== 'all' && (
            <Button variant="default" onClick={() => onPeriod('all')}>
              <Trans>Show all time</Trans>
            </Button>
          ),
        }}
      />
    </>
  );
}
