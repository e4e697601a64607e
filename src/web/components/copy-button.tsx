import { Button, type ButtonProps } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { toasts } from '#web/lib/toasts.ts';

interface CopyButtonProps extends ButtonProps {
  /** Null while it loads. */
  readonly text: string | null;
  /** The toasts after success and failure. */
  readonly done: readonly [title: string, text?: string];
  readonly failed?: readonly [title: string, text: string];
}

const FAILED = [
  'Not copied',
  'Your browser does not allow copying. Select the text and copy it by hand.',
] as const;

/** Copies a text to the clipboard, which only https and localhost have. */
export function CopyButton({ text, done, failed = FAILED, ...look }: CopyButtonProps) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text ?? '');
      toasts.success(...done);
    } catch {
      toasts.failure(...failed);
    }
  };
  return (
    <Button
      leftSection={<IconCopy size={16} aria-hidden="true" />}
      {...look}
      disabled={text === null}
      onClick={copy}
    />
  );
}
