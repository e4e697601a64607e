import { Text } from '@mantine/core';
import { claimReasonSchema } from '#contract/claims.ts';
import { ClaimWordsDialog, WithdrawClaimDialog } from '#web/components/claim-dialogs.tsx';
import { ConfirmDialog, type DialogProps } from '#web/components/dialog.tsx';
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
export function WithdrawSaleClaimDialog({ bidId, ...dialog }: VerdictDialogProps) {
  const withdraw = useWithdrawClaim();
  return (
    <WithdrawClaimDialog
      {...dialog}
      text="The seller is paid when the protection ends. You cannot make another claim about this code."
      doneText="The seller is paid when the protection ends."
      isPending={withdraw.isPending}
      onWithdraw={(answers) => withdraw.mutate({ bidId }, answers)}
    />
  );
}

/** The buyer says that the code does not work, and a moderator decides. */
export function ClaimCodeDialog({ bidId, ...dialog }: VerdictDialogProps) {
  const claim = useOpenClaim();
  return (
    <ClaimWordsDialog
      {...dialog}
      title="The code does not work"
      intro="A moderator reads what you write and decides: you get everything back, fee included, or the sale stands. The seller reads it too. There can be one claim for each sale."
      name="reason"
      schema={claimReasonSchema}
      label="What happened?"
      description="Where and when you tried the code, and what the shop said."
      submitLabel="Send claim"
      isDangerous
      done={['Claim sent', 'A moderator will decide. The money stays held until then.']}
      failedTitle="Claim not sent"
      isPending={claim.isPending}
      onSend={({ text, pictures }, answers) => claim.mutate({ bidId, reason: text, pictures }, answers)}
    />
  );
}
