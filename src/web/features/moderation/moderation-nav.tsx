import { t } from '@lingui/core/macro';
import { NavLink } from 'react-router-dom';
import { PAGES } from '#contract/pages.ts';
import classes from './moderation.module.css';

const LINKS = [PAGES.adminReports, PAGES.claims];

/** Links between the moderators' two pages. */
export function ModerationNav() {
  return (
    <nav aria-label={t`Moderation`} className={classes.nav}>
      {LINKS.map(({ path, label }) => (
        <NavLink key={path} to={path} end className={classes.navLink}>
          {label}
        </NavLink>
      ))}
    </nav>
  );
}
