import { Text } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { openClaimInputSchema } from '#contract/payments.ts';
import { ReasonField } from '#web/components/decision-fields.tsx';
import { ConfirmDialog, Dialog, DialogForm } from '#web/components/dialog.tsx';
import { dialogAnswers } from '#web/lib/dialog-answers.ts';
import { rescueFocus } from '#web/lib/rescue-focus.ts';
import { useConfirmReceipt, useOpenClaim, useWithdrawClaim } from './queries.ts';

interface VerdictDialogProps {
  readonly bidId: number;
  /** Takes the focus when the button that opened this is gone. */
  readonly titleId: string;
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** The answers of the dialog. The button that opened it is gone by then, so the title takes the focus. */
function answers({ titleId, onClose }: VerdictDialogProps, done: [string, string], failedTitle: string) {
  const leave = () => {
    onClose();
    rescueFocus([titleId]);
  };
  return { onClose: leave, done: () => done, failedTitle };
}

/** The buyer says that the code works: the seller is paid at once. */
export function ConfirmReceiptDialog(props: VerdictDialogProps) {
  const { bidId, opened, onClose } = props;
  const confirm = useConfirmReceipt();
  const texts = answers(props, ['Thank you', 'The money is on its way to the seller.'], 'Not confirmed');
  return (
    <ConfirmDialog
      opened={opened}
      title="Does the code work?"
      confirmLabel="Release the money"
      pendingLabel="Processing..."
      cancelLabel="Not yet"
      isPending={confirm.isPending}
      onConfirm={() => confirm.mutate({ bidId }, dialogAnswers(texts))}
      onClose={onClose}
    >
      <Text>
        The money goes to the seller at once. This cannot be undone, and no claim can be made afterwards.
      </Text>
    </ConfirmDialog>
  );
}

/** The buyer takes the claim back. */
export function WithdrawClaimDialog(props: VerdictDialogProps) {
  const { bidId, opened, onClose } = props;
  const withdraw = useWithdrawClaim();
  const done: [string, string] = ['Claim withdrawn', 'The seller is paid when the protection ends.'];
  return (
    <ConfirmDialog
      opened={opened}
      title="Withdraw your claim?"
      confirmLabel="Withdraw claim"
      pendingLabel="Processing..."
      cancelLabel="Keep my claim"
      isPending={withdraw.isPending}
      isDangerous
      onConfirm={() => withdraw.mutate({ bidId }, dialogAnswers(answers(props, done, 'Claim not withdrawn')))}
      onClose={onClose}
    >
      <Text>The seller is paid when the protection ends. You cannot make another claim about this code.</Text>
    </ConfirmDialog>
  );
}

/** The buyer says that the code does not work, and a moderator decides. */
export function ClaimCodeDialog(props: VerdictDialogProps) {
  const claim = useOpenClaim();
  return (
    <Dialog
      opened={props.opened}
      onClose={props.onClose}
      title="The code does not work"
      isPending={claim.isPending}
    >
      <ClaimForm {...props} claim={claim} />
    </Dialog>
  );
}

function ClaimForm({ claim, ...props }: VerdictDialogProps & { claim: ReturnType<typeof useOpenClaim> }) {
  const form = useForm({
    initialValues: { bidId: props.bidId, reason: '' },
    validate: schemaResolver(openClaimInputSchema, { sync: true }),
  });
  const done: [string, string] = ['Claim sent', 'A moderator will decide. The money stays held until then.'];
  const submit = form.onSubmit((values) =>
    claim.mutate(values, dialogAnswers({ ...answers(props, done, 'Claim not sent'), form })),
  );
  return (
    <DialogForm onSubmit={submit} cancelLabel="Not now" submitLabel="Send claim" isDangerous>
      <Text>
        A moderator reads what you write and decides: you get everything back, fee included, or the sale
        stands. The seller reads it too. There can be one claim for each sale.
      </Text>
      <ReasonField
        label="What happened?"
        description="Where and when you tried the code, and what the shop texts."
        rows={4}
        isDisabled={claim.isPending}
        input={form.getInputProps('reason')}
      />
    </DialogForm>
  );
}
