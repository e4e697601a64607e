import { Button, Group, Text } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useState } from 'react';
import { answerClaimInputSchema } from '#contract/claims.ts';
import { ReasonField } from '#web/components/decision-fields.tsx';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
import { dialogAnswers } from '#web/lib/dialog-answers.ts';
import { useAnswerClaim } from './queries.ts';

interface AnswerClaimProps {
  readonly claimId: number;
  /** Stays without its button while the dialog closes. */
  readonly mayAnswer: boolean;
  /** Takes the focus when the button is gone. */
  readonly fallbackFocusId: string;
}

/** Lets whoever gave a coupon answer the claim about it. */
export function AnswerClaim({ claimId, mayAnswer, fallbackFocusId }: AnswerClaimProps) {
  const [opened, setOpened] = useState(false);
  const close = () => setOpened(false);
  return (
    <>
      {mayAnswer && (
        <Group>
          <Button variant="default" aria-haspopup="dialog" onClick={() => setOpened(true)}>
            Answer
          </Button>
        </Group>
      )}
      <Dialog opened={opened} onClose={close} title="Answer the claim" fallbackFocusId={fallbackFocusId}>
        <AnswerForm claimId={claimId} onClose={close} />
      </Dialog>
    </>
  );
}

function AnswerForm({ claimId, onClose }: { claimId: number; onClose: () => void }) {
  const answer = useAnswerClaim();
  const form = useForm({
    initialValues: { id: claimId, answer: '' },
    validate: schemaResolver(answerClaimInputSchema, { sync: true }),
  });
  const answers = dialogAnswers({
    onClose,
    form,
    done: () => ['Answer sent', 'A moderator reads it with the claim.'],
    failedTitle: 'Answer not sent',
  });
  return (
    <DialogForm
      onSubmit={form.onSubmit((values) => answer.mutate(values, answers))}
      isPending={answer.isPending}
      cancelLabel="Not now"
      submitLabel="Send answer"
    >
      <Text>You can answer once. Do not write the code itself.</Text>
      <ReasonField
        label="What do you know of it?"
        description="The moderator and the other person read it."
        rows={4}
        isDisabled={answer.isPending}
        input={form.getInputProps('answer')}
      />
    </DialogForm>
  );
}
