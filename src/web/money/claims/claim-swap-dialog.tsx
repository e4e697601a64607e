import { t } from '@lingui/core/macro';
import { NativeSelect } from '@mantine/core';
import { type LegClaim, openLegClaimInputSchema } from '#contract/money/claims.ts';
import { trpc } from '#web/lib/trpc.ts';
import { useSendForm } from '#web/lib/use-send-form.ts';
import { ClaimWordsDialog } from '#web/money/claims/claim-words-dialog.tsx';

/**
 * The viewer says that a code from an exchange does not work, and a moderator decides.
 * @param legs those of the exchange that can be claimed about
 */
export function Component({ legs }: { legs: readonly LegClaim[] }) {
  const { exchangeId = 0, couponId = 0 } = legs[0] ?? {};
  const giverOf = (id: number) => legs.find((leg) => leg.couponId === id)?.giverUsername ?? '';
  const { form, submit, isPending } = useSendForm({
    schema: openLegClaimInputSchema,
    initial: { exchangeId, couponId, reason: '', pictures: [] as string[] },
    mutation: trpc.claims.open.useMutation(),
    done: (_, sent) => [
      t`Claim sent`,
      t`We ask ${giverOf(sent.couponId)} for an answer. Then a moderator decides.`,
    ],
    failed: [t`Claim not sent`],
  });
  const giver = giverOf(form.values.couponId);
  return (
    <ClaimWordsDialog
      title={t`The code does not work`}
      intro={t`${giver} and a moderator will read your claim. The codes have been seen, so a coupon goes back only if it was paid for, together with that payment. If the claim is upheld, ${giver}’s profile will say that a code did not work. You can make one claim for each coupon.`}
      label={t`What happened?`}
      description={t`Where and when you tried the code, and what the merchant said. Do not include the code.`}
      words={form.getInputProps('reason')}
      pictures={form.getInputProps('pictures')}
      submitLabel={t`Send claim`}
      isDangerous
      isPending={isPending}
      onSubmit={submit}
    >
      {legs.length > 1 && (
        <NativeSelect
          label={t`Which coupon?`}
          data={legs.map(({ couponId, couponTitle }) => ({ value: String(couponId), label: couponTitle }))}
          value={form.values.couponId}
          onChange={({ currentTarget: { value } }) => form.setFieldValue('couponId', Number(value))}
        />
      )}
    </ClaimWordsDialog>
  );
}
