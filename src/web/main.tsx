import { pageSetting } from '#contract/base/page-setting.ts';
import '@fontsource-variable/bricolage-grotesque/opsz.css';
import '@mantine/core/styles.css';
import './theme/global.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { OFFLINE_META } from '#contract/base/offline.ts';
import { Providers } from './app/providers.tsx';
import { Routes } from './app/routes.tsx';
import { loadTheRestWhenIdle, reloadOnMissingCode } from './components/on-demand.tsx';
import { takeFirstAnswers } from './lib/first-answers.ts';
import { holdInstallPrompt } from './lib/install-prompt.ts';
import { takeLaunchedFiles } from './lib/launched-files.ts';
import { createQueryClient } from './lib/query-client.ts';

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
const show = () =>
  createRoot(root).render(
    <StrictMode>
      <Providers queryClient={queryClient}>
        <Routes />
      </Providers>
    </StrictMode>,
  );
const keptAnswers = () => import('./lib/kept-answers.ts');
if (pageSetting(OFFLINE_META)) {
  keptAnswers()
    .then(({ beginOffline }) => beginOffline(queryClient), console.error)
    .then(show);
} else show();
loadTheRestWhenIdle(
  async () => (await keptAnswers()).keepAnswers(queryClient),
  async () => import.meta.env.PROD && navigator.serviceWorker?.register(`${import.meta.env.BASE_URL}sw.js`),
);
// Not needed for the first look: browsers translate a page once it is there.
import('./lib/translated-texts.ts').then(({ keepTexts }) => keepTexts(document.body), console.error);
