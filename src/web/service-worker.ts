import { enable } from 'workbox-navigation-preload';
import { cleanupOutdatedCaches, PrecacheFallbackPlugin, precacheAndRoute } from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { NetworkOnly } from 'workbox-strategies';
import { type Language, prefixOf } from '#contract/base/i18n.ts';
import { OFFLINE_SHELL } from '#contract/base/offline.ts';
import { SHARE_TARGET } from '#contract/base/share-target.ts';
import { forgetOldShared, keepShared } from './lib/shared.ts';
import { showPushes } from './people/push/worker-push.ts';

/*
 * The service worker, a program of its own: `scripts/build/service-worker.ts` builds it. It keeps the files of the shell, and
 * answers with it when a page is opened without the network. It keeps no answer of the API. What other applications share
 * waits in a cache of its own until a page takes it. It shows pushes. A new version waits until every tab of the old one is
 * closed: pages that are open keep the files that they began with.
 */

/** The files of the shell; the build puts them here. */
declare const SHELL_FILES: Parameters<typeof precacheAndRoute>[0];
/** The language of the pages that it keeps. Each has a worker of its own. */
declare const LANGUAGE: Language;

const PREFIX = prefixOf(LANGUAGE);

cleanupOutdatedCaches();
precacheAndRoute(SHELL_FILES);
// The network does not wait for the worker to start.
enable();
registerRoute(
  new NavigationRoute(
    new NetworkOnly({ plugins: [new PrecacheFallbackPlugin({ fallbackURL: PREFIX + OFFLINE_SHELL })] }),
    // The worker of English is also asked for the pages of a language whose own is not there yet.
    { denylist: [/^\/api\//, ...(PREFIX ? [] : [/^\/[a-z]{2}(\/|$)/])] },
  ),
);
registerRoute(
  ({ sameOrigin, url }) => sameOrigin && url.pathname === PREFIX + SHARE_TARGET,
  async ({ request }) => Response.redirect(PREFIX + (await keepShared(await request.formData())), 303),
  'POST',
);
showPushes(self as unknown as Parameters<typeof showPushes>[0], PREFIX);
// Whenever the worker starts, as it does for every page after some seconds without one.
forgetOldShared().catch(() => {});
