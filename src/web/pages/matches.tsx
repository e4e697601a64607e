import { t } from '@lingui/core/macro';
import { PAGES } from '#contract/base/pages.ts';
import { PageShell } from '#web/components/page-shell.tsx';
import { AddCouponButton } from '#web/coupons/publishing/add-coupon-button.tsx';
import { MarketDayNews } from '#web/deals/market-days/market-day-news.tsx';
import { MarketInvitations } from '#web/deals/matches/market-invitations.tsx';
import { MatchList } from '#web/deals/matches/match-list.tsx';
import { openDialog } from '#web/lib/open-dialog.ts';

/** Swaps that the viewer could take part in. */
export function Component() {
  const add = () => openDialog('coupon');
  return (
    <PageShell
      title={PAGES.matches.title()}
      size="md"
      text={t`Exchanges we found for you, including rings of three or more people.`}
    >
      <MatchList addButton={<AddCouponButton onClick={add} />} />
      <MarketInvitations addButton={<AddCouponButton variant="default" onClick={add} />} />
      <MarketDayNews />
    </PageShell>
  );
}
