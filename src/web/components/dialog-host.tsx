import { type ComponentType, useEffect, useMemo, useState } from 'react';
import { DialogPlace, type OpenDialog, openDialogs } from '#web/lib/open-dialog.ts';
import { useViewer } from '#web/lib/viewer.tsx';
import { DialogLoading } from './dialog-loading.tsx';
import { type LazyComponent, lazyWithPreload, tellNotLoaded, useLoaded } from './on-demand.tsx';

type LazyDialog = LazyComponent<{ onClose: () => void }>;

/** Each dialog's name, and what loads its file, which exports it as `Component`. */
export type DialogFiles = Readonly<Record<string, () => Promise<{ Component: unknown }>>>;

/**
 * Shows the open dialogs of a table. The code of each is loaded when it is first wanted. Signing out or in closes them.
 */
export function dialogHost(table: DialogFiles) {
  const codes = Object.fromEntries(
    Object.entries(table).map(([name, load]) => [
      name,
      // `openDialog` checks the subject.
      lazyWithPreload(async () => (await load()).Component as ComponentType<{ onClose: () => void }>),
    ]),
  );
  return function DialogHost({ dialogs }: { dialogs: readonly OpenDialog[] }) {
    return dialogs.map((dialog) => {
      const code = codes[dialog.name];
      return code && <Hosted key={dialog.key} dialog={dialog} code={code} />;
    });
  };
}

function Hosted({ dialog, code }: { dialog: OpenDialog; code: LazyDialog }) {
  const { key, isOpen, focusAfter } = dialog;
  const place = useMemo(
    () => ({
      isOpen,
      focusAfter,
      close: () => openDialogs.close(key),
      onGone: () => openDialogs.remove(key),
    }),
    [key, isOpen, focusAfter],
  );
  const Component = useLoaded(code, true, () => {
    tellNotLoaded();
    openDialogs.remove(key);
  });
  const viewerId = useViewer().user?.id;
  const [openedBy] = useState(viewerId);
  const isTheirs = viewerId === openedBy;
  useEffect(() => {
    if (!isTheirs) openDialogs.remove(key);
  }, [isTheirs, key]);
  if (!isTheirs) return null;
  if (!Component) return <DialogLoading />;
  return (
    <DialogPlace value={place}>
      <Component {...dialog.subject} onClose={place.close} />
    </DialogPlace>
  );
}
