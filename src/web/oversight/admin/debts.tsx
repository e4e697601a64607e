import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Button, Group, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { moneyText } from '#contract/base/money.ts';
import { paths } from '#contract/base/pages.ts';
import type { AdminDebt, DebtWay } from '#contract/money/debts.ts';
import { QuietDeskDrawing } from '#web/components/drawings.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { formatDate } from '#web/lib/format.ts';
import { openDialog } from '#web/lib/open-dialog.ts';
import classes from './admin.module.css';
import { DataTable, DataTableSkeleton } from './data-table.tsx';
import { Panel } from './panel.tsx';
import { useDebts } from './queries.ts';
import { ColumnsMenu, ExportLink, SortSelect, useShownColumns } from './table-tools.tsx';
import type { Column } from './table-types.ts';

const WAYS: Record<DebtWay, string> = {
  reversal: t`We ask Stripe to take it from the seller’s balance`,
  payouts: t`Withheld from the next Stripe payouts`,
  provider: t`PayPal takes it from the seller’s account`,
};

/** The debts come all at once: they are sorted here. */
function sorted(debts: readonly AdminDebt[], sort: string): AdminDebt[] {
  const [column, direction] = sort.split('-');
  const rising = [...debts].sort((one, other) =>
    column === 'amount' ? Number(one.amount) - Number(other.amount) : one.since < other.since ? -1 : 1,
  );
  return direction === 'asc' ? rising : rising.reverse();
}

/** What sellers owe, and a button that ends a debt. */
export function Debts() {
  const columns: readonly Column<AdminDebt>[] = [
    {
      title: t`Seller`,
      render: ({ sellerId, sellerUsername }) => (
        <Anchor component={Link} to={paths.user(sellerId)}>
          {sellerUsername}
        </Anchor>
      ),
    },
    { id: 'coupon', title: t`Coupon`, render: ({ couponTitle }) => couponTitle, isLong: true },
    {
      id: 'amount',
      title: t`Amount`,
      render: ({ amount }) => moneyText(amount),
      isNumber: true,
      sort: 'amount-desc',
    },
    { id: 'since', title: t`Since`, render: ({ since }) => formatDate(since), sort: 'since-asc' },
    { id: 'way', title: t`How it is settled`, render: ({ way }) => WAYS[way], isLong: true },
    {
      title: t`Action`,
      render: (debt) => (
        <Button
          variant="default"
          size="compact-sm"
          aria-haspopup="dialog"
          onClick={() => openDialog('settleDebt', { debt })}
        >
          <Trans>
            Settle
            <VisuallyHidden> the debt of {debt.sellerUsername}</VisuallyHidden>
          </Trans>
        </Button>
      ),
    },
  ];
  const { shown, hidden, setHidden } = useShownColumns('debts', columns);
  const [sort, setSort] = useState('since-asc');
  const sorting = { sort, onSort: setSort };
  return (
    <Panel
      read={useDebts()}
      failure={t`Failed to load the debts`}
      skeleton={<DataTableSkeleton columns={columns} />}
    >
      {(debts) =>
        debts.length === 0 ? (
          <EmptyState
            title={t`No seller owes anything`}
            text={t`A debt appears here when a buyer gets money back after the seller was paid.`}
            drawing={<QuietDeskDrawing />}
            titleOrder={3}
          />
        ) : (
          <>
            <Group className={classes.toolbar} gap="sm" align="flex-end">
              <SortSelect columns={columns} sorting={sorting} />
              <Group gap="sm" ml="auto">
                <ColumnsMenu columns={columns} hidden={hidden} onHidden={setHidden} />
                <ExportLink href="/api/admin/seller-debts.csv" />
              </Group>
            </Group>
            <DataTable
              label={t`Sellers’ debts`}
              columns={shown}
              rows={sorted(debts, sort)}
              rowKey={({ paymentId }) => paymentId}
              sorting={sorting}
            />
          </>
        )
      }
    </Panel>
  );
}
