import { Button, Group, Modal, Stack } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import {
  createContext,
  type FormEventHandler,
  memo,
  type ReactNode,
  use,
  useEffect,
  useEffectEvent,
} from 'react';
import { useIsPhone } from '#web/lib/screen.ts';

interface DialogProps {
  readonly opened: boolean;
  readonly title: string;
  readonly children: ReactNode;
  /** Whether an act is under way: until it has its answer, the dialog cannot be closed. */
  readonly isPending?: boolean;
  readonly size?: number | string;
  /** Takes the whole screen on a desk, too. */
  readonly isFullScreen?: boolean;
  readonly bodyClassName?: string;
  readonly onClose: () => void;
  /** The dialog has faded out. */
  readonly onClosed?: () => void;
}

/**
 * Every dialog of the house: full screen on phones, with a title and a close button. It gives the keyboard back to
 * what opened it; Escape closes the one in front; while it fades out it still shows what it showed.
 */
export function Dialog(props: DialogProps) {
  const { opened, title, children, isPending = false, onClose } = props;
  const isPhone = useIsPhone();
  // A dialog that is open from its first render would not know where the keyboard came from.
  const isMounted = useMounted();
  const isOpen = opened && isMounted;
  const close = isPending ? () => {} : onClose;
  useEscape(isOpen, close);
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      closeOnEscape={false}
      title={<Unchanged isKept={!isOpen}>{title}</Unchanged>}
      size={props.size}
      fullScreen={isPhone || props.isFullScreen}
      closeButtonProps={{ disabled: isPending }}
      classNames={{ body: props.bodyClassName }}
      onExitTransitionEnd={props.onClosed}
    >
      <DialogContext value={{ close, isPending }}>
        <Unchanged isKept={!isOpen}>{children}</Unchanged>
      </DialogContext>
    </Modal>
  );
}

/** As long as a dialog takes to fade out, in milliseconds. */
export const DIALOG_FADE_MS = 200;

/** What the parts of a dialog know of it. */
const DialogContext = createContext({ close: () => {}, isPending: false });

interface UnchangedProps {
  readonly isKept: boolean;
  readonly children: ReactNode;
}

/** Shows its children, or what they were as long as `isKept`. */
const Unchanged = memo(
  ({ children }: UnchangedProps) => children,
  (_before, { isKept }) => isKept,
);

/** How to close each open dialog, the one in front last. */
const openDialogs: (() => void)[] = [];

function closeTheFront(event: KeyboardEvent) {
  if (event.key !== 'Escape' || event.isComposing) return;
  // A list or a menu that is open in the dialog takes the key for itself.
  if (event.target instanceof HTMLElement && event.target.dataset.mantineStopPropagation === 'true') return;
  openDialogs.at(-1)?.();
}

/**
 * Lets Escape close the dialog in front. Mantine listens once per dialog: one key would close two, or the question
 * that closing the first has just opened.
 */
function useEscape(isOpen: boolean, onClose: () => void) {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (!isOpen) return;
    const entry = () => close();
    openDialogs.push(entry);
    if (openDialogs.length === 1) window.addEventListener('keydown', closeTheFront, { capture: true });
    return () => {
      openDialogs.splice(openDialogs.indexOf(entry), 1);
      if (openDialogs.length === 0) window.removeEventListener('keydown', closeTheFront, { capture: true });
    };
  }, [isOpen]);
}

interface DialogFooterProps {
  readonly cancelLabel?: string;
  /** The button that sends the form; without one it is missing. */
  readonly submitLabel?: string;
  readonly isDangerous?: boolean;
  /** Whether the answer is awaited; as the dialog has it, unless said otherwise. */
  readonly isLoading?: boolean;
  readonly isDisabled?: boolean;
  readonly className?: string;
  /** More buttons. */
  readonly children?: ReactNode;
}

/** The buttons at the end of a dialog: the way out, and the act. */
export function DialogFooter(props: DialogFooterProps) {
  const { cancelLabel = 'Cancel', submitLabel, isDangerous, isDisabled, className, children } = props;
  const { close, isPending } = use(DialogContext);
  return (
    <Group justify="flex-end" gap="sm" className={className}>
      <Button variant="default" onClick={close} disabled={isPending}>
        {cancelLabel}
      </Button>
      {submitLabel && (
        <Button
          type="submit"
          color={isDangerous ? 'red' : undefined}
          loading={props.isLoading ?? isPending}
          disabled={isDisabled}
        >
          {submitLabel}
        </Button>
      )}
      {children}
    </Group>
  );
}

interface DialogFormProps extends DialogFooterProps {
  readonly submitLabel: string;
  readonly onSubmit: FormEventHandler<HTMLFormElement>;
  /** The fields. */
  readonly children: ReactNode;
}

/** A form that fills a dialog: its fields, and the footer. */
export function DialogForm({ onSubmit, children, ...footer }: DialogFormProps) {
  return (
    <form noValidate onSubmit={onSubmit}>
      <Stack>
        {children}
        <DialogFooter {...footer} />
      </Stack>
    </form>
  );
}

interface ConfirmDialogProps extends DialogProps {
  /** What the button that does it says; name the act, not 'OK'. */
  readonly confirmLabel: string;
  /** What it says while it is done. */
  readonly pendingLabel?: string;
  readonly cancelLabel?: string;
  readonly isDangerous?: boolean;
  readonly onConfirm: () => void;
}

/** Asks before something that is hard to take back. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { children, confirmLabel, pendingLabel = 'Working …', cancelLabel = 'Keep as it is' } = props;
  const { isDangerous, onConfirm, ...dialog } = props;
  return (
    <Dialog {...dialog}>
      <Stack gap="lg">
        <div>{children}</div>
        <DialogFooter cancelLabel={cancelLabel}>
          <Button color={isDangerous ? 'red' : undefined} onClick={onConfirm} disabled={props.isPending}>
            {props.isPending ? pendingLabel : confirmLabel}
          </Button>
        </DialogFooter>
      </Stack>
    </Dialog>
  );
}
