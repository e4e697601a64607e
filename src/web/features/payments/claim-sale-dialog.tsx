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
    done: () => ['Claim sent', 'A moderator will decide. The money stays held until then.'],
    failed: ['Claim not sent'],
  });
  return (
    <ClaimWordsDialog
      title="The code does not work"
      intro="A moderator reads what you write and decides: you get everything back, fee included, or the sale stands. The seller reads it too. There can be one claim for each sale."
      label="What happened?"
      description="Where and when you tried the code, and what the shop said."
      words={form.getInputProps('reason')}
      pictures={form.getInputProps('pictures')}
      submitLabel="Send claim"
      isDangerous
      isPending={isPending}
      onSubmit={submit}
    />
  );
}
