import { Alert, Button, Group, Modal, Radio, Stack, Text, Textarea } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useMediaQuery } from '@mantine/hooks';
import { z } from 'zod';
import { CLAIM_DECISIONS, type Claim, decideClaimInputSchema } from '#contract/payments.ts';
import { fieldErrors, isConflict, writeErrorText } from '#web/lib/errors.ts';
import { toasts } from '#web/lib/toasts.ts';
import { refundText } from './claim-wording.ts';
import { useDecideClaim } from './queries.ts';

/** As the contract bounds it. */
const NOTE_MAX = 1_000;

const formSchema = decideClaimInputSchema.extend({
  decision: z.enum(CLAIM_DECISIONS, 'Choose what is to happen'),
});

interface DecideClaimDialogProps {
  readonly claim: Claim | undefined;
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onDecided: () => void;
}

/** A moderator's decision on a claim: the money back to the buyer, or on to the seller. */
export function DecideClaimDialog({ claim, opened, onClose, onDecided }: DecideClaimDialogProps) {
  const decide = useDecideClaim();
  const isSmall = useMediaQuery('(max-width: 36em)', false, { getInitialValueInEffect: false });
  return (
    <Modal
      opened={opened}
      onClose={decide.isPending ? () => {} : onClose}
      title="Decide this claim"
      size="lg"
      fullScreen={isSmall}
      closeButtonProps={{ disabled: decide.isPending }}
    >
      {claim && (
        <DecideForm key={claim.id} claim={claim} decide={decide} onClose={onClose} onDecided={onDecided} />
      )}
    </Modal>
  );
}

interface DecideFormProps extends Omit<DecideClaimDialogProps, 'opened'> {
  readonly claim: Claim;
  readonly decide: ReturnType<typeof useDecideClaim>;
}

function DecideForm({ claim, decide, onClose, onDecided }: DecideFormProps) {
  const form = useForm<{ id: number; decision: (typeof CLAIM_DECISIONS)[number] | ''; note: string }>({
    initialValues: { id: claim.id, decision: claim.isDisputed ? 'release' : '', note: '' },
    validate: schemaResolver(formSchema, { sync: true }),
  });
  const submit = form.onSubmit((values) => {
    const input = formSchema.parse(values);
    decide.mutate(input, {
      onSuccess: () => {
        onClose();
        toasts.success(
          'Claim decided',
          input.decision === 'refund'
            ? `${refundText(claim)} goes back to ${claim.buyerUsername}.`
            : `The money goes on to ${claim.sellerUsername}.`,
        );
        onDecided();
      },
      onError: (error) => {
        form.setErrors(fieldErrors(error));
        toasts.failure('Claim not decided', writeErrorText(error, 'Please try again.'));
        // The list now shows the true state, to which this question does not belong any more.
        if (isConflict(error)) onClose();
      },
    });
  });
  return (
    <form noValidate onSubmit={submit}>
      <Stack gap="md">
        <Text>
          {claim.buyerUsername} says of “{claim.couponTitle}”, bought from {claim.sellerUsername}:
        </Text>
        <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{claim.reason}</Text>
        {claim.isDisputed && (
          <Alert color="yellow" role="note" title="The buyer’s bank is looking into this payment">
            A refund is not possible meanwhile: the buyer would be paid twice.
          </Alert>
        )}
        <Radio.Group label="Decision" withAsterisk {...form.getInputProps('decision')}>
          <Stack gap="sm" mt="xs">
            <Radio
              value="refund"
              disabled={claim.isDisputed}
              label={`Refund ${claim.buyerUsername}`}
              description={`${refundText(claim)} goes back, and the coupon returns to the seller, off the market.`}
            />
            <Radio
              value="release"
              label={`Release to ${claim.sellerUsername}`}
              description={
                claim.isDisputed
                  ? 'The seller is paid once the bank has confirmed the payment, and the buyer keeps the coupon.'
                  : 'The seller is paid, and the buyer keeps the coupon.'
              }
            />
          </Stack>
        </Radio.Group>
        <Textarea
          label="Why"
          description="Both parties are told."
          withAsterisk
          rows={4}
          resize="vertical"
          maxLength={NOTE_MAX}
          {...form.getInputProps('note')}
        />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose} disabled={decide.isPending}>
            Cancel
          </Button>
          <Button
            type="submit"
            color={form.values.decision === 'refund' ? 'red' : undefined}
            loading={decide.isPending}
          >
            {form.values.decision === 'refund' ? `Refund ${refundText(claim)}` : 'Confirm decision'}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
