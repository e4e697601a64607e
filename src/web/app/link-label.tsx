import { VisuallyHidden } from '@mantine/core';
import type { NavigationLink } from './navigation.ts';
import classes from './shell.module.css';

/** What a link says, with how much waits behind it. The number stands over its corner: nothing moves when it comes. */
export function LinkLabel({ label, unread = 0 }: Pick<NavigationLink, 'label' | 'unread'>) {
  return (
    <>
      {label}
      {unread > 0 && (
        <>
          <span className={classes.unread} aria-hidden="true">
            {unread > 99 ? '99+' : unread}
          </span>
          <VisuallyHidden> {unread === 1 ? '1 unread message' : `${unread} unread messages`}</VisuallyHidden>
        </>
      )}
    </>
  );
}
