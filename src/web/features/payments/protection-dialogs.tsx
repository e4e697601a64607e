import { Text } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { openClaimInputSchema } from '#contract/payments.ts';
import { ReasonField } from '#web/components/decision-fields.tsx';
import { ConfirmDialog, Dialog, DialogForm, type DialogProps } from '#web/components/dialog.tsx';
import { dialogAnswers } from '#web/lib/dialog-answers.ts';
import { useConfirmReceipt, useOpenClaim, useWithdrawClaim } from './queries.ts';

interface VerdictDialogProps extends Pick<DialogProps, 'opened' | 'onClose' | 'fallbackFocusId'> {
  readonly bidId: number;
}

/** The buyer says that the code works: the seller is paid at once. */
export function ConfirmReceiptDialog({ bidId, ...dialog }: VerdictDialogProps) {
  const confirm = useConfirmReceipt();
  const answers = dialogAnswers({
    onClose: dialog.onClose,
    done: () => ['Thank you', 'The money is on its way to the seller.'],
    failedTitle: 'Not confirmed',
  });
  return (
    <ConfirmDialog
      {...dialog}
      title="Does the code work?"
      confirmLabel="Release the money"
      pendingLabel="Processing..."
      cancelLabel="Not yet"
      isPending={confirm.isPending}
      onConfirm={() => confirm.mutate({ bidId }, answers)}
    >
      <Text>
        The money goes to the seller at once. This cannot be undone, and no claim can be made afterwards.
      </Text>
    </ConfirmDialog>
  );
}

/** The buyer takes the claim back. */
export function WithdrawClaimDialog({ bidId, ...dialog }: VerdictDialogProps) {
  const withdraw = useWithdrawClaim();
  const answers = dialogAnswers({
    onClose: dialog.onClose,
    done: () => ['Claim withdrawn', 'The seller is paid when the protection ends.'],
    failedTitle: 'Claim not withdrawn',
  });
  return (
    <ConfirmDialog
      {...dialog}
      title="Withdraw your claim?"
      confirmLabel="Withdraw claim"
      pendingLabel="Processing..."
      cancelLabel="Keep my claim"
      isPending={withdraw.isPending}
      isDangerous
      onConfirm={() => withdraw.mutate({ bidId }, answers)}
    >
      <Text>The seller is paid when the protection ends. You cannot make another claim about this code.</Text>
    </ConfirmDialog>
  );
}

/** The buyer says that the code does not work, and a moderator decides. */
export function ClaimCodeDialog({ bidId, ...dialog }: VerdictDialogProps) {
  return (
    <Dialog {...dialog} title="The code does not work">
      <ClaimForm bidId={bidId} onClose={dialog.onClose} />
    </Dialog>
  );
}

function ClaimForm({ bidId, onClose }: Pick<VerdictDialogProps, 'bidId' | 'onClose'>) {
  const claim = useOpenClaim();
  const form = useForm({
    initialValues: { bidId, reason: '' },
    validate: schemaResolver(openClaimInputSchema, { sync: true }),
  });
  const answers = dialogAnswers({
    onClose,
    form,
    done: () => ['Claim sent', 'A moderator will decide. The money stays held until then.'],
    failedTitle: 'Claim not sent',
  });
  return (
    <DialogForm
      onSubmit={form.onSubmit((values) => claim.mutate(values, answers))}
      isPending={claim.isPending}
      cancelLabel="Not now"
      submitLabel="Send claim"
      isDangerous
    >
      <Text>
        A moderator reads what you write and decides: you get everything back, fee included, or the sale
        stands. The seller reads it too. There can be one claim for each sale.
      </Text>
      <ReasonField
        label="What happened?"
        description="Where and when you tried the code, and what the shop said."
        rows={4}
        isDisabled={claim.isPending}
        input={form.getInputProps('reason')}
      />
    </DialogForm>
  );
}
