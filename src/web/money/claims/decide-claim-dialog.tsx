import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Text } from '@mantine/core';
import { z } from 'zod';
import { moneyText } from '#contract/base/money.ts';
import { type Claim, decideLegClaimInputSchema, LEG_CLAIM_DECISIONS } from '#contract/money/claims.ts';
import { CLAIM_DECISIONS, decideClaimInputSchema, HOLD_HOURS } from '#contract/money/payments.ts';
import { ChoiceField, ReasonField } from '#web/components/decision-fields.tsx';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
import { trpc } from '#web/lib/trpc.ts';
import { useSendForm } from '#web/lib/use-send-form.ts';
import { ClaimPictures } from '#web/money/claims/claim-pictures.tsx';

const CHOOSE = t`Choose a decision`;
const saleFormSchema = decideClaimInputSchema.extend({ decision: z.enum(CLAIM_DECISIONS, CHOOSE) });
const legFormSchema = decideLegClaimInputSchema.extend({ decision: z.enum(LEG_CLAIM_DECISIONS, CHOOSE) });

/** A moderator's decision on a claim. */
export function Component(props: DecideFormProps) {
  const Form = props.claim.exchangeId === null ? DecideSaleForm : DecideLegForm;
  return (
    <Dialog title={t`Decide this claim`} size="lg">
      <Form {...props} />
    </Dialog>
  );
}

interface DecideFormProps {
  readonly claim: Claim;
}

/** What both sides say. */
function Story({ claim }: { claim: Claim }) {
  const words = { whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' } as const;
  return (
    <>
      <Text>
        {claim.exchangeId === null
          ? t`${claim.claimantUsername} says about “${claim.couponTitle}”, bought from ${claim.giverUsername}:`
          : t`${claim.claimantUsername} says about “${claim.couponTitle}”, given by ${claim.giverUsername}:`}
      </Text>
      <Text style={words}>{claim.reason}</Text>
      {claim.shopAnswer !== null && (
        <>
          <Text>
            <Trans>What the merchant said, according to {claim.claimantUsername}:</Trans>
          </Text>
          <Text style={words}>{claim.shopAnswer}</Text>
        </>
      )}
      <ClaimPictures urls={claim.claimantPictures} whose={claim.claimantUsername} />
      {claim.answer === null ? (
        <Text c="dimmed">
          <Trans>{claim.giverUsername} has not answered.</Trans>
        </Text>
      ) : (
        <>
          <Text>
            <Trans>{claim.giverUsername} answered:</Trans>
          </Text>
          <Text style={words}>{claim.answer}</Text>
          <ClaimPictures urls={claim.giverPictures} whose={claim.giverUsername} />
        </>
      )}
    </>
  );
}

/** Of an exchange: counts the code on its giver's profile, or not. */
function DecideLegForm({ claim }: DecideFormProps) {
  const { claimantUsername: claimant, giverUsername: giver } = claim;
  const { form, submit, isPending } = useSendForm({
    schema: legFormSchema,
    initial: { id: claim.id, decision: '' as (typeof LEG_CLAIM_DECISIONS)[number] | '', note: '' },
    mutation: trpc.claims.decide.useMutation(),
    done: () => [t`Claim decided`, t`We tell ${claimant} and ${giver}.`],
    failed: [t`Claim not decided`],
  });
  return (
    <DialogForm onSubmit={submit} isPending={isPending} submitLabel={t`Confirm decision`}>
      <Story claim={claim} />
      <ChoiceField
        label={t`Decision`}
        options={[
          {
            value: 'upheld',
            label: t`Uphold the claim`,
            description: t`${giver}’s profile will say that a code did not work. The codes have been seen, so a coupon goes back only if it was paid for, together with that payment.`,
          },
          {
            value: 'refused',
            label: t`Decline the claim`,
            description: t`Nothing changes, and ${giver}’s profile does not mention it.`,
          },
        ]}
        input={form.getInputProps('decision')}
      />
      <WhyField input={form.getInputProps('note')} />
    </DialogForm>
  );
}

function WhyField({ input }: Pick<Parameters<typeof ReasonField>[0], 'input'>) {
  return <ReasonField label={t`Why`} description={t`We send it to both parties.`} rows={4} input={input} />;
}

/** Of a sale: refunds the buyer or pays the seller. */
function DecideSaleForm({ claim }: DecideFormProps) {
  const total = moneyText(claim.buyerTotal ?? '0.00');
  const { form, submit, isPending } = useSendForm({
    schema: saleFormSchema,
    initial: {
      id: claim.id,
      decision: (claim.isDisputed ? 'release' : '') as (typeof CLAIM_DECISIONS)[number] | '',
      note: '',
    },
    mutation: trpc.payments.decideClaim.useMutation(),
    done: (_, { decision }) => [
      t`Claim decided`,
      decision === 'refund'
        ? t`${total} goes back to ${claim.claimantUsername}.`
        : claim.isLate
          ? t`The sale stays as it is.`
          : t`The money goes to ${claim.giverUsername}.`,
    ],
    failed: [t`Claim not decided`],
  });
  const isRefund = form.values.decision === 'refund';
  return (
    <DialogForm
      onSubmit={submit}
      isPending={isPending}
      submitLabel={isRefund ? t`Refund ${total}` : t`Confirm decision`}
      isDangerous={isRefund}
    >
      <Story claim={claim} />
      {claim.isLate && (
        <Text c="dimmed">
          <Trans>The {HOLD_HOURS} hours are over: this claim falls under the guarantee.</Trans>
        </Text>
      )}
      {claim.isDisputed && (
        <Alert color="yellow" role="note" title={t`The buyer’s bank is looking into this payment`}>
          <Trans>You cannot refund it for now: the buyer could be paid twice.</Trans>
        </Alert>
      )}
      <ChoiceField
        label={t`Decision`}
        options={[
          {
            value: 'refund',
            isDisabled: claim.isDisputed,
            label: t`Refund ${claim.claimantUsername}`,
            description: claim.isLate
              ? t`${claim.giverUsername} has already been paid and owes this money. The reserve pays what they cannot, if it can; the buyer gets the rest later. The coupon returns to the seller.`
              : t`${total} goes back to the buyer. The coupon returns to the seller and is no longer listed.`,
          },
          {
            value: 'release',
            label: claim.isLate ? t`Decline the claim` : t`Pay ${claim.giverUsername}`,
            description: claim.isLate
              ? t`The sale stays as it is: ${claim.giverUsername} keeps the money, and the buyer the coupon.`
              : claim.isDisputed
                ? t`We pay the seller once the bank has confirmed the payment. The buyer keeps the coupon.`
                : t`We pay the seller. The buyer keeps the coupon.`,
          },
        ]}
        input={form.getInputProps('decision')}
      />
      <WhyField input={form.getInputProps('note')} />
    </DialogForm>
  );
}
