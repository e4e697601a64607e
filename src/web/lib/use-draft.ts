import { useDebouncedCallback } from '@mantine/hooks';
import { useRef, useState } from 'react';

const DELAY_MS = 350;

interface DraftOptions {
  /** The value in effect. */
  readonly value: string;
  /** The value for a typed text; null if the text is invalid. */
  readonly normalise: (text: string) => string | null;
  /** `replace`: continues the last typed value, so that Back skips the steps in between. */
  readonly onCommit: (value: string, options: { replace: boolean }) => void;
}

/**
 * A text field that takes effect when the typing pauses, on Enter and on blur. A value that changes elsewhere (Back, a
 * removed filter) replaces the draft.
 */
export function useDraft({ value, normalise, onCommit }: DraftOptions) {
  const [draft, setDraft] = useState(value);
  const [seen, setSeen] = useState(value);
  const [sent, setSent] = useState(value);
  const isContinued = useRef(false);

  if (value !== seen) {
    setSeen(value);
    if (value !== sent) {
      setSent(value);
      setDraft(value);
    }
  }

  const commit = (text: string) => {
    const next = normalise(text);
    if (next === null || next === value) return;
    setSent(next);
    onCommit(next, { replace: isContinued.current });
    isContinued.current = true;
  };
  const commitSoon = useDebouncedCallback(commit, DELAY_MS);
  const commitNow = (text: string) => {
    commitSoon.cancel();
    commit(text);
  };

  return {
    draft,
    type: (text: string) => {
      setDraft(text);
      commitSoon(text);
    },
    clear: () => {
      setDraft('');
      commitNow('');
    },
    commitNow: () => commitNow(draft),
    onBlur: () => {
      commitNow(draft);
      isContinued.current = false;
    },
  };
}
