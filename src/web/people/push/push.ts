import type { SubscribePushInput } from '#contract/people/push.ts';
import { installsByMenu } from '#web/lib/installs-by-menu.ts';
import { registerWorker } from '#web/lib/register-worker.ts';
import { savesData } from '#web/lib/saves-data.ts';

/**
 * Whether this browser can get pushes, or why not: it cannot at all (`none`), only as an installed application (`install`),
 * not without the worker that it is spared (`savesData`), or it was told to block them (`blocked`).
 */
export type PushSupport = 'possible' | 'none' | 'install' | 'savesData' | 'blocked';

export function pushSupport(): PushSupport {
  const isKnown = 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;
  if (!isKnown) return installsByMenu() ? 'install' : 'none';
  if (savesData()) return 'savesData';
  return Notification.permission === 'denied' ? 'blocked' : 'possible';
}

/** How long to wait for the worker, which loads its files first. */
const WORKER_MS = 10_000;

/** Whether this browser has a subscription of its own. */
export async function isSubscribed(): Promise<boolean> {
  const registration = await navigator.serviceWorker?.getRegistration();
  return Boolean(await registration?.pushManager?.getSubscription());
}

/**
 * Asks the browser for its address for pushes. The person has allowed it before.
 * @param publicKey the server's, the only one whose pushes it takes
 * @throws where the browser refuses, or has no worker
 */
export async function subscribeBrowser(publicKey: string): Promise<SubscribePushInput> {
  const registration = await Promise.race([
    registerWorker().then(() => navigator.serviceWorker.ready),
    new Promise<never>((_, reject) => setTimeout(() => reject(new Error('No worker')), WORKER_MS)),
  ]);
  // One for another key would be in the way.
  await (await registration.pushManager.getSubscription())?.unsubscribe();
  const subscription = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: publicKey,
  });
  const { endpoint, keys } = subscription.toJSON();
  return { endpoint: endpoint ?? '', keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' } };
}

/** Ends the browser's own subscription. */
export async function unsubscribeBrowser(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration();
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}
