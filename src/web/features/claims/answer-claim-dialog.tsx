import { answerClaimInputSchema } from '#contract/claims.ts';
import { ClaimWordsDialog } from '#web/components/claim-words-dialog.tsx';
import { trpc } from '#web/lib/trpc.ts';
import { useSendForm } from '#web/lib/use-send-form.ts';

/** Lets whoever gave a coupon answer the claim about it. */
export function Component({ id }: { id: number }) {
  const { form, submit, isPending } = useSendForm({
    schema: answerClaimInputSchema,
    initial: { id, answer: '', pictures: [] as string[] },
    mutation: trpc.claims.answer.useMutation(),
    done: () => ['Answer sent', 'A moderator will read it with the claim.'],
    failed: ['Answer not sent'],
  });
  return (
    <ClaimWordsDialog
      title="Answer the claim"
      intro="You can answer only once. Do not include the code."
      label="What can you tell us about it?"
      description="The moderator and the other person will read it."
      words={form.getInputProps('answer')}
      pictures={form.getInputProps('pictures')}
      submitLabel="Send answer"
      isPending={isPending}
      onSubmit={submit}
    />
  );
}
