import { useEffect } from 'react';
import { useBlocker } from 'react-router-dom';
import { ConfirmDialog } from '#web/components/dialog.tsx';

interface UnsavedGuardProps {
  readonly text: string;
  readonly isAsking: boolean;
  readonly onAsk: (isAsking: boolean) => void;
  readonly onDiscard: () => void;
}

/**
 * Render it while there are unsaved changes: it asks before they are discarded, and blocks leaving the page (with
 * Back, too) and closing the tab. The router allows one such guard at a time.
 */
export function UnsavedGuard({ text, isAsking, onAsk, onDiscard }: UnsavedGuardProps) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname,
  );
  const isBlocked = blocker.state === 'blocked';
  useEffect(() => {
    if (isBlocked) onAsk(true);
  }, [isBlocked, onAsk]);
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, []);
  return (
    <ConfirmDialog
      opened={isAsking}
      title="Discard what you typed?"
      confirmLabel="Discard"
      cancelLabel="Keep editing"
      isDangerous
      onConfirm={() => {
        onDiscard();
        blocker.proceed?.();
      }}
      onClose={() => {
        onAsk(false);
        blocker.reset?.();
      }}
    >
      {text}
    </ConfirmDialog>
  );
}
