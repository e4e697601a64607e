import { t } from '@lingui/core/macro';
import { openClaimInputSchema } from '#contract/payments.ts';
import { ClaimWordsDialog } from '#web/components/claim-words-dialog.tsx';
import { trpc } from '#web/lib/trpc.ts';
import { useSendForm } from '#web/lib/use-send-form.ts';

/** The buyer says that the code does not work, and a moderator decides. */
export function Component({ bidId }: { bidId: number }) {
  const { form, submit, isPending } = useSendForm({
    schema: openClaimInputSchema,
    initial: { bidId, reason: '', pictures: [] as string[] },
    mutation: trpc.payments.openClaim.useMutation(),
    done: () => [t`Claim sent`, t`A moderator will decide. The money stays held until then.`],
    failed: [t`Claim not sent`],
  });
  return (
    <ClaimWordsDialog
      title={t`The code does not work`}
      intro={t`A moderator and the seller will read your claim. The moderator decides: you get everything back, including the fee, or the sale stands. You can make one claim for each sale.`}
      label={t`What happened?`}
      description={t`Where and when you tried the code, and what the merchant said.`}
      words={form.getInputProps('reason')}
      pictures={form.getInputProps('pictures')}
      submitLabel={t`Send claim`}
      isDangerous
      isPending={isPending}
      onSubmit={submit}
    />
  );
}
