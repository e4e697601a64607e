import { useDrag } from '@mantine/hooks';
import { Notifications, notifications } from '@mantine/notifications';
import { useRef } from 'react';
import classes from './shell.module.css';

const TOAST_MS = 5_000;
const SWIPE_PX = 50;
/** How long a swiped toast takes to leave the screen. */
const LEAVE_MS = 180;

/**
 * Toasts: one at a time, for about five seconds, swiped away to the right (spec/1 section 1). The live region is
 * rendered before the first toast: screen readers often miss a region that appears together with its text.
 */
export function Toaster() {
  const frame = useRef<HTMLDivElement>(null);
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
