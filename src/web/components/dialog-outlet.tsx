import { useLayoutEffect, useSyncExternalStore } from 'react';
import { useLocation } from 'react-router-dom';
import { openDialogs } from '#web/lib/open-dialog.ts';
import type { DialogFiles } from './dialog-host.tsx';
import { DialogLoading } from './dialog-loading.tsx';
import { lazyWithPreload, loadAhead, onIntent, tellNotLoaded, useLoaded } from './on-demand.tsx';

/**
 * The place of the dialogs that `openDialog` opens. What shows them is loaded when somebody is about to press a button.
 * Leaving the page closes them.
 */
export function dialogOutlet(loadTable: () => Promise<DialogFiles>) {
  const host = lazyWithPreload(async () => {
    const [{ dialogHost }, table] = await Promise.all([import('./dialog-host.tsx'), loadTable()]);
    return dialogHost(table);
  });
  onIntent((target) => {
    if (!host.loaded() && target.closest('button')) void loadAhead(host.preload);
  });
  return function Dialogs() {
    const dialogs = useSyncExternalStore(openDialogs.subscribe, openDialogs.read, openDialogs.read);
    const { pathname } = useLocation();
    // biome-ignore lint/correctness/useExhaustiveDependencies: before the effects of the next page, which may open some
    useLayoutEffect(() => openDialogs.removeAll, [pathname]);
    const Host = useLoaded(host, dialogs[0]?.key, () => {
      tellNotLoaded();
      openDialogs.removeAll();
    });
    if (Host) return <Host dialogs={dialogs} />;
    return dialogs.length > 0 && <DialogLoading />;
  };
}
