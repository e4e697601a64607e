import { PAGES } from '#contract/pages.ts';
import { PageShell } from '#web/components/page-shell.tsx';
import { AwaySuggestion } from '#web/features/accounts/absence.tsx';
import { LegClaims } from '#web/features/claims/leg-claims.tsx';
import { ExchangesBrowser } from '#web/features/exchanges/exchanges-browser.tsx';
import { ratedIn } from '#web/features/exchanges/sides.ts';
import { MessagesDialog } from '#web/features/messages/messages-dialog.tsx';
import { RateDeal } from '#web/features/ratings/rate-deal.tsx';
import { useDialog } from '#web/lib/use-dialog.ts';
import { useViewer } from '#web/lib/viewer.tsx';

/** The exchanges that the viewer proposed or received. */
export function Component() {
  const { user } = useViewer();
  const messages = useDialog<number>();
  return (
    <PageShell title={PAGES.exchanges.title} text="Swaps you asked for, and swaps asked of you.">
      {user && (
        <>
          <AwaySuggestion />
          <ExchangesBrowser
            viewerId={user.id}
            onMessages={({ id }) => messages.open(id)}
            renderAftermath={(exchange) => (
              <>
                <LegClaims exchangeId={exchange.id} completedAt={exchange.completedAt} viewerId={user.id} />
                {ratedIn(exchange, user.id).map((otherId) => (
                  <RateDeal key={otherId} dealType="exchange" dealId={exchange.id} otherId={otherId} />
                ))}
              </>
            )}
          />
          <MessagesDialog
            opened={messages.opened}
            deal={
              messages.subject === undefined ? undefined : { dealType: 'exchange', dealId: messages.subject }
            }
            viewerId={user.id}
            onClose={messages.close}
          />
        </>
      )}
    </PageShell>
  );
}
