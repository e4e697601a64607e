import { Anchor } from '@mantine/core';
import type { NavigateFunction } from 'react-router-dom';

interface ToastLinkProps {
  readonly to: string;
  /** The router's own way there: toasts stand outside the router and cannot ask it themselves. */
  readonly navigate: NavigateFunction;
  readonly children: string;
}

/** A link inside a toast. */
export function ToastLink({ to, navigate, children }: ToastLinkProps) {
  return (
    <Anchor
      href={to}
      size="sm"
      fw={600}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        void navigate(to);
      }}
    >
      {children}
    </Anchor>
  );
}
