import { useCallback, useState } from 'react';

interface Dialog<Subject> {
  readonly opened: boolean;
  /** What it is about; kept while it closes, so that it does not change under the eye. */
  readonly subject: Subject | undefined;
  readonly open: (subject: Subject) => void;
  readonly close: () => void;
}

/** A dialog about something that a list holds many of: one dialog for them all. */
export function useDialog<Subject>(): Dialog<Subject> {
  const [state, setState] = useState<{ opened: boolean; subject: Subject | undefined }>({
    opened: false,
    subject: undefined,
  });
  const open = useCallback((subject: Subject) => setState({ opened: true, subject }), []);
  const close = useCallback(() => setState(({ subject }) => ({ opened: false, subject })), []);
  return { ...state, open, close };
}
