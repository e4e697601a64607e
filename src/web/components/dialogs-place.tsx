import { useLayoutEffect, useSyncExternalStore } from 'react';
import { useLocation } from 'react-router-dom';
import { openDialogs } from '#web/lib/open-dialog.ts';
import type { DialogFiles } from './dialog-host.tsx';
import { DialogLoading } from './dialog-loading.tsx';
import { loadAhead, onDemand, onIntent, tellNotLoaded, useOnDemand } from './on-demand.tsx';

/**
 * The place of the dialogs that `openDialog` opens. What shows them is loaded when somebody is about to press a button.
 * Leaving the page closes them.
 */
export function dialogsPlace(loadTable: () => Promise<DialogFiles>) {
  const host = onDemand(async () => {
    const [{ dialogHost }, table] = await Promise.all([import('./dialog-host.tsx'), loadTable()]);
    return dialogHost(table);
  });
  onIntent((target) => {
    if (!host.loaded() && target.closest('button')) void loadAhead(host.load);
  });
  return function Dialogs() {
    const dialogs = useSyncExternalStore(openDialogs.subscribe, openDialogs.read);
    const { pathname } = useLocation();
    // biome-ignore lint/correctness/useExhaustiveDependencies: before the effects of the next page, which may open some
    useLayoutEffect(() => openDialogs.removeAll, [pathname]);
    const Host = useOnDemand(host, dialogs[0]?.key, () => {
      tellNotLoaded();
      openDialogs.removeAll();
    });
    if (Host) return <Host dialogs={dialogs} />;
    return dialogs.length > 0 && <DialogLoading />;
  };
}
