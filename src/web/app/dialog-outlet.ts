import { dialogOutlet } from '#web/components/dialog-outlet.tsx';

/** Shows the dialogs that are open. */
export const Dialogs = dialogOutlet(async () => (await import('./dialogs.ts')).DIALOGS);
