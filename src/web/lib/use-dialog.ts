import { useCallback, useEffect, useMemo, useState } from 'react';
import { defineAddress, keyed, plainText } from '#contract/address.ts';
import { useAddress } from './address.ts';

interface Dialog<Subject> {
  readonly opened: boolean;
  /** The item that the dialog is about; kept while it fades out. */
  readonly subject: Subject | undefined;
  readonly open: (subject: Subject) => void;
  readonly close: () => void;
}

/** The state of one dialog for all items of a list. */
export function useDialog<Subject>(): Dialog<Subject> {
  const [state, setState] = useState<{ opened: boolean; subject: Subject | undefined }>({
    opened: false,
    subject: undefined,
  });
  const open = useCallback((subject: Subject) => setState({ opened: true, subject }), []);
  const close = useCallback(() => setState(({ subject }) => ({ opened: false, subject })), []);
  return { ...state, open, close };
}

interface Opener {
  readonly isOpen: boolean;
  readonly open: () => void;
  readonly close: () => void;
}

interface OpenerOptions {
  /** Which of several dialogs with the same key the link opens. */
  readonly value?: string;
  /** Whether the dialog can be shown yet; until then the parameter stays in the address. */
  readonly isReady?: boolean;
}

/**
 * A dialog that a link can open, by `?key=1`. The parameter is removed at once: Back and reload do not open the dialog
 * again, and do not discard what was typed in it.
 */
export function useOpener(key: string, { value = '1', isReady = true }: OpenerOptions = {}): Opener {
  const address = useMemo(() => defineAddress({ asked: keyed(key, plainText) }), [key]);
  const [{ asked }, change] = useAddress(address);
  const isLinked = isReady && asked === value;
  const [isOpen, setIsOpen] = useState(isLinked);
  useEffect(() => {
    if (!isLinked) return;
    setIsOpen(true);
    change({ asked: '' }, { replace: true });
  }, [isLinked, change]);
  const open = useCallback(() => setIsOpen(true), []);
  const close = useCallback(() => setIsOpen(false), []);
  return { isOpen, open, close };
}
