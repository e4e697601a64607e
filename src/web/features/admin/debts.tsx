import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
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
  reversal: t`We ask Stripe to take it from the seller’s balance`,
  payouts: t`Withheld from the next Stripe payouts`,
  provider: t`PayPal takes it from the seller’s account`,
};

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
    { title: t`Coupon`, render: ({ couponTitle }) => couponTitle, isLong: true },
    { title: t`Amount`, render: ({ amount }) => moneyText(amount), isNumber: true },
    { title: t`Since`, render: ({ since }) => formatDate(since) },
    { title: t`How it is settled`, render: ({ way }) => WAYS[way], isLong: true },
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
          <DataTable
            label={t`Sellers’ debts`}
            columns={columns}
            rows={debts}
            rowKey={({ paymentId }) => paymentId}
          />
        )
      }
    </Panel>
  );
}
