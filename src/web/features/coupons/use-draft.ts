import { useDebouncedCallback } from '@mantine/hooks';
import { useRef, useState } from 'react';

const DELAY_MS = 350;

interface DraftOptions {
  /** What holds now. */
  readonly value: string;
  /** What is typed in the form it will hold in; null while it cannot hold. */
  readonly normalise: (text: string) => string | null;
  /** `replace`: it goes on from what was just typed, so that going back skips the steps between. */
  readonly onCommit: (value: string, options: { replace: boolean }) => void;
}

/**
 * A text that takes effect when the typing pauses, at Enter and when the field is left. A value that changes from
 * elsewhere (back, a removed filter) wins over what stands in the field.
 */
export function useDraft({ value, normalise, onCommit }: DraftOptions) {
  const [draft, setDraft] = useState(value);
  const [seen, setSeen] = useState(value);
  const [sent, setSent] = useState(value);
  const isSameSpell = useRef(false);

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
    onCommit(next, { replace: isSameSpell.current });
    isSameSpell.current = true;
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
    leave: () => {
      commitNow(draft);
      isSameSpell.current = false;
    },
  };
}
