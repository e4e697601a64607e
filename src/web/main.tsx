import '@fontsource-variable/bricolage-grotesque/opsz.css';
import '@mantine/core/styles.css';
import './theme/global.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Providers } from './app/providers.tsx';
import { Routes } from './app/routes.tsx';
import { loadTheRestWhenIdle, reloadOnMissingCode } from './components/on-demand.tsx';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

reloadOnMissingCode();
createRoot(root).render(
  <StrictMode>
    <Providers>
      <Routes />
    </Providers>
  </StrictMode>,
);
loadTheRestWhenIdle();
// Not needed for the first look: browsers translate a page once it is there.
import('./lib/translated-texts.ts').then(({ keepTexts }) => keepTexts(document.body), console.error);
