import { renderToString } from 'react-dom/server';
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router-dom';
import type { RenderPage } from '#contract/base/first-answers.ts';
import { setPageSettings } from '#contract/base/page-setting.ts';
import { createQueryClient, giveAnswers } from '#web/lib/query-client.ts';
import { App } from './app.tsx';
import { ROUTES } from './routes.tsx';

const { query, dataRoutes } = createStaticHandler(ROUTES, { basename: import.meta.env.BASE_URL });

/** Renders the page at an address with the answers of its first queries. */
export const renderApp: RenderPage = async ({ url, answers, settings }) => {
  const context = await query(new Request(url));
  if (context instanceof Response) throw new Error(`${url} is not a page`);
  const queryClient = createQueryClient();
  giveAnswers(queryClient, answers);
  // Nothing can be rendered between this and the end.
  setPageSettings(settings);
  return renderToString(
    <App queryClient={queryClient}>
      <StaticRouterProvider
        router={createStaticRouter(dataRoutes, context)}
        context={context}
        hydrate={false}
      />
    </App>,
  );
};
