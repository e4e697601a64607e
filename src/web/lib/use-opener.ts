import { useCallback, useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';

interface Opener {
  readonly isOpen: boolean;
  readonly open: () => void;
  readonly close: () => void;
}

/**
 * A dialog that a link can open, by `?key=1`. The address forgets it at once: going back or reloading neither opens
 * it again nor takes away what has been typed in it.
 */
export function useOpener(key: string): Opener {
  const [params, setParams] = useSearchParams();
  const isLinked = params.get(key) === '1';
  const [isOpen, setIsOpen] = useState(isLinked);
  useEffect(() => {
    if (!isLinked) return;
    setIsOpen(true);
    setParams((now) => without(now, key), { replace: true, preventScrollReset: true });
  }, [isLinked, key, setParams]);
  const open = useCallback(() => setIsOpen(true), []);
  const close = useCallback(() => setIsOpen(false), []);
  return { isOpen, open, close };
}

/** An address without one of its parameters. */
export function without(params: URLSearchParams, key: string): URLSearchParams {
  const next = new URLSearchParams(params);
  next.delete(key);
  return next;
}
