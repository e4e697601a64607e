import { t } from '@lingui/core/macro';
import { Link } from 'react-router-dom';
import { paths } from '#contract/base/pages.ts';
import classes from './deal-views.module.css';

const VIEWS = [
  [paths.deals, t`All`],
  [paths.myBids, t`Bids`],
  [paths.exchanges, t`Exchanges`],
  [paths.claimedDeals, t`Claims`],
] as const;

/** Links between the views of the viewer's deals. @param current the address of the view on screen */
export function DealViews({ current }: { current: string }) {
  return (
    <nav className={classes.views} aria-label={t`Views of your deals`}>
      {VIEWS.map(([to, label]) => (
        <Link key={to} to={to} aria-current={to === current ? 'page' : undefined} className={classes.view}>
          {label}
        </Link>
      ))}
    </nav>
  );
}
