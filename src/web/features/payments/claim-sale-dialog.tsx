import { claimReasonSchema } from '#contract/claims.ts';
import { ClaimWordsDialog } from '#web/components/claim-words-dialog.tsx';
import { trpc } from '#web/lib/trpc.ts';

/** The buyer says that the code does not work, and a moderator decides. */
export function Component({ bidId, onClose }: { bidId: number; onClose: () => void }) {
  const claim = trpc.payments.openClaim.useMutation();
  return (
    <ClaimWordsDialog
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
      onClose={onClose}
      onSend={({ text, pictures }, answers) => claim.mutate({ bidId, reason: text, pictures }, answers)}
    />
  );
}
