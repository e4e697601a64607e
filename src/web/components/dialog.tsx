import { t } from '@lingui/core/macro';
import { Button, Drawer, Group, Modal, Stack } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import {
  createContext,
  type FormEventHandler,
  memo,
  type ReactNode,
  use,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useBackAndEscape } from '#web/lib/dialog-history.ts';
import { DialogPlace } from '#web/lib/open-dialog.ts';
import { useIsPhone } from '#web/lib/screen.ts';
import classes from './dialog.module.css';

interface DialogProps {
  readonly title: string;
  readonly children: ReactNode;
  /** Whether an action is under way: the dialog cannot be closed until it is answered. A `DialogForm` says it itself. */
  readonly isPending?: boolean;
  readonly size?: number | string;
  /** Full screen on desktops, too. */
  readonly isFullScreen?: boolean;
  readonly bodyClassName?: string;
  /** Called when the user closes it; without it the dialog just closes. */
  readonly onClose?: () => void;
  /** For a dialog that its page renders, because the address says whether it is open: it has an entry in the history. */
  readonly isOpenInAddress?: boolean;
  /** As of `openDialog`, for a dialog in the address. */
  readonly focusAfter?: readonly string[];
  /** Slides in from the side of the screen. */
  readonly isDrawer?: boolean;
  readonly closeLabel?: string;
}

/** How long a dialog fades out. */
export const DIALOG_FADE_MS = 200;
/** More than it takes to return the focus to the opener. */
const FOCUS_RETURN_MS = 50;

/**
 * Every dialog of the product: full screen on phones, with a title and a close button. It returns the focus to the
 * element that opened it, or to the closest one around it that still exists. Escape and the browser's Back close the
 * front dialog. While it fades out its content stays as it was.
 */
export function Dialog(props: DialogProps) {
  const { title, children, isOpenInAddress } = props;
  const place = use(DialogPlace);
  const [isFormPending, setIsFormPending] = useState(false);
  const isPending = props.isPending || isFormPending;
  const isPhone = useIsPhone();
  // Opens after the first render: otherwise it would not know which element had the focus.
  const isMounted = useMounted();
  const isOpen = (isOpenInAddress ?? place.isOpen) && isMounted;
  const onClose = props.onClose ?? place.close;
  const close = isPending ? () => {} : onClose;
  useBackAndEscape(isOpen, close, { isInAddress: isOpenInAddress !== undefined });
  const around = useRef<readonly HTMLElement[]>([]);
  useLayoutEffect(() => {
    if (isOpen) around.current = focusableAround();
  }, [isOpen]);
  const end = () => {
    const ids = props.focusAfter ?? place.focusAfter ?? [];
    setTimeout(() => {
      if (document.activeElement === document.body) {
        const places = [...ids.map((id) => document.getElementById(id)), ...around.current];
        places.find((element) => element?.isConnected)?.focus({ preventScroll: true });
      }
      place.onGone?.();
    }, FOCUS_RETURN_MS);
  };
  const Frame = props.isDrawer ? Drawer : Modal;
  return (
    <Frame
      opened={isOpen}
      onClose={close}
      closeOnEscape={false}
      title={<Unchanged isKept={!isOpen}>{title}</Unchanged>}
      size={props.size}
      {...(!props.isDrawer && { fullScreen: isPhone || props.isFullScreen })}
      closeButtonProps={{ disabled: isPending, ...(props.closeLabel && { 'aria-label': props.closeLabel }) }}
      classNames={{ content: classes.content, body: props.bodyClassName }}
      onExitTransitionEnd={end}
    >
      <DialogContext value={{ close, isPending, setIsFormPending }}>
        <Unchanged isKept={!isOpen}>
          {isOpenInAddress === undefined ? (
            children
          ) : (
            <DialogPlace value={{ isOpen, close: onClose }}>{children}</DialogPlace>
          )}
        </Unchanged>
      </DialogContext>
    </Frame>
  );
}

/** What was clicked last: Safari gives clicked buttons no focus. */
let clicked: EventTarget | null = null;
window.addEventListener('click', ({ target }) => (clicked = target), { capture: true });

/** The element that opens a dialog now, and those around it that can take the focus, from the inside out. */
function focusableAround(): HTMLElement[] {
  const found: HTMLElement[] = [];
  const { activeElement, body } = document;
  let at =
    activeElement === body && clicked instanceof Element
      ? clicked.closest('a, button, [tabindex]')
      : activeElement;
  for (; at instanceof HTMLElement && at !== body; at = at.parentElement?.closest('[tabindex]') ?? null)
    found.push(at);
  return found;
}

const DialogContext = createContext({
  close: () => {},
  isPending: false,
  setIsFormPending: (_isPending: boolean) => {},
});

interface UnchangedProps {
  readonly isKept: boolean;
  readonly children: ReactNode;
}

/** Renders its children; while `isKept`, the children of the last render before. */
const Unchanged = memo(
  ({ children }: UnchangedProps) => children,
  (_before, { isKept }) => isKept,
);

interface DialogFooterProps {
  readonly cancelLabel?: string;
  /** The label of the submit button; without it there is none. */
  readonly submitLabel?: string;
  readonly isDangerous?: boolean;
  /** Overrides the dialog's `isPending`. */
  readonly isLoading?: boolean;
  readonly isDisabled?: boolean;
  /** Whether it stays in view while the content scrolls. */
  readonly isSticky?: boolean;
  /** Above the buttons. */
  readonly notice?: ReactNode;
  /** More buttons. */
  readonly children?: ReactNode;
}

/** The buttons at the end of a dialog: cancel and submit. */
export function DialogFooter(props: DialogFooterProps) {
  const { cancelLabel = t`Cancel`, submitLabel, isDangerous, isDisabled, children } = props;
  const { close, isPending } = use(DialogContext);
  return (
    <div className={props.isSticky ? classes.stickyFooter : undefined}>
      {props.notice}
      <Group justify="flex-end" gap="sm">
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
    </div>
  );
}

interface DialogFormProps extends DialogFooterProps {
  readonly submitLabel: string;
  /** Whether the form is being sent: the dialog cannot be closed until it is answered. */
  readonly isPending?: boolean;
  readonly onSubmit: FormEventHandler<HTMLFormElement>;
  readonly children: ReactNode;
}

/** A form that fills a dialog: fields, and a footer that stays above the keyboard of phones. */
export function DialogForm({ isPending = false, onSubmit, children, ...footer }: DialogFormProps) {
  const { setIsFormPending } = use(DialogContext);
  const isPhone = useIsPhone();
  useEffect(() => {
    setIsFormPending(isPending);
    return () => setIsFormPending(false);
  }, [isPending, setIsFormPending]);
  return (
    <form noValidate onSubmit={onSubmit}>
      <Stack>
        {children}
        <DialogFooter {...footer} isSticky={isPhone} />
      </Stack>
    </form>
  );
}

interface ConfirmDialogProps extends DialogProps {
  /** Names the action, not 'OK'. */
  readonly confirmLabel: string;
  /** The label while the action is under way. */
  readonly pendingLabel?: string;
  readonly cancelLabel?: string;
  readonly isDangerous?: boolean;
  readonly onConfirm: () => void;
}

/** Asks for confirmation before an action that is hard to undo. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { children, confirmLabel, pendingLabel = t`Working…`, cancelLabel = t`Go back` } = props;
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
