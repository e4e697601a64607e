import { fieldErrors, isConflict, writeErrorText } from './errors.ts';
import { toasts } from './toasts.ts';

interface DialogAnswers<Result> {
  readonly onClose: () => void;
  /** The toast after it is done: its title, and more. */
  readonly done: (result: Result) => readonly [title: string, text?: string];
  readonly failedTitle: string;
  /** What is said of a failure: instead of the server's words, or where it has none. */
  readonly failedText?: string | ((error: unknown) => string);
  /** Marks the fields that the server refuses. */
  readonly form?: { readonly setErrors: (errors: Record<string, string>) => void };
  readonly onDone?: (result: Result) => void;
}

/**
 * What a dialog does with the answer to its act, as the options of `mutate`. It closes once the act is done, and
 * after a conflict: the page then shows the true state, to which the question does not belong any more.
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
