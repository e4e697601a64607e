import { useDrag } from '@mantine/hooks';
import { Notifications, notifications, useNotifications } from '@mantine/notifications';
import { type RefObject, useEffect, useRef } from 'react';
import classes from './shell.module.css';
import { liftOf, visibleControls } from './toast-place.ts';

const TOAST_MS = 5_000;
const SWIPE_PX = 50;
/** How long a swiped toast takes to leave the screen. */
const LEAVE_MS = 180;

/** Things move when people scroll, and when something slides or fades to its end. */
const MOVES = ['scroll', 'resize', 'transitionend', 'animationend'] as const;

/** Calls back, once a frame at most, after what is on the screen may have moved. @returns what ends it */
function onMove(callBack: () => void): () => void {
  let frame = 0;
  const later = () => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(callBack);
  };
  const added = new MutationObserver(later);
  added.observe(document.body, { childList: true, subtree: true });
  const grown = new ResizeObserver(later);
  grown.observe(document.body);
  // Captured: scrolling inside an element does not bubble.
  for (const move of MOVES) window.addEventListener(move, later, { capture: true, passive: true });
  return () => {
    cancelAnimationFrame(frame);
    added.disconnect();
    grown.disconnect();
    for (const move of MOVES) window.removeEventListener(move, later, { capture: true });
  };
}

/** Lets the toast rise above the buttons that it would cover. */
function useFreePlace(frame: RefObject<HTMLDivElement | null>) {
  const isShown = useNotifications().notifications.length > 0;
  useEffect(() => {
    const area = frame.current;
    if (!isShown || !area) return;
    const look = () => {
      const toast = area.querySelector('[role="status"], [role="alert"]');
      const edge = toast?.closest('.mantine-Notifications-root')?.getBoundingClientRect();
      if (!toast || !edge) return;
      // The toast itself is still sliding in; the box around it is in its place.
      const { bottom, left, right } = edge;
      const atEdge = { top: bottom - toast.scrollHeight, bottom, left, right };
      area.style.setProperty('--toast-lift', `${liftOf(atEdge, visibleControls(area))}px`);
    };
    look();
    const stop = onMove(look);
    return () => {
      stop();
      area.style.removeProperty('--toast-lift');
    };
  }, [isShown, frame]);
}

/**
 * Toasts: one at a time, for about five seconds, swiped away to the right (spec/1 section 1). The live region is
 * rendered before the first toast: screen readers often miss a region that appears together with its text.
 */
export function Toaster() {
  const frame = useRef<HTMLDivElement>(null);
  useFreePlace(frame);
  const follow = (px: number) => frame.current?.style.setProperty('--toast-swipe', `${Math.max(0, px)}px`);
  const { ref } = useDrag<HTMLDivElement>(
    ({ last, canceled, movement: [right] }) => {
      if (!last) return follow(right);
      if (right < SWIPE_PX || canceled) return follow(0);
      notifications.clean();
      window.setTimeout(() => follow(0), LEAVE_MS);
    },
    { axis: 'x', threshold: 5, filterTaps: true },
  );
  return (
    <div ref={frame} aria-live="polite">
      <div ref={ref}>
        <Notifications
          withinPortal={false}
          limit={1}
          autoClose={TOAST_MS}
          transitionDuration={LEAVE_MS}
          allowDragDismiss={false}
          position="bottom-right"
          classNames={{ notification: classes.toast }}
        />
      </div>
    </div>
  );
}
