import { t } from '@lingui/core/macro';
import { answerClaimInputSchema } from '#contract/money/claims.ts';
import { trpc } from '#web/lib/trpc.ts';
import { useSendForm } from '#web/lib/use-send-form.ts';
import { ClaimWordsDialog } from '#web/money/claims/claim-words-dialog.tsx';

/** Lets whoever gave a coupon answer the claim about it. */
export function Component({ id }: { id: number }) {
  const { form, submit, isPending } = useSendForm({
    schema: answerClaimInputSchema,
    initial: { id, answer: '', pictures: [] as string[] },
    mutation: trpc.claims.answer.useMutation(),
    done: () => [t`Answer sent`, t`A moderator will read it with the claim.`],
    failed: [t`Answer not sent`],
  });
  return (
    <ClaimWordsDialog
      title={t`Answer the claim`}
      intro={t`You can answer only once. Do not include the code.`}
      label={t`What can you tell us about it?`}
      description={t`The moderator and the other person will read it.`}
      words={form.getInputProps('answer')}
      pictures={form.getInputProps('pictures')}
      submitLabel={t`Send answer`}
      isPending={isPending}
      onSubmit={submit}
    />
  );
}
