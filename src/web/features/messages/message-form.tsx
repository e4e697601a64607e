import { Button, Text, Textarea } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconSend } from '@tabler/icons-react';
import { type KeyboardEvent, useId } from 'react';
import { MESSAGE_MAX } from '#contract/messages.ts';
import classes from './messages.module.css';

/** From here on it says how much room is left. */
const NEAR_LIMIT = 200;

interface MessageFormProps {
  readonly draft: string;
  readonly otherUsername: string;
  readonly isSending: boolean;
  readonly onDraft: (draft: string) => void;
  readonly onSend: () => void;
}

/** How much room is left, where it has become little; null before. */
function roomText(left: number): string | null {
  if (left > NEAR_LIMIT) return null;
  if (left < 0) return left === -1 ? '1 character too many' : `${-left} characters too many`;
  return left === 1 ? '1 character left' : `${left} characters left`;
}

/** The field for a message. Enter sends; where Enter is on the screen it starts a new line, and the button sends. */
export function MessageForm({ draft, otherUsername, isSending, onDraft, onSend }: MessageFormProps) {
  const hintId = useId();
  const isTouch = useMediaQuery('(pointer: coarse)', false, { getInitialValueInEffect: false });
  const left = MESSAGE_MAX - draft.trim().length;
  const canSend = draft.trim() !== '' && left >= 0 && !isSending;
  const room = roomText(left);

  const onKeyDown = (event: KeyboardEvent) => {
    // While a word is being put together, Enter chooses it.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing || isTouch) return;
    event.preventDefault();
    if (canSend) onSend();
  };

  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (canSend) onSend();
      }}
    >
      <Textarea
        className={classes.field}
        aria-label={`Message to ${otherUsername}`}
        aria-describedby={hintId}
        placeholder={`Write to ${otherUsername}`}
        rows={2}
        classNames={{ input: classes.input }}
        error={left < 0}
        value={draft}
        onChange={({ currentTarget }) => onDraft(currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <Button
        type="submit"
        className={classes.send}
        disabled={!canSend}
        leftSection={<IconSend size={18} aria-hidden="true" />}
      >
        Send
      </Button>
      <div id={hintId} className={classes.hint}>
        {!isTouch && <span>Enter sends, Shift + Enter starts a new line.</span>}
        {room && (
          <Text span inherit c={left < 0 ? 'var(--mantine-color-error)' : undefined} role="status">
            {room}
          </Text>
        )}
      </div>
    </form>
  );
}
