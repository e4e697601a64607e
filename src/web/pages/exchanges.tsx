import { PageShell } from '#web/components/page-shell.tsx';
import { ExchangesBrowser } from '#web/features/exchanges/exchanges-browser.tsx';
import { useViewer } from '#web/lib/viewer.tsx';

/** The swaps the viewer asked for, and those asked of them. */
export function ExchangesPage() {
  const { user } = useViewer();
  return (
    <PageShell title="Exchanges" text="Swaps you asked for, and swaps asked of you.">
      {user && <ExchangesBrowser viewerId={user.id} />}
    </PageShell>
  );
}
