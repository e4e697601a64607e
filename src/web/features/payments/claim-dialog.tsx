import { Alert, Text } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { z } from 'zod';
import { moneyText } from '#contract/money.ts';
import { CLAIM_DECISIONS, type Claim, decideClaimInputSchema } from '#contract/payments.ts';
import { ChoiceField, ReasonField } from '#web/components/decision-fields.tsx';
import { Dialog, DialogForm, type DialogProps } from '#web/components/dialog.tsx';
import { dialogAnswers } from '#web/lib/dialog-answers.ts';
import { useDecideClaim } from './queries.ts';

const formSchema = decideClaimInputSchema.extend({
  decision: z.enum(CLAIM_DECISIONS, 'Choose what is to happen'),
});

interface DecideClaimDialogProps extends Pick<DialogProps, 'opened' | 'onClose' | 'fallbackFocusId'> {
  readonly claim: Claim | undefined;
}

/** A moderator's decision on a claim: refund the buyer or pay the seller. */
export function DecideClaimDialog({ claim, ...dialog }: DecideClaimDialogProps) {
  return (
    <Dialog {...dialog} title="Decide this claim" size="lg">
      {claim && <DecideForm key={claim.id} claim={claim} onClose={dialog.onClose} />}
    </Dialog>
  );
}

function DecideForm({ claim, onClose }: { claim: Claim; onClose: () => void }) {
  const decide = useDecideClaim();
  const form = useForm<{ id: number; decision: (typeof CLAIM_DECISIONS)[number] | ''; note: string }>({
    initialValues: { id: claim.id, decision: claim.isDisputed ? 'release' : '', note: '' },
    validate: schemaResolver(formSchema, { sync: true }),
  });
  const submit = form.onSubmit((values) => {
    const input = formSchema.parse(values);
    decide.mutate(
      input,
      dialogAnswers({
        onClose,
        form,
        done: () => [
          'Claim decided',
          input.decision === 'refund'
            ? `${moneyText(claim.buyerTotal)} goes back to ${claim.buyerUsername}.`
            : `The money goes on to ${claim.sellerUsername}.`,
        ],
        failedTitle: 'Claim not decided',
      }),
    );
  });
  const isRefund = form.values.decision === 'refund';
  return (
    <DialogForm
      onSubmit={submit}
      isPending={decide.isPending}
      submitLabel={isRefund ? `Refund ${moneyText(claim.buyerTotal)}` : 'Confirm decision'}
      isDangerous={isRefund}
    >
      <Text>
        {claim.buyerUsername} says of “{claim.couponTitle}”, bought from {claim.sellerUsername}:
      </Text>
      <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{claim.reason}</Text>
      {claim.isDisputed && (
        <Alert color="yellow" role="note" title="The buyer’s bank is looking into this payment">
          A refund is not possible meanwhile: the buyer would be paid twice.
        </Alert>
      )}
      <ChoiceField
        label="Decision"
        options={[
          {
            value: 'refund',
            isDisabled: claim.isDisputed,
            label: `Refund ${claim.buyerUsername}`,
            description: `${moneyText(claim.buyerTotal)} goes back, and the coupon returns to the seller, off the market.`,
          },
          {
            value: 'release',
            label: `Release to ${claim.sellerUsername}`,
            description: claim.isDisputed
              ? 'The seller is paid once the bank has confirmed the payment, and the buyer keeps the coupon.'
              : 'The seller is paid, and the buyer keeps the coupon.',
          },
        ]}
        input={form.getInputProps('decision')}
      />
      <ReasonField
        label="Why"
        description="Both parties are told."
        rows={4}
        input={form.getInputProps('note')}
      />
    </DialogForm>
  );
}

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'always' });
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** 'just now', '12 minutes ago', '3 hours ago', '2 days ago' */
export function ageText(instant: string, now: Date): string {
  const age = now.getTime() - new Date(instant).getTime();
  if (age < MINUTE) return 'just now';
  if (age < HOUR) return relative.format(-Math.floor(age / MINUTE), 'minute');
  if (age < DAY) return relative.format(-Math.floor(age / HOUR), 'hour');
  return relative.format(-Math.floor(age / DAY), 'day');
}
