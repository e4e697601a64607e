import { Anchor, Button, VisuallyHidden } from '@mantine/core';
import { Link } from 'react-router-dom';
import type { AdminDebt, DebtWay } from '#contract/debts.ts';
import { moneyText } from '#contract/money.ts';
import { paths } from '#contract/pages.ts';
import { QuietDeskDrawing } from '#web/components/drawings.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { formatDate } from '#web/lib/format.ts';
import { openDialog } from '#web/lib/open-dialog.ts';
import { type Column, DataTable, DataTableSkeleton, Panel } from './panel.tsx';
import { useDebts } from './queries.ts';

const WAYS: Record<DebtWay, string> = {
  reversal: 'We ask Stripe to take it from the seller’s balance',
  payouts: 'Withheld from the next Stripe payouts',
  provider: 'PayPal takes it from the seller’s account',
};

/** What sellers owe, and a button that ends a debt. */
export function Debts() {
  const columns: readonly Column<AdminDebt>[] = [
    {
      title: 'Seller',
      render: ({ sellerId, sellerUsername }) => (
        <Anchor component={Link} to={paths.user(sellerId)}>
          {sellerUsername}
        </Anchor>
      ),
    },
    { title: 'Coupon', render: ({ couponTitle }) => couponTitle, isLong: true },
    { title: 'Amount', render: ({ amount }) => moneyText(amount), isNumber: true },
    { title: 'Since', render: ({ since }) => formatDate(since) },
    { title: 'How it is settled', render: ({ way }) => WAYS[way], isLong: true },
    {
      title: 'Action',
      render: (debt) => (
        <Button
          variant="default"
          size="compact-sm"
          aria-haspopup="dialog"
          onClick={() => openDialog('settleDebt', { debt })}
        >
          Settle
          <VisuallyHidden> the debt of {debt.sellerUsername}</VisuallyHidden>
        </Button>
      ),
    },
  ];
  return (
    <Panel
      read={useDebts()}
      failure="Failed to load the debts"
      skeleton={<DataTableSkeleton columns={columns} />}
    >
      {(debts) =>
        debts.length === 0 ? (
          <EmptyState
            title="No seller owes anything"
            text="A debt appears here when a buyer gets money back after the seller was paid."
            drawing={<QuietDeskDrawing />}
            titleOrder={3}
          />
        ) : (
          <DataTable
            label="Sellers’ debts"
            columns={columns}
            rows={debts}
            rowKey={({ paymentId }) => paymentId}
          />
        )
      }
    </Panel>
  );
}
