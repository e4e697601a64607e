/** Chromium's offer to install the application, which waits until it is shown. */
interface InstallPrompt extends Event {
  readonly prompt: () => Promise<unknown>;
}

let held: InstallPrompt | null = null;
let tell = () => {};

/** Holds back the browser's own offer to install the application: ours comes when there is a reason. */
export function holdInstallPrompt(): void {
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    held = event as InstallPrompt;
    tell();
  });
}

/** The browser's offer for our own, for `useSyncExternalStore`; null where there is none, or not yet. */
export const installPrompt = {
  subscribe: (watcher: () => void) => {
    tell = watcher;
    return () => {
      tell = () => {};
    };
  },
  read: () => held,
};
