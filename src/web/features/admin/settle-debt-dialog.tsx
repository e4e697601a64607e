import { Text } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { z } from 'zod';
import { type AdminDebt, settleDebtInputSchema } from '#contract/debts.ts';
import { moneyText } from '#contract/money.ts';
import { ChoiceField, ReasonField } from '#web/components/decision-fields.tsx';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
import { dialogAnswers } from '#web/lib/dialog-answers.ts';
import { useSettleDebt } from './queries.ts';

const formSchema = settleDebtInputSchema.extend({
  how: z.enum(settleDebtInputSchema.shape.how.options, 'Choose how it was settled'),
});

/** Ends a debt of a seller. */
export function Component({ debt, onClose }: { debt: AdminDebt; onClose: () => void }) {
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
    <Dialog title="Settle a debt" size="lg">
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
    </Dialog>
  );
}
