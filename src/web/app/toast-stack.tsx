import '@mantine/notifications/styles.css';
import { useDrag } from '@mantine/hooks';
import { Notifications, notifications, useNotifications } from '@mantine/notifications';
import { type RefObject, useEffect } from 'react';
import { TOAST_MS, type Toast } from '#web/lib/toasts.ts';
import classes from './shell.module.css';
import { liftOf, visibleControls } from './toast-place.ts';

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

interface ToastStackProps {
  /** The live region around the toasts. */
  readonly frame: RefObject<HTMLDivElement | null>;
  /** The newest toast. */
  readonly toast: Toast;
}

/** Shows the newest toast for about five seconds in place of the one before; it is swiped away to the right. */
export function ToastStack({ frame, toast }: ToastStackProps) {
  useFreePlace(frame);
  useEffect(() => {
    notifications.clean();
    notifications.show({ ...toast });
  }, [toast]);
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
  );
}
