import { t } from '@lingui/core/macro';
import { LATE_CLAIM_DAYS, LATE_CLAIMS_MAX } from '#contract/money/guarantee.ts';
import { openClaimInputSchema } from '#contract/money/payments.ts';
import { ReasonField } from '#web/components/decision-fields.tsx';
import { trpc } from '#web/lib/trpc.ts';
import { useSendForm } from '#web/lib/use-send-form.ts';
import { ClaimWordsDialog } from '#web/money/claims/claim-words-dialog.tsx';

interface ClaimSaleDialogProps {
  readonly bidId: number;
  /** Whether the sale is final: then it is a claim under the guarantee, which needs evidence. */
  readonly isLate: boolean;
}

/** The buyer says that the code does not work, and a moderator decides. */
export function Component({ bidId, isLate }: ClaimSaleDialogProps) {
  const { form, submit, isPending } = useSendForm({
    schema: openClaimInputSchema,
    initial: { bidId, reason: '', shopAnswer: '', pictures: [] as string[] },
    mutation: trpc.payments.openClaim.useMutation(),
    done: () => [t`Claim sent`, t`We ask the seller for an answer. Then a moderator decides.`],
    failed: [t`Claim not sent`],
  });
  return (
    <ClaimWordsDialog
      title={isLate ? t`The code no longer works` : t`The code does not work`}
      intro={
        isLate
          ? t`A moderator and the seller will read your claim. The seller has already been paid. If the claim is upheld, they pay you back, which can take time. You can make one claim for each sale, and at most ${LATE_CLAIMS_MAX} of this kind in ${LATE_CLAIM_DAYS} days.`
          : t`A moderator and the seller will read your claim. The moderator decides: you get everything back, including the fee, or the sale stands. You can make one claim for each sale.`
      }
      label={t`What happened?`}
      description={
        isLate
          ? t`Where and when you tried the code.`
          : t`Where and when you tried the code, and what the merchant said.`
      }
      words={form.getInputProps('reason')}
      pictures={form.getInputProps('pictures')}
      submitLabel={t`Send claim`}
      isDangerous
      isPending={isPending}
      onSubmit={submit}
    >
      {isLate && (
        <ReasonField
          label={t`What the merchant said`}
          description={t`Write the merchant’s exact answer, or add a picture of it below. A claim needs one of the two.`}
          rows={3}
          isRequired={false}
          isDisabled={isPending}
          input={form.getInputProps('shopAnswer')}
        />
      )}
    </ClaimWordsDialog>
  );
}
