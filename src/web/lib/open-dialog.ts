import { createContext } from 'react';

/** The dialogs by name, each with what loads it: `app/dialogs.ts` adds them. */
// biome-ignore lint/suspicious/noEmptyInterface: lib does not know the rooms
export interface DialogTable {}

/** What a dialog is about: the props of its component, without those of the host. */
type Subject<Name extends keyof DialogTable> = DialogTable[Name] extends () => Promise<{
  readonly Component: (props: infer Props) => void;
}>
  ? Omit<Props, 'onClose'>
  : never;

interface OpenOptions {
  /**
   * The ids of the elements that may take the focus after it, the first that exists: for when the element that opened it
   * is gone and the list around it is not the best place.
   */
  readonly focusAfter?: readonly string[];
}

/** A dialog on the screen, for the host. */
export interface OpenDialog extends OpenOptions {
  readonly key: number;
  readonly name: string;
  readonly subject: object;
  /** False while it fades out. */
  readonly isOpen: boolean;
  readonly onClosed: () => void;
}

let dialogs: readonly OpenDialog[] = [];
let lastKey = 0;
const watchers = new Set<() => void>();

function change(next: readonly OpenDialog[]): void {
  dialogs = next;
  for (const watcher of watchers) watcher();
}

/**
 * Opens a dialog of the table, in front of those that are open.
 * @returns a promise that resolves when the dialog is closed
 */
export function openDialog<Name extends keyof DialogTable>(
  name: Name,
  ...[subject, options]: Record<never, never> extends Subject<Name>
    ? [subject?: Subject<Name>, options?: OpenOptions]
    : [subject: Subject<Name>, options?: OpenOptions]
): Promise<void> {
  lastKey += 1;
  const key = lastKey;
  return new Promise((onClosed) => {
    change([...dialogs, { key, name, subject: subject ?? {}, isOpen: true, onClosed, ...options }]);
  });
}

/** The open dialogs, the front one last, for the host and `useSyncExternalStore`. */
export const openDialogs = {
  subscribe: (watcher: () => void) => {
    watchers.add(watcher);
    return () => watchers.delete(watcher);
  },
  read: () => dialogs,
  /** Lets it fade out. */
  close: (key: number) => {
    dialogs.find((dialog) => dialog.key === key)?.onClosed();
    change(dialogs.map((dialog) => (dialog.key === key ? { ...dialog, isOpen: false } : dialog)));
  },
  /** Takes it away, after it has faded out or without it. */
  remove: (key: number) => {
    dialogs.find((dialog) => dialog.key === key)?.onClosed();
    change(dialogs.filter((dialog) => dialog.key !== key));
  },
  removeAll: () => {
    for (const { onClosed } of dialogs) onClosed();
    change([]);
  },
};

/** What opens and closes a dialog: the host gives it. */
export const DialogPlace = createContext<{
  readonly isOpen: boolean;
  readonly close: () => void;
  readonly focusAfter?: readonly string[] | undefined;
  /** Called when the dialog has faded out and returned the focus. */
  readonly onGone?: () => void;
}>({ isOpen: false, close: () => {} });
