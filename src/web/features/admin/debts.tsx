import { Anchor, Button, Text, VisuallyHidden } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { Link } from 'react-router-dom';
import { z } from 'zod';
import { type AdminDebt, type DebtWay, settleDebtInputSchema } from '#contract/debts.ts';
import { moneyText } from '#contract/money.ts';
import { paths } from '#contract/pages.ts';
import { ChoiceField, ReasonField } from '#web/components/decision-fields.tsx';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
import { QuietDeskDrawing } from '#web/components/drawings.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { dialogAnswers } from '#web/lib/dialog-answers.ts';
import { formatDate } from '#web/lib/format.ts';
import { useDialog } from '#web/lib/use-dialog.ts';
import { type Column, DataTable, DataTableSkeleton, Panel } from './panel.tsx';
import { useDebts, useSettleDebt } from './queries.ts';

const WAYS: Record<DebtWay, string> = {
  reversal: 'Stripe is asked to take it from the seller’s balance',
  payouts: 'Kept back from the next Stripe payouts',
  provider: 'PayPal takes it from the seller’s account',
};

/** What sellers owe, and a button that ends a debt. */
export function Debts() {
  const settling = useDialog<AdminDebt>();
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
          onClick={() => settling.open(debt)}
        >
          Settle
          <VisuallyHidden> the debt of {debt.sellerUsername}</VisuallyHidden>
        </Button>
      ),
    },
  ];
  return (
    <>
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
              label="Debts of sellers"
              columns={columns}
              rows={debts}
              rowKey={({ paymentId }) => paymentId}
            />
          )
        }
      </Panel>
      <Dialog opened={settling.opened} onClose={settling.close} title="Settle a debt" size="lg">
        {settling.subject && (
          <SettleForm key={settling.subject.paymentId} debt={settling.subject} onClose={settling.close} />
        )}
      </Dialog>
    </>
  );
}

const formSchema = settleDebtInputSchema.extend({
  how: z.enum(settleDebtInputSchema.shape.how.options, 'Choose how it was settled'),
});

function SettleForm({ debt, onClose }: { debt: AdminDebt; onClose: () => void }) {
  const settle = useSettleDebt();
  const form = useForm<{ paymentId: number; how: 'written_off' | 'collected' | ''; reason: string }>({
    initialValues: { paymentId: debt.paymentId, how: '', reason: '' },
    validate: schemaResolver(formSchema, { sync: true }),
  });
  const submit = form.onSubmit((values) =>
    settle.mutate(
      formSchema.parse(values),
      dialogAnswers({
        onClose,
        form,
        done: () => ['Debt settled', `${debt.sellerUsername} owes ${moneyText(debt.amount)} less.`],
        failedTitle: 'Nothing was changed',
      }),
    ),
  );
  return (
    <DialogForm onSubmit={submit} isPending={settle.isPending} submitLabel="Settle debt">
      <Text>
        {debt.sellerUsername} owes {moneyText(debt.amount)} for “{debt.couponTitle}”.
      </Text>
      <ChoiceField
        label="How it was settled"
        options={[
          {
            value: 'collected',
            label: 'Collected',
            description: 'PayPal’s report shows that PayPal has taken it from the seller. PayPal only.',
            isDisabled: debt.provider !== 'paypal',
          },
          { value: 'written_off', label: 'Written off', description: 'ClipSwap bears it as a loss.' },
        ]}
        input={form.getInputProps('how')}
      />
      <ReasonField
        label="Reason"
        description="Kept in the audit log. The seller is not told."
        input={form.getInputProps('reason')}
      />
    </DialogForm>
  );
}
