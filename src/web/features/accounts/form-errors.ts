import { fieldErrors, writeErrorText } from '#web/lib/errors.ts';
import { toasts } from '#web/lib/toasts.ts';

/** The used part of a Mantine form. */
interface Form {
  readonly setErrors: (errors: Record<string, string>) => void;
  readonly getInputNode: (field: string) => HTMLElement | null;
}

/** Focuses the first field with an error. */
export function focusFirst({ getInputNode }: Pick<Form, 'getInputNode'>, errors: object): void {
  getInputNode(Object.keys(errors)[0] ?? '')?.focus();
}

/** Shows why the server refused a form: at the fields that it names, of which the first is focused, and in a toast. */
export function showRefusal(form: Form, title: string, error: unknown): void {
  const errors = fieldErrors(error);
  form.setErrors(errors);
  focusFirst(form, errors);
  toasts.failure(title, writeErrorText(error, 'Please try again.'));
}
