import { t } from '@lingui/core/macro';
import { useEffect, useEffectEvent } from 'react';
import { useBlocker } from 'react-router-dom';
import { openDialog } from '#web/lib/open-dialog.ts';

/** Asks whether unsaved changes may be discarded. */
export async function mayDiscard(text: string, title = t`Discard what you typed?`): Promise<boolean> {
  let isSure = false;
  await openDialog('confirm', {
    title,
    text,
    confirmLabel: t({ context: 'page', message: 'Discard' }),
    cancelLabel: t`Keep editing`,
    isDangerous: true,
    act: () => {
      isSure = true;
    },
  });
  return isSure;
}

interface UnsavedGuardProps {
  readonly text: string;
  readonly onDiscard: () => void;
}

/**
 * Render it while there are unsaved changes: it asks before the page is left (with Back, too), and before the tab is
 * closed. The router allows one such guard at a time.
 */
export function UnsavedGuard({ text, onDiscard }: UnsavedGuardProps) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname,
  );
  const ask = useEffectEvent(async () => {
    if (!(await mayDiscard(text))) return blocker.reset?.();
    onDiscard();
    blocker.proceed?.();
  });
  const isBlocked = blocker.state === 'blocked';
  useEffect(() => {
    if (isBlocked) void ask();
  }, [isBlocked]);
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, []);
  return null;
}
