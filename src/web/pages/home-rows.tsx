import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import { paths } from '#contract/base/pages.ts';
import type { Deal } from '#contract/deals/deal-list.ts';
import { draftsText } from '#web/coupons/publishing/drafts-text.ts';
import { BriefDealRows, DealRow } from '#web/deals/core/deal-row.tsx';
import { useMarketDay } from '#web/deals/market-days/queries.ts';
import { announcementText } from '#web/deals/market-days/wording.ts';
import { DealLine, dealKey } from './deal-line.tsx';

interface HomeRowsProps {
  readonly deals: readonly Deal[];
  /** The number of open matches. */
  readonly matches: number;
  /** The number of coupons that were read in their emails. */
  readonly drafts: number;
}

/** The deals in which it is the viewer's turn, their matches, and their coupons to look over. */
export function HomeRows({ deals, matches, drafts }: HomeRowsProps) {
  const { data: next } = useMarketDay();
  return (
    <BriefDealRows>
      {deals.map((deal) => (
        <DealLine key={dealKey(deal)} deal={deal} />
      ))}
      {matches > 0 && (
        <DealRow
          sentence={plural(matches, {
            one: '# exchange is waiting for you.',
            other: '# exchanges are waiting for you.',
          })}
          to={paths.matches}
          about={next && next.coupons > 0 ? announcementText(next) : t`We found them for you.`}
          note={null}
          nextAct={
            <Button component={Link} to={paths.matches} variant="default">
              <Trans>See matches</Trans>
            </Button>
          }
        />
      )}
      {drafts > 0 && (
        <DealRow
          sentence={draftsText(drafts)}
          to={paths.addMany}
          about={t`We read them for you.`}
          note={null}
          nextAct={
            <Button component={Link} to={paths.addMany} variant="default">
              <Trans>Look them over</Trans>
            </Button>
          }
        />
      )}
    </BriefDealRows>
  );
}
