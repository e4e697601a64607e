import { answerClaimInputSchema } from '#contract/claims.ts';
import { ClaimWordsDialog } from '#web/components/claim-words-dialog.tsx';
import { trpc } from '#web/lib/trpc.ts';

/** Lets whoever gave a coupon answer the claim about it. */
export function Component({ id, onClose }: { id: number; onClose: () => void }) {
  const answer = trpc.claims.answer.useMutation();
  return (
    <ClaimWordsDialog
      title="Answer the claim"
      intro="You can answer once. Do not write the code itself."
      name="answer"
      schema={answerClaimInputSchema.shape.answer}
      label="What do you know of it?"
      description="The moderator and the other person read it."
      submitLabel="Send answer"
      done={['Answer sent', 'A moderator reads it with the claim.']}
      failedTitle="Answer not sent"
      isPending={answer.isPending}
      onClose={onClose}
      onSend={({ text, pictures }, answers) => answer.mutate({ id, answer: text, pictures }, answers)}
    />
  );
}
