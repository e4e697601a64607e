import { dialogsPlace } from '#web/components/dialogs-place.tsx';

/** Shows the dialogs that are open. */
export const Dialogs = dialogsPlace(async () => (await import('./dialogs.ts')).DIALOGS);
