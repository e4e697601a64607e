import { t } from '@lingui/core/macro';
import { PAGES } from '#contract/base/pages.ts';
import { PageShell } from '#web/components/page-shell.tsx';
import { AddCouponButton } from '#web/coupons/publishing/add-coupon-button.tsx';
import { AwaySuggestion } from '#web/deals/away/absence.tsx';
import { ExchangesBrowser } from '#web/deals/exchanges/exchanges-browser.tsx';
import { ratedIn } from '#web/deals/exchanges/sides.ts';
import { RateDeal } from '#web/deals/ratings/rate-deal.tsx';
import { openDialog } from '#web/lib/open-dialog.ts';
import { useMember } from '#web/lib/viewer.tsx';
import { LegClaims } from '#web/money/claims/leg-claims.tsx';

/** The exchanges that the viewer proposed or received. */
export function Component() {
  const viewer = useMember();
  return (
    <PageShell
      title={PAGES.exchanges.title()}
      text={t`Exchanges you proposed, and exchanges proposed to you.`}
    >
      <AwaySuggestion />
      <ExchangesBrowser
        addButton={<AddCouponButton onClick={() => openDialog('coupon')} />}
        renderAftermath={(exchange) => (
          <>
            <LegClaims exchangeId={exchange.id} completedAt={exchange.completedAt} />
            {ratedIn(exchange, viewer.id).map((otherId) => (
              <RateDeal key={otherId} dealType="exchange" dealId={exchange.id} otherId={otherId} />
            ))}
          </>
        )}
      />
    </PageShell>
  );
}
