import { useDrag } from '@mantine/hooks';
import { Notifications, notifications } from '@mantine/notifications';
import { useRef } from 'react';
import classes from './toaster.module.css';

const TOAST_MS = 5_000;
const SWIPE_PX = 50;
/** Until a toast that was swiped away is out of sight, and the next one may stand straight again. */
const LEAVE_MS = 180;

/**
 * Toasts: one at a time, for about five seconds, swiped away to the right (spec/1 section 1). The frame around
 * them is the live region, there before its first words: a region that comes with them is often not read out.
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
