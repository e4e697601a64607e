import { localPath } from '#contract/base/i18n.ts';

interface LaunchQueue {
  setConsumer(consume: (launch: { readonly files?: readonly FileSystemFileHandle[] }) => unknown): void;
}

declare global {
  interface Window {
    /** Of Chromium: the files that an installed application was opened with. */
    readonly launchQueue?: LaunchQueue;
  }
}

/** Takes files that were opened with the installed application, like shared ones. */
export function takeLaunchedFiles(): void {
  window.launchQueue?.setConsumer(async ({ files = [] }) => {
    if (files.length === 0) return;
    const form = new FormData();
    for (const handle of files) form.append('files', await handle.getFile());
    const { keepShared } = await import('./shared.ts');
    window.location.replace(localPath(await keepShared(form)));
  });
}
