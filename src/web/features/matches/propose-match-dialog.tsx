import { Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { DEAL_MESSAGE_MAX } from '#contract/deals.ts';
import type { Match } from '#contract/matches.ts';
import { NoCodeNote, NotTransferableNote } from '#web/components/deal-notes.tsx';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
import { HandoverSentence } from '#web/components/handovers.tsx';
import { dialogAnswers } from '#web/lib/dialog-answers.ts';
import { useProposeMatch } from './queries.ts';
import { handoversOf, matchTitle, namesOf, ownLegs } from './wording.ts';

/** Asks before a match is proposed to the others in it. */
export function Component({ match, onClose }: { match: Match; onClose: () => void }) {
  const [message, setMessage] = useState('');
  const propose = useProposeMatch();
  const { gets } = ownLegs(match);
  const names = namesOf(match);
  const submit = (event: { preventDefault: () => void }) => {
    event.preventDefault();
    propose.mutate(
      { id: match.id, message },
      dialogAnswers({
        onClose,
        done: () => ['Proposed', `${names} will be told. You find it under Exchanges.`],
        failedTitle: 'Not proposed',
      }),
    );
  };
  return (
    <Dialog title={`Propose: ${matchTitle(match)}`}>
      <DialogForm onSubmit={submit} isPending={propose.isPending} submitLabel="Propose" cancelLabel="Not now">
        <Text style={{ overflowWrap: 'anywhere' }}>
          <HandoverSentence handovers={handoversOf(match)} />
        </Text>
        {gets.coupon.transferable === 'no' && <NotTransferableNote />}
        {!gets.coupon.hasCode && (
          <NoCodeNote>
            Nothing will be revealed to you when the swap is complete: {gets.giver.username} has to hand it
            over.
          </NoCodeNote>
        )}
        <Textarea
          label="Message"
          description={`Optional. ${message.length} of ${DEAL_MESSAGE_MAX} characters`}
          rows={3}
          resize="vertical"
          maxLength={DEAL_MESSAGE_MAX}
          value={message}
          onChange={({ currentTarget }) => setMessage(currentTarget.value)}
        />
      </DialogForm>
    </Dialog>
  );
}
