import { Button, type ButtonProps } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { copyText } from '#web/lib/copy-text.ts';

interface CopyButtonProps extends ButtonProps {
  /** Null while it loads. */
  readonly text: string | null;
  /** The toasts after success and failure. */
  readonly done: Parameters<typeof copyText>[1];
  readonly failed?: Parameters<typeof copyText>[2];
}

/** Copies a text to the clipboard. */
export function CopyButton({ text, done, failed, ...look }: CopyButtonProps) {
  return (
    <Button
      leftSection={<IconCopy size={16} aria-hidden="true" />}
      {...look}
      disabled={text === null}
      onClick={() => copyText(text ?? '', done, failed)}
    />
  );
}
