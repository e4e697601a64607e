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

/** Shows the newest toast for about five seconds in place of the one before; it is swiped away to the right. */
export function ToastStack({ frame, toast }: ToastStackProps) {
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
        position="top-center"
        containerWidth={340}
        classNames={{ root: classes.toasts, notification: classes.toast }}
      />
    </div>
  );
}
