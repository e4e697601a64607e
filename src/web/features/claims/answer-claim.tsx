import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { answerClaimInputSchema } from '#contract/claims.ts';
import { ClaimWordsDialog } from '#web/components/claim-dialogs.tsx';
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
  const answer = useAnswerClaim();
  return (
    <>
      {mayAnswer && (
        <Group>
          <Button variant="default" aria-haspopup="dialog" onClick={() => setOpened(true)}>
            Answer
          </Button>
        </Group>
      )}
      <ClaimWordsDialog
        opened={opened}
        onClose={() => setOpened(false)}
        fallbackFocusId={fallbackFocusId}
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
        onSend={({ text, pictures }, answers) =>
          answer.mutate({ id: claimId, answer: text, pictures }, answers)
        }
      />
    </>
  );
}
