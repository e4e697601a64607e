import { t } from '@lingui/core/macro';
import { type ReactNode, useState } from 'react';
import { isConflict, writeErrorText } from '#web/lib/errors.ts';
import { toasts } from '#web/lib/toasts.ts';
import { ConfirmDialog } from './dialog.tsx';

interface ConfirmProps {
  readonly title: string;
  readonly text: ReactNode;
  /** Names the action, not 'OK'. */
  readonly confirmLabel: string;
  /** The label while the action is under way. */
  readonly pendingLabel?: string;
  readonly cancelLabel?: string;
  readonly isDangerous?: boolean;
  /** The dialog closes when it is done, and after a conflict: the page then shows the current state. */
  readonly act: () => unknown;
  /** The toast after success. */
  readonly done?: readonly [title: string, text?: string];
  /** The title of the toast after a failure, and the text where the server gives none. */
  readonly failed?: readonly [title: string, text?: string];
  readonly onClose: () => void;
}

/** Asks for confirmation before an action that is hard to undo, and makes it. */
export function Component({ text, act, done, failed, ...dialog }: ConfirmProps) {
  const { onClose } = dialog;
  const [isPending, setIsPending] = useState(false);
  const confirm = async () => {
    setIsPending(true);
    try {
      await act();
      onClose();
      if (done) toasts.success(...done);
    } catch (error) {
      setIsPending(false);
      if (!failed) throw error;
      const [title, fallback = t`Please try again.`] = failed;
      toasts.failure(title, writeErrorText(error, fallback));
      if (isConflict(error)) onClose();
    }
  };
  return (
    <ConfirmDialog {...dialog} isPending={isPending} onConfirm={confirm}>
      {text}
    </ConfirmDialog>
  );
}
