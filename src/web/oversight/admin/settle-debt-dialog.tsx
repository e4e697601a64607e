import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { z } from 'zod';
import { marketName } from '#contract/base/market.ts';
import { moneyText } from '#contract/base/money.ts';
import { type AdminDebt, settleDebtInputSchema } from '#contract/money/debts.ts';
import { ChoiceField, ReasonField } from '#web/components/decision-fields.tsx';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
import { trpc } from '#web/lib/trpc.ts';
import { useSendForm } from '#web/lib/use-send-form.ts';

const formSchema = settleDebtInputSchema.extend({
  how: z.enum(settleDebtInputSchema.shape.how.options, t`Choose how it was settled`),
});

/** Ends a debt of a seller. */
export function Component({ debt }: { debt: AdminDebt }) {
  const { form, submit, isPending } = useSendForm({
    schema: formSchema,
    initial: { paymentId: debt.paymentId, how: '', reason: '' },
    mutation: trpc.admin.settleDebt.useMutation(),
    done: () => [t`Debt settled`, t`${debt.sellerUsername} owes ${moneyText(debt.amount)} less.`],
    failed: [t`Nothing was changed`],
  });
  return (
    <Dialog title={t`Settle a debt`} size="lg">
      <DialogForm onSubmit={submit} isPending={isPending} submitLabel={t`Settle debt`}>
        <Text>
          <Trans>
            {debt.sellerUsername} owes {moneyText(debt.amount)} for “{debt.couponTitle}”.
          </Trans>
        </Text>
        <ChoiceField
          label={t`How it was settled`}
          options={[
            {
              value: 'collected',
              label: t`Collected`,
              description: t`PayPal only: its report shows that it has taken the money from the seller.`,
              isDisabled: debt.provider !== 'paypal',
            },
            {
              value: 'written_off',
              label: t`Written off`,
              description: t`${{ market: marketName() }} takes the loss.`,
            },
          ]}
          input={form.getInputProps('how')}
        />
        <ReasonField
          label={t`Reason`}
          description={t`We record it in the audit log. The seller does not see it.`}
          input={form.getInputProps('reason')}
        />
      </DialogForm>
    </Dialog>
  );
}
