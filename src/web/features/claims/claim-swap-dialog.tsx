import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { claimReasonSchema, type LegClaim } from '#contract/claims.ts';
import { ClaimWordsDialog } from '#web/components/claim-words-dialog.tsx';
import { trpc } from '#web/lib/trpc.ts';

interface ClaimSwapDialogProps {
  /** Those that can be claimed about. */
  readonly legs: readonly LegClaim[];
  readonly onClose: () => void;
}

/** The viewer says that a code from an exchange does not work, and a moderator decides. */
export function Component({ legs, onClose }: ClaimSwapDialogProps) {
  const claim = trpc.claims.open.useMutation();
  const [chosenId, setChosenId] = useState<number>();
  const leg = legs.find(({ couponId }) => couponId === chosenId) ?? legs[0];
  const giver = leg?.giverUsername ?? '';
  return (
    <ClaimWordsDialog
      title="The code does not work"
      intro={`${giver} and a moderator read what you write. The codes were seen, so the coupons stay where they are. If the claim is upheld, ${giver}’s profile says that a code did not work. There can be one claim for each coupon.`}
      name="reason"
      schema={claimReasonSchema}
      label="What happened?"
      description="Where and when you tried the code, and what the shop said. Do not write the code itself."
      submitLabel="Send claim"
      isDangerous
      done={['Claim sent', `${giver} is asked for their word. Then a moderator decides.`]}
      failedTitle="Claim not sent"
      isPending={claim.isPending}
      onClose={onClose}
      onSend={({ text, pictures }, answers) => {
        if (!leg) return;
        const { exchangeId, couponId } = leg;
        claim.mutate({ exchangeId, couponId, reason: text, pictures }, answers);
      }}
    >
      {legs.length > 1 && (
        <NativeSelect
          label="Which coupon?"
          data={legs.map(({ couponId, couponTitle }) => ({ value: String(couponId), label: couponTitle }))}
          value={leg?.couponId}
          onChange={({ currentTarget: { value } }) => setChosenId(Number(value))}
        />
      )}
    </ClaimWordsDialog>
  );
}
