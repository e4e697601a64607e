import { Loader } from '@mantine/core';
import {
  type ComponentType,
  useEffect,
  useLayoutEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react';
import { useLocation } from 'react-router-dom';
import { DialogPlace, type OpenDialog, openDialogs } from '#web/lib/open-dialog.ts';
import { useViewer } from '#web/lib/viewer.tsx';
import { type OnDemand, onDemand, tellNotLoaded, useOnDemand } from './on-demand.tsx';

type Code = OnDemand<{ onClose: () => void }>;

/**
 * The host of the dialogs of a table: shows those that `openDialog` opens. Their code is loaded when it is first wanted,
 * or once the page is idle. Leaving the page, and signing out or in, closes them.
 * @param table each dialog's name, and what loads its file, which exports it as `Component`
 */
export function dialogHost(table: Readonly<Record<string, () => Promise<{ Component: unknown }>>>) {
  const codes = Object.fromEntries(
    Object.entries(table).map(([name, load]) => [
      name,
      // `openDialog` checks the subject.
      onDemand(async () => (await load()).Component as ComponentType<{ onClose: () => void }>),
    ]),
  );
  return function Dialogs() {
    const dialogs = useSyncExternalStore(openDialogs.subscribe, openDialogs.read);
    const { pathname } = useLocation();
    // biome-ignore lint/correctness/useExhaustiveDependencies: before the effects of the next page, which may open some
    useLayoutEffect(() => openDialogs.removeAll, [pathname]);
    return dialogs.map((dialog) => {
      const code = codes[dialog.name];
      return code && <Hosted key={dialog.key} dialog={dialog} code={code} />;
    });
  };
}

function Hosted({ dialog, code }: { dialog: OpenDialog; code: Code }) {
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
  const Component = useOnDemand(code, true, () => {
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
  if (!Component) return <Loader role="status" aria-label="Loading" pos="fixed" top="45%" left="48%" />;
  return (
    <DialogPlace value={place}>
      <Component {...dialog.subject} onClose={place.close} />
    </DialogPlace>
  );
}
