import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useMediaQuery } from '@mantine/hooks';
import { openClaimInputSchema } from '#contract/payments.ts';
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx';
import { fieldErrors, isConflict, writeErrorText } from '#web/lib/errors.ts';
import { rescueFocus } from '#web/lib/rescue-focus.ts';
import { toasts } from '#web/lib/toasts.ts';
import { useConfirmReceipt, useOpenClaim, useWithdrawClaim } from './queries.ts';

interface VerdictDialogProps {
  readonly bidId: number;
  /** Where the keyboard goes when the button that opened this is gone. */
  readonly titleId: string;
  readonly opened: boolean;
  readonly onClose: () => void;
}

const TRY_AGAIN = 'Please try again.';
/** As the contract bounds it. */
const REASON_MAX = 1_000;

/** What to do when the server has answered: say it, and close where the question has no sense any more. */
function answers({ titleId, onClose }: VerdictDialogProps, said: { done: [string, string]; failed: string }) {
  const leave = () => {
    onClose();
    rescueFocus([titleId]);
  };
  return {
    onSuccess: () => {
      leave();
      toasts.success(...said.done);
    },
    onError: (error: unknown) => {
      toasts.failure(said.failed, writeErrorText(error, TRY_AGAIN));
      if (isConflict(error)) leave();
    },
  };
}

/** The buyer says that the code works: the seller is paid at once. */
export function ConfirmReceiptDialog(props: VerdictDialogProps) {
  const { bidId, opened, onClose } = props;
  const confirm = useConfirmReceipt();
  return (
    <ConfirmDialog
      opened={opened}
      title="Does the code work?"
      confirmLabel="Release the money"
      pendingLabel="Processing..."
      cancelLabel="Not yet"
      isPending={confirm.isPending}
      onConfirm={() =>
        confirm.mutate(
          { bidId },
          answers(props, {
            done: ['Thank you', 'The money is on its way to the seller.'],
            failed: 'Not confirmed',
          }),
        )
      }
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
  return (
    <ConfirmDialog
      opened={opened}
      title="Withdraw your claim?"
      confirmLabel="Withdraw claim"
      pendingLabel="Processing..."
      cancelLabel="Keep my claim"
      isPending={withdraw.isPending}
      isDangerous
      onConfirm={() =>
        withdraw.mutate(
          { bidId },
          answers(props, {
            done: ['Claim withdrawn', 'The seller is paid when the protection ends.'],
            failed: 'Claim not withdrawn',
          }),
        )
      }
      onClose={onClose}
    >
      <Text>The seller is paid when the protection ends. You cannot make another claim about this code.</Text>
    </ConfirmDialog>
  );
}

/** The buyer says that the code does not work, and a moderator decides. */
export function ClaimCodeDialog(props: VerdictDialogProps) {
  const { opened, onClose } = props;
  const claim = useOpenClaim();
  const isSmall = useMediaQuery('(max-width: 36em)', false, { getInitialValueInEffect: false });
  return (
    <Modal
      opened={opened}
      onClose={claim.isPending ? () => {} : onClose}
      title="The code does not work"
      fullScreen={isSmall}
      closeButtonProps={{ disabled: claim.isPending }}
    >
      <ClaimForm {...props} claim={claim} />
    </Modal>
  );
}

function ClaimForm({ claim, ...props }: VerdictDialogProps & { claim: ReturnType<typeof useOpenClaim> }) {
  const { bidId, onClose } = props;
  const form = useForm({
    initialValues: { bidId, reason: '' },
    validate: schemaResolver(openClaimInputSchema, { sync: true }),
  });
  const { onSuccess, onError } = answers(props, {
    done: ['Claim sent', 'A moderator will decide. The money stays held until then.'],
    failed: 'Claim not sent',
  });
  const submit = form.onSubmit((values) =>
    claim.mutate(values, {
      onSuccess,
      onError: (error) => {
        form.setErrors(fieldErrors(error));
        onError(error);
      },
    }),
  );
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Text>
          A moderator reads what you write and decides: you get everything back, fee included, or the sale
          stands. The seller reads it too. There can be one claim for each sale.
        </Text>
        <Textarea
          label="What happened?"
          description="Where and when you tried the code, and what the shop said."
          withAsterisk
          rows={4}
          resize="vertical"
          maxLength={REASON_MAX}
          disabled={claim.isPending}
          {...form.getInputProps('reason')}
        />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose} disabled={claim.isPending}>
            Not now
          </Button>
          <Button type="submit" color="red" loading={claim.isPending}>
            Send claim
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
