import { useCallback, useLayoutEffect, useRef, useState } from 'react';

/** Within this distance the thread counts as scrolled to its end. */
const END_PX = 40;

interface ThreadEnds {
  readonly firstId: number | undefined;
  readonly lastId: number | undefined;
  /** Whether the newest message is the viewer's own. */
  readonly isLastOwn: boolean;
  /** The number of the viewer's messages that are being sent. */
  readonly outgoing: number;
}

/**
 * Keeps the scroll position of a thread: at the end while the viewer is there, else where they are reading. New
 * messages are then only announced.
 */
export function useStickyScroll({ firstId, lastId, isLastOwn, outgoing }: ThreadEnds) {
  const ref = useRef<HTMLElement>(null);
  const isAtEnd = useRef(true);
  const before = useRef({ firstId, lastId, outgoing, height: 0 });
  const [hasNew, setHasNew] = useState(false);

  const toEnd = useCallback(() => {
    const log = ref.current;
    if (!log) return;
    log.scrollTop = log.scrollHeight;
    isAtEnd.current = true;
    setHasNew(false);
  }, []);

  const onScroll = useCallback(() => {
    const log = ref.current;
    if (!log) return;
    isAtEnd.current = log.scrollHeight - log.scrollTop - log.clientHeight <= END_PX;
    if (isAtEnd.current) setHasNew(false);
  }, []);

  useLayoutEffect(() => {
    const log = ref.current;
    if (!log) return;
    const was = before.current;
    before.current = { firstId, lastId, outgoing, height: log.scrollHeight };
    const hasArrived = lastId !== was.lastId;
    const isOwnMessage = outgoing > was.outgoing || (hasArrived && isLastOwn);
    if (isAtEnd.current || isOwnMessage) toEnd();
    else if (firstId !== was.firstId && !hasArrived) log.scrollTop += log.scrollHeight - was.height;
    else if (hasArrived) setHasNew(true);
  }, [firstId, lastId, isLastOwn, outgoing, toEnd]);

  // The log may shrink (on-screen keyboard, growing input): keep the end in view.
  useLayoutEffect(() => {
    const log = ref.current;
    if (!log || typeof ResizeObserver === 'undefined') return;
    const observer = new ResizeObserver(() => {
      if (isAtEnd.current) log.scrollTop = log.scrollHeight;
    });
    observer.observe(log);
    return () => observer.disconnect();
  }, []);

  return { ref, onScroll, hasNew, toEnd };
}
