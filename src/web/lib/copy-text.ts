import { t } from '@lingui/core/macro';
import { toasts } from './toasts.ts';

const FAILED = [
  t`Not copied`,
  t`Your browser does not allow copying. Select the text and copy it by hand.`,
] as const;

/** Copies a text to the clipboard, which only https and localhost have. `done` and `failed` are toasts: title and text. */
export async function copyText(
  text: string,
  done: readonly [title: string, text?: string],
  failed: readonly [title: string, text: string] = FAILED,
): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toasts.success(...done);
  } catch {
    toasts.failure(...failed);
  }
}
