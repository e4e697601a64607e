import { enable } from 'workbox-navigation-preload';
import { cleanupOutdatedCaches, PrecacheFallbackPlugin, precacheAndRoute } from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { NetworkOnly } from 'workbox-strategies';
import { OFFLINE_SHELL } from '#contract/offline.ts';

/*
 * The service worker, a program of its own: `scripts/service-worker.ts` builds it. It keeps the files of the shell, and
 * answers with it when a page is opened without the network. It keeps no answer of the API. A new version waits until
 * every tab of the old one is closed: pages that are open keep the files that they began with.
 */

/** The files of the shell; the build puts them here. */
declare const SHELL_FILES: Parameters<typeof precacheAndRoute>[0];

cleanupOutdatedCaches();
precacheAndRoute(SHELL_FILES);
// The network does not wait for the worker to start.
enable();
registerRoute(
  new NavigationRoute(
    new NetworkOnly({ plugins: [new PrecacheFallbackPlugin({ fallbackURL: OFFLINE_SHELL })] }),
    { denylist: [/^\/api\//] },
  ),
);
