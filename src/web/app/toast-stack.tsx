import '@mantine/notifications/styles.css';
import { useDrag } from '@mantine/hooks';
import { Notifications, notifications } from '@mantine/notifications';
import { type RefObject, useEffect } from 'react';
import { TOAST_MS, type Toast } from '#web/lib/toasts.ts';
import classes from './shell.module.css';

const SWIPE_PX = 50;
/** How long a swiped toast takes to leave the screen. */
const LEAVE_MS = 180;

interface ToastStackProps {
  /** The live region around the toasts. */
  readonly frame: RefObject<HTMLDivElement | null>;
  /** The newest toast. */
  readonly toast: Toast;
}

/** Where toasts are if nothing is in their way, below the header; in pixels from the top of the window. */
const TOP = 108;
const GAP = 8;
/** What it must not cover: what can be pressed, and titles. */
const KEPT_FREE = 'a, button, input, select, textarea, summary, h1, h2';

/**
 * Where a toast covers nothing that can be pressed, and no title: the first such place from above.
 * @returns pixels from the top of the window; TOP if there is no such place
 */
function freeTop({ offsetWidth, offsetHeight }: HTMLElement, frame: HTMLElement): number {
  const left = (window.innerWidth - offsetWidth) / 2;
  // What is behind a dialog cannot be pressed.
  const dialog = [...document.querySelectorAll('[role="dialog"]')].at(-1);
  const inTheWay = [...(dialog ?? document.body).querySelectorAll(KEPT_FREE)]
    .filter((control) => !frame.contains(control))
    .map((control) => control.getBoundingClientRect())
    .filter((box) => box.right > left && box.left < left + offsetWidth)
    .sort((one, other) => one.top - other.top);
  let top = TOP;
  for (const box of inTheWay) {
    if (box.top < top + offsetHeight && box.bottom > top) top = box.bottom + GAP;
  }
  return top + offsetHeight > window.innerHeight ? TOP : top;
}

/** Shows the newest toast for about five seconds in place of the one before; it is swiped away to the right. */
export function ToastStack({ frame, toast }: ToastStackProps) {
  useEffect(() => {
    const shown = () => [...(frame.current?.querySelectorAll<HTMLElement>(`.${classes.toast}`) ?? [])].at(-1);
    // What is still loaded moves the rest of the page, and a font that comes late makes the toast higher.
    const observer = new ResizeObserver(() => {
      const newest = shown();
      if (newest) frame.current?.style.setProperty('--toast-top', `${freeTop(newest, frame.current)}px`);
    });
    observer.observe(document.body);
    notifications.clean();
    notifications.show({
      ...toast,
      onOpen: () => {
        const newest = shown();
        if (newest) observer.observe(newest);
      },
    });
    return () => observer.disconnect();
  }, [toast, frame]);
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
        position="top-center"
        containerWidth={340}
        classNames={{ root: classes.toasts, notification: classes.toast }}
      />
    </div>
  );
}
