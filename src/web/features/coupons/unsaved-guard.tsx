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
 * There while something unsaved would be lost: asks before it is closed, and stops the way to another page (Back
 * included) and the closing of the tab. The router knows one such guard at a time.
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
      onConfirm={() => (isBlocked ? blocker.proceed() : onDiscard())}
      onClose={() => {
        onAsk(false);
        blocker.reset?.();
      }}
    >
      {text}
    </ConfirmDialog>
  );
}
