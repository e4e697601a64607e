import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Text, Textarea } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconSend } from '@tabler/icons-react';
import { type KeyboardEvent, useId } from 'react';
import { MESSAGE_MAX } from '#contract/deals/messages.ts';
import classes from './messages.module.css';

/** The number of characters left is shown from here on. */
const NEAR_LIMIT = 200;

interface MessageFormProps {
  readonly draft: string;
  readonly otherUsername: string;
  readonly isSending: boolean;
  readonly onDraft: (draft: string) => void;
  readonly onSend: () => void;
}

/** The number of characters left; null while there are many. */
function roomText(left: number): string | null {
  if (left > NEAR_LIMIT) return null;
  if (left < 0) return plural(-left, { one: '# character too many', other: '# characters too many' });
  return plural(left, { one: '# character left', other: '# characters left' });
}

/** The input for a message. Enter sends; on touch screens it starts a new line. */
export function MessageForm({ draft, otherUsername, isSending, onDraft, onSend }: MessageFormProps) {
  const hintId = useId();
  const isTouch = useMediaQuery('(pointer: coarse)', false, { getInitialValueInEffect: false });
  const left = MESSAGE_MAX - draft.trim().length;
  const canSend = draft.trim() !== '' && left >= 0 && !isSending;
  const room = roomText(left);

  const onKeyDown = (event: KeyboardEvent) => {
    // In an input method, Enter chooses a word.
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
        aria-label={t`Message to ${otherUsername}`}
        aria-describedby={hintId}
        placeholder={t`Write to ${otherUsername}`}
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
        <Trans>Send</Trans>
      </Button>
      <div id={hintId} className={classes.hint}>
        {!isTouch && (
          <span>
            <Trans>Press Enter to send, Shift + Enter for a new line.</Trans>
          </span>
        )}
        {room && (
          <Text span inherit c={left < 0 ? 'var(--mantine-color-error)' : undefined} role="status">
            {room}
          </Text>
        )}
      </div>
    </form>
  );
}
