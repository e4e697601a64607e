import { Button, Group } from '@mantine/core';
import { openDialog } from '#web/lib/open-dialog.ts';

interface AnswerClaimProps {
  readonly claimId: number;
  /** The id of the element that takes the focus when the button is gone. */
  readonly focusAfter: string;
}

/** The button for whoever gave a coupon: answers the claim about it. */
export function AnswerClaim({ claimId, focusAfter }: AnswerClaimProps) {
  return (
    <Group>
      <Button
        variant="default"
        aria-haspopup="dialog"
        onClick={() => openDialog('answerClaim', { id: claimId }, { focusAfter: [focusAfter] })}
      >
        Answer
      </Button>
    </Group>
  );
}
