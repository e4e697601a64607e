import { useRouteError } from 'react-router-dom';
import { ErrorState } from '#web/components/error-state.tsx';
import { PageShell } from '#web/components/page-shell.tsx';

/** A page that broke, or whose code could not be loaded (as after a new release): the rest of the site stands. */
export function PageError() {
  const error = useRouteError();
  // Shown to people in plain words below; the cause is for whoever looks into it.
  console.error(error);
  return (
    <PageShell title="This page did not work" size="md">
      <ErrorState
        title="Something went wrong on this page"
        message="Nothing you have saved is lost. Loading the page again usually helps."
        onRetry={() => window.location.reload()}
      />
    </PageShell>
  );
}
