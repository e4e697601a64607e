import { savesData } from './saves-data.ts';

/** Registers the service worker of this language: it keeps what opens without the network, and shows pushes. */
export async function registerWorker(): Promise<void> {
  if (!import.meta.env.PROD || savesData()) return;
  await navigator.serviceWorker?.register(`${import.meta.env.BASE_URL}sw.js`).catch(console.error);
}
