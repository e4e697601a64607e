import { Button, Group, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';

interface ConfirmDialogProps {
  readonly opened: boolean;
  readonly title: string;
  readonly children: ReactNode;
  /** What the button that does it says; name the act, not 'OK'. */
  readonly confirmLabel: string;
  /** What it says while it is done. */
  readonly pendingLabel?: string;
  readonly cancelLabel?: string;
  readonly isPending: boolean;
  readonly isDangerous?: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks before something that is hard to take back. Cannot be closed while the act is under way. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { opened, title, children, confirmLabel, pendingLabel, isPending, onConfirm, onClose } = props;
  return (
    <Modal
      opened={opened}
      onClose={isPending ? () => {} : onClose}
      title={title}
      closeButtonProps={{ disabled: isPending }}
    >
      <Stack gap="lg">
        <div>{children}</div>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose} disabled={isPending}>
            {props.cancelLabel ?? 'Keep as it is'}
          </Button>
          <Button color={props.isDangerous ? 'red' : undefined} onClick={onConfirm} disabled={isPending}>
            {isPending ? (pendingLabel ?? 'Working …') : confirmLabel}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
