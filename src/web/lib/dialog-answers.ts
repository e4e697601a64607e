import { fieldErrors, isConflict, writeErrorText } from './errors.ts';
import { toasts } from './toasts.ts';

interface DialogAnswers<Result> {
  readonly onClose: () => void;
  /** The toast after success. */
  readonly done: (result: Result) => readonly [title: string, text?: string];
  readonly failedTitle: string;
  /** The text of a failure: a fallback for the server's text, or a function that replaces it. */
  readonly failedText?: string | ((error: unknown) => string);
  /** Marks the fields that the server refuses. */
  readonly form?: { readonly setErrors: (errors: Record<string, string>) => void };
  readonly onDone?: (result: Result) => void;
}

/**
 * The options of `mutate` for an action in a dialog. The dialog closes after success, and after a conflict: the page then
 * shows the current state, and the dialog is outdated.
 */
export function dialogAnswers<Result>(answers: DialogAnswers<Result>) {
  const { onClose, done, failedTitle, failedText = 'Please try again.', form, onDone } = answers;
  return {
    onSuccess: (result: Result) => {
      onClose();
      toasts.success(...done(result));
      onDone?.(result);
    },
    onError: (error: unknown) => {
      form?.setErrors(fieldErrors(error));
      toasts.failure(
        failedTitle,
        typeof failedText === 'string' ? writeErrorText(error, failedText) : failedText(error),
      );
      if (isConflict(error)) onClose();
    },
  };
}
