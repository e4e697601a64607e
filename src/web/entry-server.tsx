import type { RenderPage } from '#contract/base/first-answers.ts';
import { speak, Texts, toLanguage } from '#contract/base/i18n.ts';
import { setPageSettings } from '#contract/base/page-setting.ts';

const texts = new Texts(toLanguage(import.meta.env.MODE));

export const renderPage: RenderPage = async (look) => {
  // Modules read both when they are loaded.
  speak(() => texts);
  setPageSettings(look.settings);
  const { renderApp } = await import('./app/render-app.tsx');
  return renderApp(look);
};
