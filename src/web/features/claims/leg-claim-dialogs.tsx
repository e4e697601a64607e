import { NativeSelect, Text } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { type LegClaim, openLegClaimInputSchema } from '#contract/claims.ts';
import { ReasonField } from '#web/components/decision-fields.tsx';
import { ConfirmDialog, Dialog, DialogForm, type DialogProps } from '#web/components/dialog.tsx';
import { dialogAnswers } from '#web/lib/dialog-answers.ts';
import { useOpenLegClaim, useWithdrawLegClaim } from './queries.ts';

type FramingProps = Pick<DialogProps, 'opened' | 'onClose' | 'fallbackFocusId'>;

/** The viewer says that a code does not work, and a moderator decides. @param legs those that can be claimed about */
export function ClaimLegDialog({ legs, ...dialog }: FramingProps & { readonly legs: readonly LegClaim[] }) {
  const [first] = legs;
  return (
    <Dialog {...dialog} title="The code does not work">
      {first && <ClaimForm legs={legs} first={first} onClose={dialog.onClose} />}
    </Dialog>
  );
}

interface ClaimFormProps {
  readonly legs: readonly LegClaim[];
  readonly first: LegClaim;
  readonly onClose: () => void;
}

function ClaimForm({ legs, first, onClose }: ClaimFormProps) {
  const claim = useOpenLegClaim();
  const form = useForm({
    initialValues: { exchangeId: first.exchangeId, couponId: first.couponId, reason: '' },
    validate: schemaResolver(openLegClaimInputSchema, { sync: true }),
  });
  const leg = legs.find(({ couponId }) => couponId === form.values.couponId) ?? first;
  const answers = dialogAnswers({
    onClose,
    form,
    done: () => ['Claim sent', `${leg.giverUsername} is asked for their word. Then a moderator decides.`],
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
        {leg.giverUsername} and a moderator read what you write. The codes were seen, so the coupons stay
        where they are. If the claim is upheld, {leg.giverUsername}’s profile says that a code did not work.
        There can be one claim for each coupon.
      </Text>
      {legs.length > 1 && (
        <NativeSelect
          label="Which coupon?"
          data={legs.map(({ couponId, couponTitle }) => ({ value: String(couponId), label: couponTitle }))}
          value={form.values.couponId}
          onChange={({ currentTarget: { value } }) => form.setFieldValue('couponId', Number(value))}
        />
      )}
      <ReasonField
        label="What happened?"
        description="Where and when you tried the code, and what the shop said. Do not write the code itself."
        rows={4}
        isDisabled={claim.isPending}
        input={form.getInputProps('reason')}
      />
    </DialogForm>
  );
}

/** The viewer takes the claim back. */
export function WithdrawLegClaimDialog({
  claimId,
  giverUsername,
  ...dialog
}: FramingProps & { readonly claimId: number; readonly giverUsername: string }) {
  const withdraw = useWithdrawLegClaim();
  const answers = dialogAnswers({
    onClose: dialog.onClose,
    done: () => ['Claim withdrawn', `${giverUsername} is told.`],
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
      onConfirm={() => withdraw.mutate({ id: claimId }, answers)}
    >
      <Text>You cannot make another claim about this coupon.</Text>
    </ConfirmDialog>
  );
}
