import { t } from '@lingui/core/macro';
import { Link, useLocation } from 'react-router-dom';
import { PAGES } from '#contract/base/pages.ts';
import classes from './moderation.module.css';

const LINKS = [PAGES.adminReports, PAGES.claims];

/** Links between the moderators' two pages. */
export function ModerationNav() {
  const { pathname } = useLocation();
  return (
    <nav aria-label={t`Moderation`} className={classes.nav}>
      {LINKS.map(({ path, label }) => (
        <Link
          key={path}
          to={path}
          className={classes.navLink}
          aria-current={path === pathname ? 'page' : undefined}
        >
          {label()}
        </Link>
      ))}
    </nav>
  );
}
