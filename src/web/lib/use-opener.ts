import { useCallback, useEffect, useMemo, useState } from 'react';
import { defineAddress, keyed, plainText, useAddress } from './address.ts';

interface Opener {
  readonly isOpen: boolean;
  readonly open: () => void;
  readonly close: () => void;
}

interface OpenerOptions {
  /** Of several dialogs with the same key, which one the link means. */
  readonly value?: string;
  /** Whether the dialog can be shown yet; until it can, the address keeps it in mind. */
  readonly isReady?: boolean;
}

/**
 * A dialog that a link can open, by `?key=1`. The address forgets it at once: going back or reloading neither opens
 * it again nor takes away what has been typed in it.
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
