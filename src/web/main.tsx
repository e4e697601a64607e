import { pageSetting } from '#contract/base/page-setting.ts';
import '@fontsource-variable/bricolage-grotesque/opsz.css';
import '@mantine/core/styles.css';
import './theme/global.css';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { OFFLINE_META } from '#contract/base/offline.ts';
import { App } from './app/app.tsx';
import { loadPage, openPages } from './app/routes.tsx';
import { reloadOnMissingCode } from './components/on-demand.tsx';
import { takeFirstAnswers } from './lib/first-answers.ts';
import { holdInstallPrompt } from './lib/install-prompt.ts';
import { takeLaunchedFiles } from './lib/launched-files.ts';
import { createQueryClient } from './lib/query-client.ts';
import { registerWorker } from './lib/register-worker.ts';
import { restoreScroll } from './lib/scroll-positions.ts';
import { ANSWERS_KEY, withSeen } from './lib/viewer-storage.ts';
import { whenIdle } from './lib/when-idle.ts';

declare global {
  /** Zod's settings; it is loaded later. */
  var __zod_globalConfig: { readonly jitless: boolean } | undefined;
}

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

// Zod would try whether it may make code from strings, which the policy forbids and browsers report.
globalThis.__zod_globalConfig = { jitless: true };
reloadOnMissingCode();
holdInstallPrompt();
takeLaunchedFiles();
const queryClient = createQueryClient();
takeFirstAnswers(queryClient);
const openApp = (isRendered: boolean) => <App queryClient={queryClient}>{openPages(isRendered)}</App>;
const show = () => createRoot(root).render(openApp(false));
/** Takes over what the server has rendered. Where this browser shows something else, as by its time zone, it is rendered anew. */
const takeOver = () => {
  for (const element of root.querySelectorAll<HTMLElement>('[data-style]')) {
    element.style.cssText = element.dataset.style ?? '';
    delete element.dataset.style;
  }
  restoreScroll();
  hydrateRoot(root, openApp(true), { onRecoverableError: () => {} });
};
const cachedAnswers = () => import('./lib/cached-answers.ts');
if (pageSetting(OFFLINE_META)) {
  cachedAnswers()
    .then(({ beginOffline }) => beginOffline(queryClient), console.error)
    .then(show);
} else if (root.hasChildNodes()) loadPage().then(takeOver, show);
else show();
// The first look loads nothing for later: whoever comes again gets the files that open without the network.
const wasHere = withSeen((storage) => storage.getItem(ANSWERS_KEY)) != null;
whenIdle(async () => {
  (await cachedAnswers()).cacheAnswers(queryClient);
  if (wasHere) await registerWorker();
});
// Not needed for the first look: browsers translate a page once it is there.
import('./lib/translated-texts.ts').then(({ keepTexts }) => keepTexts(document.body), console.error);
